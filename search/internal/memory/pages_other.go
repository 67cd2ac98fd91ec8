//go:build !unix && !windows

package memory

import "errors"

// most is half of what WebAssembly can address.
const most = 1 << 31

// takePages returns memory of the heap, where the collector counts it: garbage
// may grow to the size of the blocks before it runs. What bounds that is how
// little garbage a search leaves.
func takePages(size int) ([]byte, error) {
	if uint64(size) > most {
		return nil, errors.New("more than can be addressed")
	}
	return make([]byte, size), nil
}

// freePages leaves the pages to the collector.
func freePages([]byte) {}
