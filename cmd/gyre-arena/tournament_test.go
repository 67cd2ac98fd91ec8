package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestTournaments plays a round-robin and a gauntlet in which one engine always
// loses, and reads the tables.
func TestTournaments(t *testing.T) {
	a := newArena(t)
	args := []string{"tournament", "-engine", a.engine("bad", enginetest.Late) + " movetime=30", "-engine", a.engine("one", enginetest.Good),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "2", "-opening-bound", "0", "-concurrency", "2", "-anchor", "bad=1000"}
	for _, test := range []struct {
		extra string
		games int
		last  string // the line of the engine that loses
	}{
		{"-gauntlet=false", 12, `3 +bad +\+1000\.0 +0\.0 +0\.0 +8 +0\.0 +0 +0 +-`},
		{"-gauntlet", 8, `3 +bad +\+1000\.0 +0\.0 +0\.0 +8 +0\.0 +0 +0 +-`},
	} {
		output, status := a.run(append(args, test.extra, "-out", test.extra[1:]+".jsonl")...)
		if status != commandline.ExitSuccess || !regexp.MustCompile(test.last).MatchString(output) {
			t.Errorf("%s: status %d: %s", test.extra, status, output)
		}
		if !strings.Contains(output, "faults  of bad: time forfeit 8") {
			t.Errorf("%s: %s", test.extra, output)
		}
		if games := a.games(test.extra[1:] + ".jsonl"); len(games) != test.games {
			t.Errorf("%s: %d games", test.extra, len(games))
		}
	}
}

func TestTournamentRefuses(t *testing.T) {
	for _, test := range []struct{ line, message string }{
		{"tournament -engine cmd=a -pairs 1 -nodes 1", "a tournament is of two engines at least: give -engine for each"},
		{"tournament -engine cmd=a -engine cmd=b -pairs 1 -nodes 1 -anchor a", `-anchor "a": not NAME=ELO`},
		{"tournament -engine cmd=a -engine cmd=b -pairs 1 -nodes 1 -anchor c=5", `-anchor "c=5": no engine of that name`},
	} {
		want := usageFailure("tournament: "+test.message, "gyre-arena help tournament")
		if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
			t.Errorf("%s: outcome (-want +got):\n%s", test.line, diff)
		}
	}
}
