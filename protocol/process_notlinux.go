//go:build !linux

package protocol

import (
	"fmt"
	"runtime"
	"syscall"
)

// endWithUs does nothing.
func endWithUs(*syscall.SysProcAttr) {}

// onProcessors starts what may run on all processors, else it returns an error.
func onProcessors(numbers []int, start func() error) error {
	if len(numbers) == 0 {
		return start()
	}
	return fmt.Errorf("processors %v: programs cannot be kept to some of them on %s", numbers, runtime.GOOS)
}
