//go:build unix

package protocol

import (
	"os/exec"
	"syscall"
)

// ownGroup has the program lead a process group, so that it can be ended
// together with all that it starts.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(command.SysProcAttr)
}

// killGroup ends the program's process group. That none is left is no error.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
