package resources

import (
	"errors"
	"math"

	"golang.org/x/sys/windows"
)

// Space returns how many bytes the disk of a folder has, and how many of them are free for this user.
func Space(folder string) (free, total uint64, err error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &free, &total, nil)
	}
	return free, total, err
}

// OpenFiles returns how many files this process may have open, its connections included; math.MaxInt for any number.
func OpenFiles() int { return math.MaxInt }

// IsFull reports whether an error says that a disk or a quota is full. That may pass.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
