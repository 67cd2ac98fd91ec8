//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"gyre/cmd/internal/commandline"
)

// TestCtrlC checks the exit status of a board in its own process after SIGINT.
func TestCtrlC(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, "-open=false")
	command.Env = append(os.Environ(), boardVariable+"=1")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "The board is at http://127.0.0.1:") {
		t.Errorf("it says %q, %v", line, err)
	}
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	_ = command.Wait() // the process state contains the status
	if status := command.ProcessState.ExitCode(); status != commandline.ExitInterrupted {
		t.Errorf("it ends with status %d", status)
	}
}
