package protocol

import (
	"errors"
	"fmt"
	"math/bits"
	"syscall"
	"unsafe"
)

// endWithUs makes Linux kill the program when the thread that starts it ends, at the
// latest when this program ends.
func endWithUs(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// processorSet is the kernel's cpu_set_t: a bit for each of 1024 processors.
type processorSet [1024 / bits.UintSize]uint

// call calls sched_getaffinity or sched_setaffinity for the current thread. Package
// golang.org/x/sys/unix provides both, but would add 100 kB to every engine, mostly
// debug information about its constants.
func (s *processorSet) call(number uintptr) error {
	if _, _, errno := syscall.RawSyscall(number, 0, unsafe.Sizeof(*s), uintptr(unsafe.Pointer(s))); errno != 0 {
		return errno
	}
	return nil
}

// onProcessors calls start with the current thread limited to the numbered processors.
// If numbers is empty, it does not change the thread.
func onProcessors(numbers []int, start func() error) error {
	if len(numbers) == 0 {
		return start()
	}
	var before, set processorSet
	for _, n := range numbers {
		if word := n / bits.UintSize; n >= 0 && word < len(set) {
			set[word] |= 1 << (n % bits.UintSize)
		}
	}
	err := before.call(syscall.SYS_SCHED_GETAFFINITY)
	if err == nil {
		err = set.call(syscall.SYS_SCHED_SETAFFINITY)
	}
	if err != nil {
		return fmt.Errorf("processors %v: %w", numbers, err)
	}
	return errors.Join(start(), before.call(syscall.SYS_SCHED_SETAFFINITY))
}
