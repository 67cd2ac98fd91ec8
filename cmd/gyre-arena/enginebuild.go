package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

// builder makes programs of engines from their sources, each once.
type builder struct {
	out  io.Writer            // told of each
	made map[[2]string]string // files, by folder and system
}

// thisSystem is the one that we run on, as Go names it.
const thisSystem = runtime.GOOS + "/" + runtime.GOARCH

// program returns the program of package main in a folder, built for a system such as
// linux/arm64 as releases are: without C, for any processor of that kind, and the same bytes
// from the same sources wherever these are. It stays in the user's cache under its hash.
func (b *builder) program(ctx context.Context, folder, system string) (path string, err error) {
	if path, has := b.made[[2]string{folder, system}]; has {
		return path, nil
	}
	if _, err := fmt.Fprintf(b.out, "building %s for %s\n", folder, system); err != nil {
		return "", err
	}
	if path, err = build(ctx, folder, system); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("building %s for %s: %w", folder, system, err)
	}
	if b.made == nil {
		b.made = map[[2]string]string{}
	}
	b.made[[2]string{folder, system}] = path
	return path, nil
}

// build builds.
func build(ctx context.Context, folder, system string) (string, error) {
	whole, err := filepath.Abs(folder)
	if err == nil {
		_, err = os.ReadDir(whole)
	}
	if err != nil {
		return "", err
	}
	kind, err := runGo(ctx, folder, system, "list", "-f", "{{.Name}}", ".")
	if err == nil && kind != "main" {
		err = fmt.Errorf("it holds the Go package %s, and a program is package main", kind)
	}
	if err != nil {
		return "", err
	}
	cache := defaultCache()
	if cache == "" {
		return "", errors.New("there is no place for it: set HOME, or XDG_CACHE_HOME")
	}
	cache = filepath.Join(cache, "built")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making) // what stays does no harm
	name := folderName(folder)
	if strings.HasPrefix(system, "windows/") {
		name += ".exe"
	}
	made := filepath.Join(making, name)
	if _, err := runGo(ctx, folder, system, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", made, "."); err != nil {
		return "", err
	}
	sum, err := hub.HashOf(made)
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, sum, name)
	if held, err := hub.HashOf(path); err == nil && held == sum {
		return path, nil // it may run somewhere
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.Rename(made, path)
}

// folderName returns the name of a folder, also of the one that we are in.
func folderName(folder string) string {
	whole, err := filepath.Abs(folder)
	if err != nil {
		whole = folder
	}
	return filepath.Base(whole)
}

// longestComplaint bounds what is told of the compiler's, in bytes.
const longestComplaint = 4000

// runGo runs the go command for a system, and returns what it says. The error has what it
// complains of.
func runGo(ctx context.Context, folder, system string, args ...string) (string, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	var output, complaints bytes.Buffer
	command.Stdout, command.Stderr = &output, &complaints
	err := command.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no Go on this machine, which builds it: see https://go.dev/dl")
	}
	if err != nil {
		err = fmt.Errorf("go %s: %w:\n%.*s", args[0], err, longestComplaint, strings.TrimSpace(complaints.String()))
	}
	return strings.TrimSpace(output.String()), err
}

// buildEngines builds those engines of a match that the command line gives by their sources,
// for this machine: once all else is known to be right, as it takes its time.
func (c *contest) buildEngines(m *match.Match, stdout io.Writer) error {
	c.built.out = stdout
	ctx, release := commandline.UntilInterrupted()
	defer release()
	specs, err := c.engines()
	if err != nil {
		return err
	}
	for i := range specs {
		e := &specs[i]
		if len(e.build) == 0 {
			continue
		}
		if e.command[0], err = c.built.program(ctx, e.build[0], thisSystem); err != nil {
			return err
		}
		made, err := e.engine()
		if err != nil {
			return err
		}
		m.Engines[i].Start, m.Engines[i].Build = made.Start, made.Build
	}
	return nil
}

// useBuild gives an engine of sources its command: the program that was built from them, and
// before that the folder in its place.
func (c *contest) useBuild(e *engineSpec) error {
	if len(e.build) == 0 {
		return nil
	}
	if len(e.command) > 0 || e.reference+e.offered != "" {
		return fmt.Errorf("engine %q: build, cmd, reference and offered exclude each other", e.name)
	}
	e.command = slices.Clone(e.build)
	if path, has := c.built.made[[2]string{e.build[0], thisSystem}]; has {
		e.command[0] = path
	}
	return nil
}
