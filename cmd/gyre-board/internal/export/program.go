//go:build !embedded

package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Packages that make what an exported page needs.
const (
	programSource = "gyre/cmd/gyre-board/wasm"
	bundleSource  = "gyre/cmd/gyre-board/bundle"
)

// ReadProgram builds the board's program for WebAssembly with the go command, in the working
// directory, which must be in Gyre's source. It writes into the folder. A gyre-board built with
// the tag embedded contains the program instead.
func ReadProgram(ctx context.Context, folder string) ([]byte, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("this gyre-board does not contain the page's program, and there is no go command to build it: use the gyre-board of a release, or install Go: %w", err)
	}
	file := filepath.Join(folder, "program.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, programSource)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if err := run(ctx, build); err != nil {
		return nil, fmt.Errorf("this gyre-board does not contain the page's program, and cannot build it here: run gyre-board in the folder of Gyre's source: %w", err)
	}
	return os.ReadFile(file)
}

// Bundle bundles a page with the go command, as ReadProgram builds the program. It writes into
// the folder and returns the bundled page there.
func Bundle(ctx context.Context, page fs.FS, folder string) (fs.FS, error) {
	from, to := filepath.Join(folder, "page"), filepath.Join(folder, "bundle")
	if err := os.CopyFS(from, page); err != nil {
		return nil, err
	}
	if err := run(ctx, exec.CommandContext(ctx, "go", "run", bundleSource, from, to)); err != nil {
		return nil, fmt.Errorf("cannot bundle the page: %w", err)
	}
	return os.DirFS(to), nil
}

// run runs a command. Its error contains the command's standard error.
func run(ctx context.Context, command *exec.Cmd) error {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	switch err, said := command.Run(), strings.TrimSpace(stderr.String()); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case said != "":
		return errors.New(said)
	default:
		return fmt.Errorf("%s: %w", command, err)
	}
}
