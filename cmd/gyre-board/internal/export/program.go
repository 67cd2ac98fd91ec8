//go:build !embedded

package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is the package of the program.
const source = "gyre/cmd/gyre-board/wasm"

// ReadProgram builds the program with the go command, in the working directory, which must be
// in Gyre's source. A gyre-board built with the tag embedded contains the program instead.
func ReadProgram(ctx context.Context) (Program, error) {
	var p Program
	if _, err := exec.LookPath("go"); err != nil {
		return p, fmt.Errorf("this gyre-board does not contain the page's program, and there is no go command to build it: use the gyre-board of a release, or install Go: %w", err)
	}
	folder, err := os.MkdirTemp("", "gyre-export-")
	if err != nil {
		return p, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // it is in the system's temporary folder
	file := filepath.Join(folder, "program.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if _, err := output(ctx, build); err != nil {
		return p, fmt.Errorf("this gyre-board does not contain the page's program, and cannot build it here: run gyre-board in the folder of Gyre's source: %w", err)
	}
	if p.Wasm, err = os.ReadFile(file); err != nil {
		return p, err
	}
	root, err := output(ctx, exec.CommandContext(ctx, "go", "env", "GOROOT"))
	if err != nil {
		return p, err
	}
	p.Exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	return p, err
}

// output runs a command. Its error contains the command's standard error.
func output(ctx context.Context, command *exec.Cmd) (string, error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	switch said := strings.TrimSpace(stderr.String()); {
	case err == nil:
		return string(stdout), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case said != "":
		return "", errors.New(said)
	}
	return "", fmt.Errorf("%s: %w", command, err)
}
