package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"gyre/cmd/internal/commandline"
)

// hubProgram is the program that serves hubs.
const hubProgram = "gyre-hub"

// runHub runs gyre-hub, which was a part of gyre-arena once. On systems that can, gyre-hub
// replaces this process, so signals and the exit status are its own.
func runHub(args []string, stdout, stderr io.Writer) error {
	path, err := findHub()
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" {
		return fmt.Errorf("%s: %w", path, syscall.Exec(path, append([]string{path}, args...), os.Environ()))
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	command := exec.Command(path, args...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, stdout, stderr
	err = command.Run() // Ctrl-C in the terminal ends it, too
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if status, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%s ended with status %d", hubProgram, status.ExitCode())
	}
	return err
}

// findHub returns the path of gyre-hub, which is next to this program or on the PATH.
func findHub() (string, error) {
	name := hubProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if path := filepath.Join(filepath.Dir(self), name); isFile(path) {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the hub is a separate program, %s, and it is neither next to gyre-arena nor on the PATH: take it from the same release, or build it with `go build ./cmd/%[1]s`", hubProgram)
	}
	return path, nil
}

// isFile reports whether path is a file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
