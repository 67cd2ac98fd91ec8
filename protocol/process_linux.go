package protocol

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithUs has the program killed when the thread that starts it ends, which is
// at the latest when this program does.
func endWithUs(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// onProcessors starts what runs on these processors only, or on those of the
// current thread if there are none named.
func onProcessors(numbers []int, start func() error) error {
	if len(numbers) == 0 {
		return start()
	}
	var before, set unix.CPUSet
	for _, n := range numbers {
		set.Set(n)
	}
	err := unix.SchedGetaffinity(0, &before)
	if err == nil {
		err = unix.SchedSetaffinity(0, &set)
	}
	if err != nil {
		return fmt.Errorf("processors %v: %w", numbers, err)
	}
	return errors.Join(start(), unix.SchedSetaffinity(0, &before))
}
