//go:build !linux

package load

import (
	"fmt"
	"runtime"
)

// processorNumbers returns an error.
func processorNumbers() ([]int, error) {
	return nil, fmt.Errorf("programs cannot be kept to some of the processors on %s, only on Linux", runtime.GOOS)
}
