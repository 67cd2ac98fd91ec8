package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/shellwords"
)

// arenaVariable has the test's binary, started again, run as gyre-arena.
const arenaVariable = "GYRE_TEST_ARENA"

func TestMain(m *testing.M) {
	enginetest.Play()
	if os.Getenv(arenaVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// arena is a folder with engines to run gyre-arena in, as a program.
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

// command is gyre-arena with its arguments, not yet started.
func (a *arena) command(args ...string) (command *exec.Cmd, output *bytes.Buffer) {
	a.t.Helper()
	path, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	command = exec.Command(path, args...)
	command.Env = append(os.Environ(), arenaVariable+"=1")
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

// games returns the games of a file by number, each once.
func (a *arena) games(name string) map[int]*match.Line {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		a.t.Fatal(err)
	}
	games := map[int]*match.Line{}
	if _, err := match.ReadLines(bytes.NewReader(text), name, func(l *match.Line) error {
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

var sameGames = cmp.Options{cmpopts.IgnoreFields(match.Line{}, "Began", "Seconds"), cmpopts.IgnoreFields(match.TurnLine{}, "MS")}

// TestMatchCommand plays a match and checks what is printed, and that the
// printed command does the same again.
func TestMatchCommand(t *testing.T) {
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good) + " nodes=7",
		"-each", "option.Hash=2", "-nodes", "1", "-games", "6", "-concurrency", "2", "-opening-bound", "0", "-out", "first.jsonl", "-trace", "trace"}
	output, status := a.run(args...)
	if status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	for _, want := range []string{"new against old, 6 games in 3 pairs", "LOS", "games go to first.jsonl", "ends "} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is missing in:\n%s", want, output)
		}
	}
	games := a.games("first.jsonl")
	if len(games) != 6 || games[0].Limits != [2]string{"nodes=1", "nodes=7"} {
		t.Errorf("%d games, %+v", len(games), games[0])
	}
	trace, err := os.ReadFile(filepath.Join(a.dir, "trace"))
	if err != nil || !strings.Contains(string(trace), "new > setoption name Hash value 2") {
		t.Errorf("trace of %d bytes, %v", len(trace), err)
	}
	var again string
	for line := range strings.Lines(output) {
		if command, found := strings.CutPrefix(line, "  gyre-arena "); found {
			again = command
		}
	}
	words, err := shellwords.Split(again)
	if err != nil {
		t.Fatal(err)
	}
	if output, status := a.run(append(words, "-out", "second.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(games, a.games("second.jsonl"), sameGames); diff != "" {
		t.Errorf("repeated: %s", diff)
	}
	if output, status := a.run("report", "first.jsonl", "-o", "page.html", "-elo0", "0", "-elo1", "5"); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	if page, err := os.ReadFile(filepath.Join(a.dir, "page.html")); err != nil || !strings.Contains(string(page), "new against old") {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	for _, wrong := range [][]string{{"report", "-o", "page.html"}, {"report", "missing.jsonl"}, {"report", "trace", "-o", "x"}, {"report", "first.jsonl", "-elo1", "-5"}} {
		if output, status := a.run(wrong...); status == commandline.ExitSuccess {
			t.Errorf("%v: %s", wrong, output)
		}
	}
}

// TestConfigFiles plays the same from flags, from TOML and from JSON.
func TestConfigFiles(t *testing.T) {
	a := newArena(t)
	first, second := a.engine("new", enginetest.Good), a.engine("old", enginetest.Good)
	path := func(spec string) string { return strings.SplitN(spec, "cmd=", 2)[1] }
	files := map[string]string{
		"match.toml": "games = 2\nnodes = 3\nopening-bound = 0\nsprt = [0, 10]\nmargin = \"5ms\"\nadjudicate-win = \"900,3\"\neach = {option = {Hash = 4}}\n" +
			"[[engine]]\nname = \"new\"\ncmd = \"" + path(first) + "\"\n[[engine]]\nname = \"old\"\ncmd = \"" + path(second) + "\"\n",
		"match.json": `{"games": 2, "nodes": 3, "opening-bound": 0, "sprt": "0,10", "margin": "5ms", "adjudicate-win": [900, 3], "each": "option.Hash=4",
			"engine": ["` + first + `", {"name": "old", "cmd": "` + path(second) + `"}]}`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{"match", "-engine", first, "-engine", second, "-each", "option.Hash=4", "-games", "2", "-nodes", "3", "-opening-bound", "0",
		"-sprt", "0,10", "-margin", "5ms", "-adjudicate-win", "900,3", "-out", "flags.jsonl"}
	for _, args := range [][]string{flags, {"match", "-config", "match.toml", "-out", "toml.jsonl"}, {"match", "-config", "match.json", "-out", "json.jsonl"}} {
		if output, status := a.run(args...); status != commandline.ExitSuccess || !strings.Contains(output, "-adjudicate-win 900,3") {
			t.Fatalf("%v: status %d: %s", args, status, output)
		}
	}
	want := a.games("flags.jsonl")
	for _, name := range []string{"toml.jsonl", "json.jsonl"} {
		if diff := cmp.Diff(want, a.games(name), sameGames); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, text := range map[string]string{"unknown.toml": "gmes = 2", "broken.toml": "games =", "wrong.json": `{"games": "two"}`, "inner.toml": `config = "x"`} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if output, status := a.run("match", "-config", name); status != commandline.ExitUsage || !strings.Contains(output, name) {
			t.Errorf("%s: status %d: %s", name, status, output)
		}
	}
}

// TestKilledMatch kills the arena in mid-match, as often as it takes, cuts the
// last line off in the middle, and goes on: the games are those of a match that
// nobody killed, none twice.
func TestKilledMatch(t *testing.T) {
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out"}
	if output, status := a.run(append(args, "whole.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	path := filepath.Join(a.dir, "killed.jsonl")
	for kills := range 3 {
		command, output := a.command(append(args, "killed.jsonl")...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitForGrowth(path, int64(kills+1)*10_000)
		_ = command.Process.Kill()
		_ = command.Wait()
		if info, err := os.Stat(path); err != nil {
			t.Fatalf("%v: %s", err, output)
		} else if err := os.Truncate(path, info.Size()-20); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(append(args, "killed.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "going on after") {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("whole.jsonl"), a.games("killed.jsonl"), sameGames); diff != "" {
		t.Error(diff)
	}
}

// waitForGrowth waits until a file has so many bytes, or for some seconds.
func waitForGrowth(path string, size int64) {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
}

// TestInterruptedMatch interrupts the arena, as Ctrl-C does: it ends its engines
// and prints how to go on.
func TestInterruptedMatch(t *testing.T) {
	a := newArena(t)
	command, output := a.command("match", "-engine", a.engine("new", enginetest.Slow), "-engine", a.engine("old", enginetest.Hangs),
		"-nodes", "1", "-pairs", "5", "-concurrency", "2", "-opening-bound", "0", "-out", "games.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if files, err := os.ReadDir(a.pids); err == nil && len(files) == 4 {
			break
		}
	}
	time.Sleep(50 * time.Millisecond)
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
		t.Errorf("%v: %s", err, output)
	}
	if !strings.Contains(output.String(), "to go on:\n  gyre-arena match ") || !strings.Contains(output.String(), "-out games.jsonl") {
		t.Errorf("output: %s", output)
	}
}

// TestFullDisk has no room for games.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "50", "-opening-bound", "0", "-out", "/dev/full")
	if status != commandline.ExitFailure || !strings.Contains(output, "no space left on device") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestFaultyMatches has misbehaving engines lose their games for the right reason,
// and the match go on to its end. Package game tests all ways to misbehave.
func TestFaultyMatches(t *testing.T) {
	for kind, want := range map[string]string{
		enginetest.Exits:   "start failure 2",
		enginetest.Hangs:   "stall 2",
		enginetest.Illegal: "illegal turn 2",
		"nowhere":          "start failure 2",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			bad := a.engine("bad", kind)
			if kind == "nowhere" {
				bad = "name=bad cmd=./nowhere"
			}
			output, status := a.run("match", "-engine", bad, "-engine", a.engine("good", enginetest.Good), "-pairs", "1", "-nodes", "1",
				"-opening-bound", "0", "-turn-patience", "1s", "-stop-patience", "300ms", "-out", "games.jsonl", "-concurrency", "2")
			if status != commandline.ExitSuccess || !strings.Contains(output, "faults  of bad: "+want) || !strings.Contains(output, "LL 1,") {
				t.Errorf("status %d: %s", status, output)
			}
		})
	}
}

func TestMatchRefuses(t *testing.T) {
	const two = "match -engine cmd=a -engine cmd=b "
	for _, test := range []struct{ line, message string }{
		{"match", "a match is of two engines: give -engine twice"},
		{two, "how many games? Give -pairs or -games"},
		{two + "-pairs 1", "engine a: no limit of time, nodes or depth"},
		{two + "-games 3 -nodes 1", "-pairs and -games are positive, and -games is even: each opening is played with both colours"},
		{two + "-games 2 -pairs 1 -nodes 1", "-pairs and -games exclude each other"},
		{two + "-sprt 0 -nodes 1", `-sprt "0": not ELO0,ELO1`},
		{two + "-sprt 5,0 -nodes 1", "elo0 5: not below elo1 0"},
		{two + "-pairs 1 -nodes 1 -concurrency 0", "concurrency 0: not at least 1"},
		{two + "-pairs 1 -nodes 1 -opening-moves 99", "99 moves after the rings are placed: not from 0 to 20"},
		{two + "-pairs 1 -nodes 1 -each speed=1", `-each: "speed": no such key of an engine`},
		{two + "-pairs 1 -nodes 1 -progress loud", `-progress "loud": none of auto, bar, lines, none`},
		{two + "-pairs 1 -nodes x", `invalid value "x" for flag -nodes: nodes "x": invalid syntax`},
		{"match -engine cmd=a -engine name=b -pairs 1 -nodes 1", `engine "b": no cmd`},
		{"match -engine cmd", `invalid value "cmd" for flag -engine: "cmd": not KEY=VALUE`},
	} {
		t.Run(test.line, func(t *testing.T) {
			want := usageFailure("match: "+test.message, "gyre-arena help match")
			if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// readText returns what a file holds.
func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
