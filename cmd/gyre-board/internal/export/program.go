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

// source is the program's package.
const source = "gyre/cmd/gyre-board/wasm"

// ReadProgram builds the program with the go tool, which has to be there, as has Gyre's
// source in the working directory. Programs that are built with the tag embedded have it
// in them.
func ReadProgram(ctx context.Context) (Program, error) {
	var p Program
	if _, err := exec.LookPath("go"); err != nil {
		return p, fmt.Errorf("the page's program is not in this gyre-board, and there is no go tool to build it: take the gyre-board of a release, or install Go: %w", err)
	}
	folder, err := os.MkdirTemp("", "gyre-export-")
	if err != nil {
		return p, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // the system removes what is left there
	file := filepath.Join(folder, "program.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if _, err := output(ctx, build); err != nil {
		return p, fmt.Errorf("the page's program is not in this gyre-board, and cannot be built here: run it in the folder of Gyre's source: %w", err)
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

// output runs a command; its error holds what the command said of it.
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
