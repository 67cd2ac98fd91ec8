//go:build !unix

package journal

import "os"

// lock does nothing here.
func lock(*os.File) error { return nil }

// unlock does nothing here.
func unlock(*os.File) error { return nil }

// isNotSyncable tells whether an error of Sync says only that this kind of file
// has nothing to sync.
func isNotSyncable(error) bool { return false }

// syncFolder does nothing here: folders cannot be taken to the disk one by one.
func syncFolder(string) error { return nil }
