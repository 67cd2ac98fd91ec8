package memory

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
)

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
