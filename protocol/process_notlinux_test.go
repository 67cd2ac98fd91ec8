//go:build unix && !linux

package protocol

import "syscall"

// gone reports whether a process has ended.
func gone(pid int) bool { return syscall.Kill(pid, 0) != nil }
