//go:build !unix

package protocol

import "os/exec"

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program. It ignores a program that has ended.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }

// isBusy returns false: only Unix has this error.
func isBusy(error) bool { return false }
