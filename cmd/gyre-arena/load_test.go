package main

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/load"
	"gyre/cmd/internal/commandline"
)

// TestMoreGamesThanProcessors takes more games at once, or more threads, than the
// machine has processors only when told so.
func TestMoreGamesThanProcessors(t *testing.T) {
	const two = "match -engine cmd=./nowhere -engine cmd=./nowhere -nodes 1 -pairs 1 -opening-bound 0 "
	processors := load.Processors()
	for line, message := range map[string]string{
		fmt.Sprintf("%s -concurrency %d", two, processors+1):         fmt.Sprintf("-concurrency %d with 1 threads a game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -each option.threads=%d", two, processors+1): fmt.Sprintf("-concurrency 1 with %d threads a game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -ponder -concurrency %d", two, processors):   fmt.Sprintf("-concurrency %d with 2 threads a game: this machine has %d processors", processors, processors),
		two + "-pin -oversubscribe":                                  "-pin and -oversubscribe exclude each other",
		two + "-pin -concurrency 1000000":                            "-pin: ",
	} {
		got := runLine(line)
		if got.Status != commandline.ExitUsage || !strings.Contains(got.Stderr, message) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestPinnedMatch keeps the engines to processors.
func TestPinnedMatch(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux")
	}
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl", "-pin")
	if status != commandline.ExitSuccess || strings.Contains(output, "\n  time ") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestTimeTold has an engine that answers too late in each game: the result says
// how often and how late. The machine's load may be anything.
func TestTimeTold(t *testing.T) {
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=100", "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	told := regexp.MustCompile(`\n  time    2 of 2 games lost by it; \d+ answers late, median [0-9.]+m?s, worst [0-9.]+m?s; the arena's own timers late by `)
	if !told.MatchString(output) {
		t.Errorf("status %d: %s", status, output)
	}
}
