package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/hub"
	"gyre/bench/hub/server"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

// arenaVariable, in the environment, makes the test binary run as gyre-arena.
const arenaVariable = "GYRE_TEST_ARENA"

// tunableVariable makes it run as gyre -tune.
const tunableVariable = "GYRE_TEST_TUNABLE"

// hubProgram is the name under which the test binary runs as gyre-hub.
const hubProgram = "gyre-hub"

func TestMain(m *testing.M) {
	enginetest.Play()
	if os.Getenv(tunableVariable) != "" {
		if protocol.NewServer(engine.NewTunable(), os.Stdin, os.Stdout).Serve() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if filepath.Base(os.Args[0]) == hubProgram {
		os.Exit(serveHub())
	}
	// A hub's worker passes no environment to its programs.
	if os.Getenv(arenaVariable) != "" || len(os.Args) > 1 && os.Args[1] == "range" {
		main()
	}
	enginetest.Parallel()
	os.Exit(m.Run())
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
	path, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	if slices.Contains(args, "-concurrency") { // whatever the machine of the test has
		args = append(args, "-oversubscribe")
	}
	command = exec.Command(path, args...)
	command.Env = append(os.Environ(), arenaVariable+"=1", "GORACE=atexit_sleep_ms=0") // with the race detector it would end a second later
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

// serveHub is gyre-hub in the test's binary, with the flags -store and -listen.
func serveHub() int {
	flags := flag.NewFlagSet(hubProgram, flag.ExitOnError)
	store, listen := flags.String("store", "", ""), flags.String("listen", "", "")
	_ = flags.Parse(os.Args[1:])
	ctx, release := commandline.UntilInterrupted()
	defer release()
	s, err := server.Start(ctx, server.Config{Store: *store, Listen: *listen})
	if err == nil {
		fmt.Println("the hub is at", s.URL())
		var h *hub.Hub
		if h, err = hub.Connect(ctx, hub.Address{Server: s}); err == nil {
			go func() {
				_ = (&hub.Controller{Hub: h, Door: s, Store: *store, Warn: func(err error) { fmt.Fprintln(os.Stderr, err) }}).Run(ctx) // until this process ends
			}()
		}
		select {
		case err = <-s.Failed():
		case <-ctx.Done():
		}
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return commandline.ExitFailure
	}
	return commandline.ExitInterrupted
}
