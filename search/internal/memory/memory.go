// Package memory allocates large arrays outside the garbage-collected heap, for the
// transposition table and the tree. The collector lets garbage grow to the size of
// the live heap: with a transposition table of 512 MiB in the heap, by another 512 MiB.
// It neither counts nor scans a Block. pages_*.go gets the pages from the operating
// system, or from the heap on a system without such a call.
package memory

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

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

// region is pages from the operating system, freed at the latest when nothing
// refers to the region any more.
type region struct{ pages []byte }

// newRegion returns a region of fresh pages for n values of so many bytes each.
func newRegion(n, each int) (*region, error) {
	if n < 1 || each == 0 || n > math.MaxInt/each {
		return nil, fmt.Errorf("no block of %d values of %d bytes", n, each)
	}
	size := n * each
	if most := machine(os.ReadFile); uint64(size) > most {
		return nil, fmt.Errorf("the machine has only %d MiB of memory", most>>20)
	}
	pages, err := takePages(size)
	if err != nil {
		return nil, fmt.Errorf("no memory of %d MiB: %w", size>>20, err)
	}
	r := &region{pages: pages}
	runtime.SetFinalizer(r, (*region).free)
	return r, nil
}

// free gives the pages back. More than one call does no harm.
func (r *region) free() {
	pages := r.pages
	if r.pages = nil; pages != nil {
		freePages(pages)
	}
}

// smallRegion is the size in bytes up to which zeros are written at once. That takes no
// longer than a virtual machine takes to find memory for some ten pages anew: see
// BenchmarkClear.
const smallRegion = 8 << 20

// refresh puts fresh pages, all zero, in the place of those that there are, if
// there are many and most were never written to: that costs the less the fewer
// were, while to write zeros makes the machine find memory for them all. Otherwise
// it leaves the pages, and returns false: zeros are written some twenty times as
// fast as the machine finds memory.
func (r *region) refresh() bool {
	if len(r.pages) <= smallRegion || !mostlyZero(r.pages) {
		return false
	}
	fresh, err := takePages(len(r.pages))
	if err != nil {
		return false
	}
	r.free()
	r.pages = fresh
	return true
}

// How mostlyZero looks at pages.
const (
	pageBytes = 4096
	samples   = 256
)

// zeroPage is a page with nothing on it.
var zeroPage [pageBytes]byte

// mostlyZero tells by a sample whether most pages hold nothing but zeros.
func mostlyZero(pages []byte) bool {
	count := len(pages) / pageBytes
	looks := min(samples, count)
	zero := 0
	for i := range looks {
		at := i * (count / looks) * pageBytes
		if bytes.Equal(pages[at:at+pageBytes], zeroPage[:]) {
			zero++
		}
	}
	return 2*zero > looks
}

// machine returns how many bytes of memory this process could have, as the
// files of Linux tell it: those of the machine, and the limits of the control
// groups that the process is in, of either version. Where there are no such
// files it returns the largest number.
func machine(readFile func(path string) ([]byte, error)) uint64 {
	least := uint64(math.MaxUint64)
	if text, err := readFile("/proc/meminfo"); err == nil {
		if words := strings.Fields(string(text)); len(words) > 1 && words[0] == "MemTotal:" {
			if kibibytes, err := strconv.ParseUint(words[1], 10, 44); err == nil {
				least = kibibytes << 10
			}
		}
	}
	groups, err := readFile("/proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		switch {
		case len(parts) < 3:
		case parts[1] == "":
			least = min(least, groupLimit(readFile, "/sys/fs/cgroup", parts[2], "/memory.max"))
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			least = min(least, groupLimit(readFile, "/sys/fs/cgroup/memory", parts[2], "/memory.limit_in_bytes"))
		}
	}
	return least
}

// groupLimit returns the least limit in bytes that stands in a file of a control
// group or of one above it. A container sees its own group as the topmost one,
// under whatever path.
func groupLimit(readFile func(path string) ([]byte, error), top, group, file string) uint64 {
	least := uint64(math.MaxUint64)
	for group = strings.TrimRight(group, "/"); ; group = group[:strings.LastIndexByte(group, '/')] {
		if text, err := readFile(top + group + file); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				least = min(least, limit)
			}
		}
		if !strings.Contains(group, "/") {
			return least
		}
	}
}
