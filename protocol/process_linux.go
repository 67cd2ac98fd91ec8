package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// contained holds the programs that run, if Contain was called.
var contained struct {
	on atomic.Bool
	// starting is read-locked from the start of a program until running has it.
	starting sync.RWMutex
	mu       sync.Mutex
	running  map[int]bool // by process number
}

// prSetChildSubreaper is an option of prctl that package syscall lacks on some architectures.
const prSetChildSubreaper = 36

// Contain makes the end of each Program also end every process that it has left behind, in whatever
// session, and hides the environment and the memory of this process from programs of the same user.
// A process whose parent has ended while its program runs may end before the program does. All child
// processes must be started by this package. It works on Linux only; elsewhere the error is
// errors.ErrUnsupported.
func Contain() error {
	for option, value := range map[uintptr]uintptr{prSetChildSubreaper: 1, syscall.PR_SET_DUMPABLE: 0} {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, option, value, 0); errno != 0 {
			return errno
		}
	}
	contained.running = map[int]bool{}
	contained.on.Store(true)
	return nil
}

// startContained starts a program and notes its process.
func startContained(start func() error, pid func() int) error {
	if !contained.on.Load() {
		return start()
	}
	contained.starting.RLock()
	defer contained.starting.RUnlock()
	err := start()
	if err == nil {
		contained.mu.Lock()
		defer contained.mu.Unlock()
		contained.running[pid()] = true
	}
	return err
}

// endLeft ends what a program that has ended left behind: this process is the parent of it now.
func endLeft(pid int) {
	if !contained.on.Load() {
		return
	}
	contained.starting.Lock()
	defer contained.starting.Unlock()
	contained.mu.Lock()
	defer contained.mu.Unlock()
	delete(contained.running, pid)
	for {
		left := children()
		ended := 0
		for _, child := range left {
			if !contained.running[child] {
				_ = syscall.Kill(child, syscall.SIGKILL) // it may have ended
				_, _ = syscall.Wait4(child, nil, 0, nil)
				ended++
			}
		}
		if ended == 0 { // otherwise their children are ours now
			return
		}
	}
}

// children returns the child processes of this one.
func children() (all []int) {
	folders, _ := os.ReadDir("/proc") // without it nothing is found
	for _, folder := range folders {
		pid, err := strconv.Atoi(folder.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + folder.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// The name in parentheses may have anything in it; the state and the parent follow.
		words := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(words) > 1 && string(words[1]) == strconv.Itoa(os.Getpid()) {
			all = append(all, pid)
		}
	}
	return all
}

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
