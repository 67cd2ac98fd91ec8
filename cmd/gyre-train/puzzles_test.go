package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gyre/cmd/internal/commandline"
)

// puzzleFile writes a puzzle with two right turns: either completes a row by moving the ring on f3, and
// wins.
func puzzleFile(t *testing.T, theme, solution, mate string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one.jsonl")
	text := fmt.Sprintf(`{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":%q,"rating":700,"solution":[%q]%s}`+"\n", theme, solution, mate)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPuzzles makes a puzzle, checks it, uses it as the initial set, and does not overwrite another kind
// of file.
func TestPuzzles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "set.jsonl")
	words := []string{"puzzles", "-o", path, "-puzzles", "1", "-nodes", "1000", "-again", "2000", "-progress", "none"}
	if got := do(t, words...); !strings.HasPrefix(got, path+": 1 puzzles of ") {
		t.Errorf("made: %q", got)
	}
	if got := do(t, "puzzles", "-check", path, "-check-nodes", "2000", "-progress", "none"); got != path+": searched 1 of 1 puzzles with 2000 nodes: all have one right turn\n" {
		t.Errorf("checked: %q", got)
	}
	grown := filepath.Join(dir, "grown.jsonl")
	if got, want := do(t, append(words, "-o", grown, "-grow", path)...), grown+": 1 of the 1 puzzles of "+path+", and 0 puzzles of 0 games: "; !strings.HasPrefix(got, want) || contents(t, dir, "grown.jsonl") != contents(t, dir, "set.jsonl") {
		t.Errorf("-grow: %q, want %q and the same file", got, want)
	}
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	words[2] = mine
	if got := runArgs(words...); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "is not a file of this kind") || contents(t, dir, "mine") != "my notes" {
		t.Errorf("a file of another kind: %+v", got)
	}
}

// TestPuzzleCheckFinds checks puzzles with an invalid theme and with two right turns, and an empty file.
func TestPuzzleCheckFinds(t *testing.T) {
	check := func(path string) outcome {
		return runArgs("puzzles", "-check", path, "-check-nodes", "1000", "-progress", "none")
	}
	if got := check(puzzleFile(t, "threaten-row", "b1-b2", "")); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "one.jsonl: line 1: theme threaten-row: does not match") {
		t.Errorf("a theme that does not fit: %+v", got)
	}
	right := puzzleFile(t, "win", "f3-b3;xf3-f7xb1", `,"mate":1`)
	if got := check(right); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "puzzle a1, ") || !strings.HasSuffix(got.Stderr, "one.jsonl: 1 of 1 puzzles have another right turn with 1000 nodes\n") {
		t.Errorf("a win by either of two moves: %+v", got)
	}
	if err := os.WriteFile(right, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := check(right); got.Status != commandline.ExitFailure || !strings.HasSuffix(got.Stderr, "one.jsonl: no puzzles in this file\n") {
		t.Errorf("an empty file: %+v", got)
	}
}

// TestPuzzlesInterrupted interrupts the command once it has found a puzzle. The existing file must stay
// unchanged.
func TestPuzzlesInterrupted(t *testing.T) {
	path := puzzleFile(t, "win", "f3-b3;xf3-f7xb1", `,"mate":1`)
	dir := filepath.Dir(path)
	before := contents(t, dir, "one.jsonl")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(own, "puzzles", "-o", path, "-nodes", "1000", "-again", "0", "-progress", "lines", "-every", "0s")
	cmd.Env = append(os.Environ(), trainVariable+"=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != commandline.ExitInterrupted || !strings.HasPrefix(last, "no file was written; ") {
		t.Errorf("%v: %q", err, last)
	}
	files, err := os.ReadDir(dir)
	if now := contents(t, dir, "one.jsonl"); now != before || err != nil || len(files) != 1 {
		t.Errorf("files %v, %v, and the file is %q", files, err, now)
	}
}
