//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/journal"
	"gyre/cmd/internal/commandline"
)

// hanging starts a match and waits until an engine hangs in it and ignores everything. The engine,
// another process, reports that in a file, which has no portable event.
func hanging(t *testing.T, a *arena, flags ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	command, output := a.command(append([]string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Hangs),
		"-nodes", "1", "-pairs", "5", "-opening-bound", "0", "-out", "games.jsonl", "-turn-patience", "1h"}, flags...)...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(a.pids, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if note, err := os.ReadFile(path); err == nil && string(note) == "hangs" {
				return command, output
			}
		}
	}
	t.Fatalf("no engine hangs: %s", output)
	return nil, nil
}

// TestInterruptedMatch sends each signal that a terminal or system sends. The arena ends
// its engines, and prints the result and the command that resumes the match.
func TestInterruptedMatch(t *testing.T) {
	t.Parallel()
	for name, signals := range map[string][]syscall.Signal{
		"Ctrl-C":                        {syscall.SIGINT},
		"a request to end":              {syscall.SIGTERM},
		"a terminal that closes":        {syscall.SIGHUP},
		"a terminal that closes, again": {syscall.SIGHUP, syscall.SIGHUP},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(signals, syscall.SIGHUP) && signal.Ignored(syscall.SIGHUP) {
				t.Skip("the tests ignore SIGHUP, as under nohup, and so does the match")
			}
			a := newArena(t)
			command, output := hanging(t, a)
			for _, s := range signals {
				if err := command.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				waitForDelivery(t, command.Process.Pid, s) // or the system merges the next one with it
			}
			if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
				t.Errorf("%v: %s", err, output)
			}
			for _, want := range []string{"new against old, ", "resume with:\n  ", "-out games.jsonl"} {
				if !strings.Contains(output.String(), want) {
					t.Errorf("%q is missing in:\n%s", want, output)
				}
			}
		})
	}
}

// TestRejectedStart starts a match again while it runs. The second start is rejected and takes
// nothing from the files of the first.
func TestRejectedStart(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]string{"the same files": "", "another -out": "games.jsonl", "another -trace": "trace", "another -json": "result.json"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			command, output := hanging(t, a, "-trace", "trace", "-json", "result.json")
			args := slices.Clone(command.Args[1:])
			args[slices.Index(args, "1h")] = "1s" // if it is not rejected
			if at := slices.Index(args, other); at >= 0 {
				args[at] = "other"
			}
			second, status := a.run(args...)
			if status != commandline.ExitFailure || !strings.Contains(second, journal.ErrLocked.Error()) {
				t.Errorf("the second start: status %d: %s", status, second)
			}
			if _, err := os.Stat(filepath.Join(a.dir, "result.json")); err == nil {
				t.Error("the second start wrote a summary")
			}
			if err := command.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
				t.Errorf("%v: %s", err, output)
			}
			trace := readText(t, filepath.Join(a.dir, "trace"))
			if strings.Count(trace, traceMark) != 1 || !strings.Contains(trace, "old > go ") {
				t.Errorf("a trace of %d bytes: %.200s", len(trace), trace)
			}
			readText(t, filepath.Join(a.dir, "result.json"))
		})
	}
}

// TestStoppedMatch stops the arena in a game, for longer than the engines have for a turn, as
// Ctrl-Z does, and continues it. No engine loses on time.
func TestStoppedMatch(t *testing.T) {
	t.Parallel()
	const turn = 2 * time.Second
	a := newArena(t)
	command, output := a.command("match", "-engine", a.engine("new", enginetest.Slow), "-engine", a.engine("old", enginetest.Slow),
		"-movetime", turn.String(), "-pairs", "2", "-max-turns", "60", "-opening-bound", "0", "-out", "games.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitForGrowth(t, filepath.Join(a.dir, "games.jsonl"), 1)
	for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(turn * 5 / 4) // the process that is stopped has no other clock
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for number, game := range a.games("games.jsonl") {
		if game.Reason.Fault() {
			t.Errorf("game %d: %v: %s\n%s", number, game.Reason, game.Detail, output)
		}
	}
}

// waitForDelivery waits until a signal to a process is no longer pending, or the process has ended, which leaves it
// pending. Only Linux says so; elsewhere it returns at once.
func waitForDelivery(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil || strings.Contains(string(status), "State:\tZ") {
			return
		}
		_, rest, _ := strings.Cut(string(status), "ShdPnd:")
		word, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		pending, err := strconv.ParseUint(word, 16, 64)
		if err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		if pending&(1<<(s-1)) == 0 {
			return
		}
		runtime.Gosched()
	}
}

// TestNoHangup starts the arena with nohup: it outlives its terminal.
func TestNoHangup(t *testing.T) {
	t.Parallel()
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Skip(err)
	}
	a := newArena(t)
	command, output := a.command()
	command.Args = []string{nohup, command.Path, "match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "5", "-opening-bound", "0", "-out", "games.jsonl"}
	command.Path = nohup
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitForGrowth(t, filepath.Join(a.dir, "games.jsonl"), 1)
	_ = command.Process.Signal(syscall.SIGHUP)
	if err := command.Wait(); err != nil || !strings.Contains(output.String(), "10 games in 5 pairs") {
		t.Errorf("%v: %s", err, output)
	}
}

// TestKilledArena kills the arena: on Linux its engines end with it, even those that never
// read their input.
func TestKilledArena(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends children with their parent")
	}
	a := newArena(t) // its cleanup looks for engines left
	command, _ := hanging(t, a)
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
}
