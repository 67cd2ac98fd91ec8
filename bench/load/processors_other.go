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

// machineProcessors returns 0: threads are not counted here.
func machineProcessors() int { return 0 }

// runnableThreads returns 0: threads are not counted here.
func runnableThreads() int { return 0 }
