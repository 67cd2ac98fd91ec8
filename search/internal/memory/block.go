// Package memory is large blocks of memory outside the heap of the garbage
// collector. The collector lets garbage grow to the size of what is in use: with
// a transposition table of 512 MiB in its heap, to another 512 MiB. It neither
// counts nor scans a block.
//
//	block.go          Block: an array in memory of its own
//	region.go         taking pages, zeroing them and giving them back
//	machine.go        how much memory there is to take
//	pages_unix.go     pages from the operating system
//	pages_windows.go  the same
//	pages_other.go    the heap, where there are no pages to have
package memory

import "unsafe"

// Block is an array in memory of its own. Free gives the memory back at once; a
// block that nothing refers to any more is freed by the collector, some time.
//
// The collector does not look into a block: its values must hold no pointers,
// nor anything made of them (slices, maps, strings, interfaces, functions).
type Block[T any] struct {
	region *region
	values []T
}

// New returns a block of n values, all zero. A page takes up memory of the
// machine only once something is written to it. The error says why there is no
// block: more is asked for than the machine has, or the operating system
// refuses.
func New[T any](n int) (*Block[T], error) {
	r, err := newRegion(n, int(unsafe.Sizeof(*new(T))))
	if err != nil {
		return nil, err
	}
	b := &Block[T]{region: r}
	b.view()
	return b, nil
}

// AtMost returns a block of n values or, if there is no memory for it, of half as
// many, and so on.
func AtMost[T any](n int) *Block[T] {
	for ; n > 1; n /= 2 {
		if b, err := New[T](n); err == nil {
			return b
		}
	}
	return &Block[T]{region: new(region), values: make([]T, 1)}
}

// view makes the values those that lie in the region.
func (b *Block[T]) view() {
	first := (*T)(unsafe.Pointer(unsafe.SliceData(b.region.pages)))
	b.values = unsafe.Slice(first, len(b.region.pages)/int(unsafe.Sizeof(*first)))
}

// Values returns the array, which lives until the next Clear or Free, and no
// longer than the block. It is empty after Free.
func (b *Block[T]) Values() []T { return b.values }

// Free gives the memory back. More than one call does no harm.
func (b *Block[T]) Free() {
	b.region.free()
	b.values = nil
}

// Clear makes all values zero, and may put them elsewhere: what Values returned
// before is dead. The less of a large block was written to, the less time it takes.
func (b *Block[T]) Clear() {
	if b.region.refresh() {
		b.view()
		return
	}
	clear(b.values)
}
