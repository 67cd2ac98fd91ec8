//go:build linux || darwin

package resources

import (
	"errors"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Space returns how many bytes the disk of a folder has, and how many of them are free for this user.
func Space(folder string) (free, total uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), nil
}

// OpenFiles returns how many files this process may have open, its connections included; math.MaxInt for any number.
func OpenFiles() int {
	var limit syscall.Rlimit // the runtime has raised it as far as it may
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt
	}
	return int(min(limit.Cur, math.MaxInt))
}

// IsFull reports whether an error says that a disk, a quota or the table of open files is full. That may pass.
func IsFull(err error) bool {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
