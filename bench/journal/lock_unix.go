//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file for this process until it is unlocked or closed. It fails if
// another process holds the lock.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// unlock releases the lock, even if a child process that is just starting still
// shares the file descriptor.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// isNotSyncable reports whether an error of Sync only says that files of this type
// cannot be synced.
func isNotSyncable(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

// withoutWaiting is the flag with which opening a pipe does not wait for a reader.
const withoutWaiting = syscall.O_NONBLOCK

// isWithoutReader reports whether an error says that nobody reads from a pipe.
func isWithoutReader(err error) bool { return errors.Is(err, syscall.ENXIO) }

// syncFolder syncs the names in a folder, so that a new file survives a power
// failure.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return nil // the folder may be writable but not readable
	}
	err = folder.Sync()
	if isNotSyncable(err) || errors.Is(err, os.ErrPermission) {
		err = nil // not supported by this file system
	}
	return errors.Join(err, folder.Close())
}
