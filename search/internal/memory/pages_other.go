//go:build !unix && !windows

package memory

import "errors"

// maxBytes is half of the address space of WebAssembly.
const maxBytes = 1 << 31

// takePages returns memory from the heap, which the collector counts: garbage may
// grow to the size of the blocks before it runs. A search produces little garbage.
func takePages(size int) ([]byte, error) {
	if uint64(size) > maxBytes {
		return nil, errors.New("more than can be addressed")
	}
	return make([]byte, size), nil
}

// freePages leaves the pages to the collector.
func freePages([]byte) {}
