package enginetest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience is how long Left waits for processes to end: a guard, as they should
// end at once, on however busy a machine.
const patience = time.Minute

// Left returns the ids of the processes that wrote themselves into dir and still
// run after some patience, and how many wrote themselves there at all.
func Left(dir string) (left []int, all int, err error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		left, all, err = running(dir)
		if len(left) == 0 || time.Now().After(deadline) {
			return left, all, err
		}
	}
}

func running(dir string) (left []int, all int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		pid, err := strconv.Atoi(file.Name())
		if err != nil {
			return nil, 0, fmt.Errorf("not the id of a process: %w", err)
		}
		if !ended(pid) {
			left = append(left, pid)
		}
	}
	return left, len(files), nil
}

// ended tells whether a process has ended. One that nobody has reaped counts: in
// a container there may be nobody who does.
func ended(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	process, err := os.FindProcess(pid)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}
