package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/match"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	enginetest.Parallel()
	os.Exit(m.Run())
}

// executable returns the path of a program of this project. If the tests have the race detector, so has the program.
func executable(t *testing.T, name string) string {
	t.Helper()
	var flags []string
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		flags = append(flags, "-race")
	}
	path, err := enginetest.Build("gyre/"+name, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// arena is a folder with engines, in which tests run gyre-arena as a program.
type arena struct {
	t    *testing.T
	dir  string
	pids string
}

func newArena(t *testing.T) *arena {
	a := &arena{t: t, dir: t.TempDir(), pids: t.TempDir()}
	t.Cleanup(func() {
		if left, _, err := enginetest.Left(a.pids); err != nil || len(left) > 0 {
			t.Errorf("processes %v left behind, %v", left, err)
		}
	})
	return a
}

// engine returns the value of -engine for a test engine.
func (a *arena) engine(name, kind string) string {
	a.t.Helper()
	path, err := enginetest.Script(a.dir, kind, a.pids)
	if err != nil {
		a.t.Skip(err)
	}
	return "name=" + name + " cmd=" + path
}

// command returns gyre-arena with its arguments, not yet started.
func (a *arena) command(args ...string) (command *exec.Cmd, output *bytes.Buffer) {
	a.t.Helper()
	if slices.Contains(args, "-concurrency") { // whatever the machine of the test has
		args = append(args, "-oversubscribe")
	}
	command = exec.Command(executable(a.t, "cmd/gyre-arena"), args...)
	command.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // with the race detector it would end a second later
	command.Dir = a.dir
	output = &bytes.Buffer{}
	command.Stdout, command.Stderr = output, output
	return command, output
}

// run runs gyre-arena to its end, and returns its output and exit status.
func (a *arena) run(args ...string) (string, int) {
	a.t.Helper()
	command, output := a.command(args...)
	err := command.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		a.t.Fatal(err)
	}
	return output.String(), command.ProcessState.ExitCode()
}

// games returns the games of a file by number. It fails if one is there twice.
func (a *arena) games(name string) map[int]*match.Line {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		a.t.Fatal(err)
	}
	games := map[int]*match.Line{}
	if _, err := match.ReadLines(bytes.NewReader(text), name, false, func(l *match.Line) error {
		if games[l.Game] != nil {
			return fmt.Errorf("game %d twice", l.Game)
		}
		games[l.Game] = l
		return nil
	}); err != nil {
		a.t.Fatal(err)
	}
	return games
}

var sameGames = cmp.Options{cmpopts.IgnoreFields(match.Line{}, "Began", "Seconds", "Setup"), cmpopts.IgnoreFields(match.TurnLine{}, "MS")}

// readText returns the contents of a file.
func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
