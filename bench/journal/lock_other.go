//go:build !unix && !windows

package journal

import "os"

// lock does nothing: this system cannot lock files.
func lock(*os.File) error { return nil }

func unlock(*os.File) error { return nil }
