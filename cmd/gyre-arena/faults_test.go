package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestFaultyMatches has misbehaving engines lose their games for the right reason,
// and the match go on to its end. Package game tests all ways to misbehave.
func TestFaultyMatches(t *testing.T) {
	for kind, want := range map[string]string{
		enginetest.StartsOnce: "start failure 2",
		enginetest.Hangs:      "stall 2",
		enginetest.Illegal:    "illegal turn 2",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			output, status := a.run("match", "-engine", a.engine("bad", kind), "-engine", a.engine("good", enginetest.Good), "-pairs", "1", "-nodes", "1",
				"-opening-bound", "0", "-turn-patience", "1s", "-stop-patience", "300ms", "-out", "games.jsonl", "-concurrency", "2", "-recover")
			if status != commandline.ExitSuccess || !strings.Contains(output, "faults  of bad: "+want) || !strings.Contains(output, "0 games in 0 pairs") ||
				!strings.Contains(output, "did not play: 1 of the pairs") {
				t.Errorf("status %d: %s", status, output)
			}
		})
	}
}

// TestMatchOfMissingEngine gives the README's match when the old program is not
// there: it does not begin; with the program there the same command plays.
func TestMatchOfMissingEngine(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", "name=old cmd=./gyre-old",
		"-nodes", "1", "-pairs", "2", "-sprt", "0,10", "-opening-bound", "0", "-out", "games.jsonl"}
	args = append(args[:7], args[9:]...) // -sprt sets the number of games
	output, status := a.run(args...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine old cannot play") || !strings.Contains(output, "./gyre-old") {
		t.Errorf("status %d: %s", status, output)
	}
	if files, _ := filepath.Glob(filepath.Join(a.dir, "games*")); len(files) > 0 {
		t.Errorf("files %q", files)
	}
	_, path, _ := strings.Cut(a.engine("", enginetest.Late), "cmd=")
	if err := os.Rename(path, filepath.Join(a.dir, "gyre-old")); err != nil {
		t.Fatal(err)
	}
	args = append(args, "-sprt", "", "-pairs", "1")
	if output, status := a.run(args...); status != commandline.ExitSuccess || len(a.games("games.jsonl")) != 2 {
		t.Errorf("with the program there: status %d: %s", status, output)
	}
}

// TestMatchStops has an engine die in the first game: the match stops with an
// error that says why, and the printed command plays the game again once the
// program is mended and is told to take it.
func TestMatchStops(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	_, good, _ := strings.Cut(a.engine("", enginetest.Good), "cmd=")
	bad := a.engine("bad", enginetest.Dies)
	_, path, _ := strings.Cut(bad, "cmd=")
	args := []string{"match", "-engine", bad, "-engine", a.engine("good", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl"}
	output, status := a.run(args...)
	for _, want := range []string{"stopped after game 1: bad loses: disconnect: ", "index out of range", "to go on:\n", "-again", "-recover"} {
		if status != commandline.ExitFailure || !strings.Contains(output, want) {
			t.Fatalf("status %d, no %q: %s", status, want, output)
		}
	}
	if err := os.Rename(good, path); err != nil {
		t.Fatal(err)
	}
	output, status = a.run(append(args, "-again")...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine bad has changed") || !strings.Contains(output, "-other-programs") {
		t.Fatalf("another program: status %d: %s", status, output)
	}
	output, status = a.run(append(args, "-again", "-other-programs")...)
	if status != commandline.ExitSuccess || !strings.Contains(output, "2 games in 1 pairs") {
		t.Errorf("again: status %d: %s", status, output)
	}
	if output, status := a.run("report", "games.jsonl"); status != commandline.ExitSuccess || !strings.Contains(output, "2 games reported") {
		t.Errorf("report: status %d: %s", status, output)
	}
}

// TestRefusedOption does not begin a match with an engine that refuses an option,
// or does not have it.
func TestRefusedOption(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	good := a.engine("good", enginetest.Good)
	for spec, want := range map[string][]string{
		a.engine("picky", enginetest.Picky) + " option.Hash=7": {"picky", "Hash", `"7"`, "no weights there"},
		a.engine("other", enginetest.Good) + " option.Hush=7":  {"other", `"Hush"`, "no such option"},
		a.engine("other", enginetest.Good) + " option.Hash=0":  {"other", "Hash", `"0"`, "out of range"},
	} {
		output, status := a.run("match", "-engine", good, "-engine", spec, "-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
		for _, word := range want {
			if status != commandline.ExitFailure || !strings.Contains(output, word) {
				t.Errorf("%s: status %d, no %q: %s", spec, status, word, output)
			}
		}
		if _, err := os.Stat(filepath.Join(a.dir, "games.jsonl")); err == nil {
			t.Errorf("%s: a file was begun", spec)
		}
	}
}

// TestDeadEngineInTournament checks that a tournament with a dead engine does not
// begin.
func TestDeadEngineInTournament(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("tournament", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("dead", enginetest.Exits),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitFailure || !strings.Contains(output, "engine dead cannot play") || !strings.Contains(output, "no weights") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestQuickTurns warns of what a match of 10 ms a turn measures.
func TestQuickTurns(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("quick", enginetest.Good), "-engine", a.engine("slow", enginetest.Good)+" nodes=1",
		"-movetime", "10", "-margin", "10s", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || strings.Count(output, "has 10ms for a turn and took ") != 1 {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestDecidedByTime counts games lost on time, and says of one pair no more than
// it tells.
func TestDecidedByTime(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=30", "-engine", a.engine("good", enginetest.Good)+" nodes=1",
		"-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || !strings.Contains(output, "time forfeit 2") || !strings.Contains(output, "  Elo     at most +511.5\n") {
		t.Errorf("status %d: %s", status, output)
	}
}
