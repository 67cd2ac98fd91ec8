//go:build unix

package protocol

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group, so that it can be killed
// together with its children.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(command.SysProcAttr)
}

// killGroup kills the program's process group. It ignores a group that has ended.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

// isBusy reports whether a program could not be started because it is open for writing.
func isBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }
