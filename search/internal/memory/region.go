package memory

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
)

// region is pages from the operating system, freed at the latest when nothing
// refers to the region any more.
type region struct {
	pages   []byte
	cleanup runtime.Cleanup
}

// newRegion returns a region of fresh pages.
func newRegion(size int) (*region, error) {
	if most := machine(os.ReadFile); uint64(size) > most {
		return nil, fmt.Errorf("the machine has only %d MiB of memory", most>>20)
	}
	pages, err := takePages(size)
	if err != nil {
		return nil, fmt.Errorf("no memory of %d MiB: %w", size>>20, err)
	}
	r := new(region)
	r.own(pages)
	return r, nil
}

// own makes the pages those of the region.
func (r *region) own(pages []byte) {
	r.pages = pages
	r.cleanup = runtime.AddCleanup(r, freePages, pages)
}

// free gives the pages back.
func (r *region) free() {
	pages := r.pages
	if r.pages = nil; pages != nil {
		r.cleanup.Stop()
		freePages(pages)
	}
}

// refresh puts fresh pages, all zero, in the place of those that there are, if
// most of these were never written to: that costs the less the fewer were,
// while to write zeros makes the machine find memory for them all. Otherwise it
// leaves the pages, and returns false: zeros are written some twenty times as
// fast as the machine finds memory.
func (r *region) refresh() bool {
	if !mostlyZero(r.pages) {
		return false
	}
	fresh, err := takePages(len(r.pages))
	if err != nil {
		return false
	}
	r.free()
	r.own(fresh)
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
