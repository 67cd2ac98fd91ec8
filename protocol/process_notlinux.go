//go:build !linux

package protocol

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
)

// Contain returns errors.ErrUnsupported on this system.
func Contain() error { return errors.ErrUnsupported }

func startContained(start func() error, _ func() int) error { return start() }

func endLeft(int) {}

func endWithUs(*syscall.SysProcAttr) {}

// onProcessors calls start if numbers is empty, and otherwise returns an error.
func onProcessors(numbers []int, start func() error) error {
	if len(numbers) == 0 {
		return start()
	}
	return fmt.Errorf("processors %v: programs cannot be limited to processors on %s", numbers, runtime.GOOS)
}
