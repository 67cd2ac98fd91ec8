//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other processes from locking the file, as long as it is open.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// unlock lets go of the lock also where a program that is just being started
// holds the file for a moment more.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// isNotSyncable tells whether an error of Sync says only that this kind of file
// has nothing to sync.
func isNotSyncable(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

// syncFolder takes the names in a folder to the disk, so that a file that was
// just begun is still there after a power failure.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return nil // a folder that cannot be read can hold files all the same
	}
	err = folder.Sync()
	if isNotSyncable(err) || errors.Is(err, os.ErrPermission) {
		err = nil // some file systems cannot
	}
	return errors.Join(err, folder.Close())
}
