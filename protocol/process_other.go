//go:build !unix

package protocol

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the program. That it has ended already is no error.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
