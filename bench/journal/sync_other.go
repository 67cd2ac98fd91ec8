//go:build !unix

package journal

// isNotSyncable reports whether an error of Sync only says that files of this type
// cannot be synced.
func isNotSyncable(error) bool { return false }

// withoutWaiting is no flag: this system has no pipes among its files.
const withoutWaiting = 0

// isWithoutReader reports whether an error says that nobody reads from a pipe.
func isWithoutReader(error) bool { return false }

// syncFolder does nothing: this system cannot sync a folder.
func syncFolder(string) error { return nil }
