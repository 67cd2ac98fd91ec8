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

// Block is an array outside the garbage-collected heap. Free releases the memory at
// once. The collector frees an unreachable block eventually.
//
// The collector does not scan a block, so its values must not contain pointers,
// slices, maps, strings, interfaces or functions.
type Block[T any] struct {
	region *region
	values []T
}

// New returns a block of n zero values. A page takes up physical memory only after it
// is written to. New returns an error if the machine does not have that much memory,
// or if the operating system refuses.
func New[T any](n int) (*Block[T], error) {
	r, err := newRegion(n, int(unsafe.Sizeof(*new(T))))
	if err != nil {
		return nil, err
	}
	b := &Block[T]{region: r}
	b.view()
	return b, nil
}

// AtMost returns a block of n values. If there is not enough memory, it tries half as
// many, and so on.
func AtMost[T any](n int) *Block[T] {
	for ; n > 1; n /= 2 {
		if b, err := New[T](n); err == nil {
			return b
		}
	}
	return &Block[T]{region: new(region), values: make([]T, 1)}
}

// view makes values refer to the region.
func (b *Block[T]) view() {
	first := (*T)(unsafe.Pointer(unsafe.SliceData(b.region.pages)))
	b.values = unsafe.Slice(first, len(b.region.pages)/int(unsafe.Sizeof(*first)))
}

// Values returns the array. It is valid until the next Clear or Free, and only while
// the block is reachable. It is empty after Free.
func (b *Block[T]) Values() []T { return b.values }

// Free frees the memory. It can be called repeatedly.
func (b *Block[T]) Free() {
	b.region.free()
	b.values = nil
}

// Clear sets all values to zero. It may move them, so earlier results of Values
// become invalid. For a large block, Clear is faster the less of it was written.
func (b *Block[T]) Clear() {
	if b.region.refresh() {
		b.view()
		return
	}
	clear(b.values)
}

// region is a set of pages from the operating system. They are freed at the latest
// after the region becomes unreachable.
type region struct{ pages []byte }

// newRegion returns a region of new pages for n values of the given size.
func newRegion(n, each int) (*region, error) {
	if n < 1 || each == 0 || n > math.MaxInt/each {
		return nil, fmt.Errorf("cannot allocate %d values of %d bytes", n, each)
	}
	size := n * each
	if limit := machine(os.ReadFile); uint64(size) > limit {
		return nil, fmt.Errorf("the machine has only %d MiB of memory", limit>>20)
	}
	pages, err := takePages(size)
	if err != nil {
		return nil, fmt.Errorf("no memory of %d MiB: %w", size>>20, err)
	}
	r := &region{pages: pages}
	runtime.SetFinalizer(r, (*region).free)
	return r, nil
}

// free frees the pages. It can be called repeatedly.
func (r *region) free() {
	pages := r.pages
	if r.pages = nil; pages != nil {
		freePages(pages)
	}
}

// smallRegion is the size in bytes up to which refresh always writes zeros. That
// takes no longer than a virtual machine takes to allocate some ten pages; see
// BenchmarkClear.
const smallRegion = 8 << 20

// refresh replaces the pages with new zero pages if the region is large and most
// pages were never written. The cost grows with the number of written pages, whereas
// writing zeros would allocate memory for all of them. Otherwise refresh keeps the
// pages and returns false: writing zeros is some twenty times as fast as allocating
// memory.
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

// The sampling of mostlyZero.
const (
	pageBytes = 4096
	samples   = 256
)

// zeroPage is a page of zeros.
var zeroPage [pageBytes]byte

// mostlyZero estimates from a sample whether most pages contain only zeros.
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

// machine returns the number of bytes of memory that this process can use, according
// to files of Linux: the memory of the machine, and the limits of the process's
// control groups (versions 1 and 2). Without these files it returns the largest
// number.
func machine(readFile func(path string) ([]byte, error)) uint64 {
	lowest := uint64(math.MaxUint64)
	if text, err := readFile("/proc/meminfo"); err == nil {
		if words := strings.Fields(string(text)); len(words) > 1 && words[0] == "MemTotal:" {
			if kibibytes, err := strconv.ParseUint(words[1], 10, 44); err == nil {
				lowest = kibibytes << 10
			}
		}
	}
	groups, err := readFile("/proc/self/cgroup")
	if err != nil {
		return lowest
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		switch {
		case len(parts) < 3:
		case parts[1] == "":
			lowest = min(lowest, groupLimit(readFile, "/sys/fs/cgroup", parts[2], "/memory.max"))
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			lowest = min(lowest, groupLimit(readFile, "/sys/fs/cgroup/memory", parts[2], "/memory.limit_in_bytes"))
		}
	}
	return lowest
}

// groupLimit returns the lowest limit in bytes in the given file of a control group
// and the groups above it. A container sees its own group as the topmost one,
// whatever its path.
func groupLimit(readFile func(path string) ([]byte, error), top, group, file string) uint64 {
	lowest := uint64(math.MaxUint64)
	for group = strings.TrimRight(group, "/"); ; group = group[:strings.LastIndexByte(group, '/')] {
		if text, err := readFile(top + group + file); err == nil {
			if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				lowest = min(lowest, limit)
			}
		}
		if !strings.Contains(group, "/") {
			return lowest
		}
	}
}
