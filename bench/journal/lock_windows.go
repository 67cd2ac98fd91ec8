package journal

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks the file for this process until it is unlocked or closed. It fails if
// another process holds the lock. The locked byte is far beyond the end of the file:
// Windows lets no other process read locked bytes.
func lock(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, lockedByte())
}

// unlock releases the lock at once. Windows may release that of a closed file later.
func unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, lockedByte())
}

// lockedByte returns the place of the byte that is locked.
func lockedByte() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: math.MaxInt32} }
