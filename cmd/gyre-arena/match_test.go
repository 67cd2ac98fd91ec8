package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/enginetest"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/shellwords"
)

// TestMatchCommand plays a match and checks the output, and that the printed command
// repeats the match.
func TestMatchCommand(t *testing.T) {
	t.Parallel()
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
	var setups []*match.Setup
	for _, game := range games {
		if game.Setup != nil {
			setups = append(setups, game.Setup)
		}
	}
	if len(setups) != 1 || len(setups[0].Engines) != 2 || !strings.Contains(setups[0].Command, "-nodes 1") || strings.Contains(setups[0].Command, "first.jsonl") || strings.Contains(setups[0].Command, "trace") {
		t.Errorf("how the match was started: %+v", setups)
	}
	trace, err := os.ReadFile(filepath.Join(a.dir, "trace"))
	if err != nil || !strings.Contains(string(trace), "new > setoption name Hash value 2") {
		t.Errorf("trace of %d bytes, %v", len(trace), err)
	}
	var again string
	for line := range strings.Lines(strings.ReplaceAll(output, " \\\n", " ")) { // without line breaks in commands
		if command, found := strings.CutPrefix(line, "  "+programName(os.Args[0])+" "); found {
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

// TestMatchByNodes plays with clocks in nodes, one engine with its own. Lines, result and
// the printed command show it. Engines that cannot are reported before the first game.
func TestMatchByNodes(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	counts := []string{"-engine", a.engine("new", enginetest.Counts), "-engine", a.engine("own", enginetest.Counts) + " tc=1+0.02"}
	good := []string{"-engine", a.engine("old", enginetest.Good), "-engine", a.engine("bad", enginetest.CountsNone)}
	flags := []string{"-tc", "0.4+0.004", "-nodestime", "1000", "-opening-rings", "0-10", "-opening-bound", "0", "-pairs", "1"}
	output, status := a.run(append(append([]string{"match", "-out", "games.jsonl"}, counts...), flags...)...)
	for _, want := range []string{" -nodestime 1000 ", " -opening-rings 0-10 ", "2 games in 1 pairs"} {
		if !strings.Contains(output, want) || status != commandline.ExitSuccess {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "timers") {
		t.Errorf("the result has a line about real time:\n%s", output)
	}
	if diff := cmp.Diff([2]string{"tc=0.4+0.004 nodestime=1000", "tc=1+0.02 nodestime=1000"}, a.games("games.jsonl")[0].Limits); diff != "" {
		t.Error(diff)
	}
	output, status = a.run(append(append([]string{"match", "-out", "none.jsonl"}, good...), flags...)...)
	for _, want := range []string{"engine old cannot play: it has no option nodestime", "engine bad cannot play: it reports no nodes"} {
		if !strings.Contains(output, want) || status != commandline.ExitFailure {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "none.jsonl")); err == nil {
		t.Error("a file of games was begun")
	}
}

// TestFullDisk writes the games to a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
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

func TestMatchRefuses(t *testing.T) {
	const two = "match -engine cmd=a -engine cmd=b "
	for _, test := range []struct{ line, message string }{
		{"match", "a match needs two engines; give -engine twice"},
		{two, "the number of games is missing; give -pairs, -games or, for a match, -sprt"},
		{two + "-pairs 1", "engine a: no limit of time, nodes or depth; use limit=none for an engine that has its own"},
		{two + "-games 3 -nodes 1", "-pairs and -games must be positive, and -games even, because each opening is played with both colors"},
		{two + "-games 2 -pairs 1 -nodes 1", "-pairs and -games exclude each other"},
		{two + "-sprt 0 -nodes 1", `-sprt "0": not ELO0,ELO1`},
		{two + "-sprt 5,0 -nodes 1", "elo0 5: must be less than elo1 0"},
		{two + "-pairs 1 -nodes 1 -concurrency 0", "concurrency 0: must be at least 1"},
		{two + "-pairs 1 -nodes 1 -opening-moves 99", "99 moves after the rings are placed: not from 0 to 20"},
		{two + "-pairs 1 -nodes 1 -each speed=1", `-each: unknown key "speed"`},
		{two + "-pairs 1 -nodes 1 -progress loud", `-progress "loud": give one of auto, bar, lines, none`},
		{two + "-pairs 1 -nodes 1 -margin -5ms", "margin -5ms: negative"},
		{two + "-pairs 1 -nodes 1 -turn-patience -1s", "patience -1s for a turn: negative"},
		{two + "-pairs 1 -nodes 1 -stop-patience -1s", "patience -1s: negative"},
		{two + "-pairs 1 -nodes x", `-nodes "x": invalid syntax`},
		{two + "-pairs 1 -nodes 1 -nodestime 5", "engine a: nodestime needs a clock or a time per turn"},
		{two + "-pairs 1 -tc 1 -nodestime 2000000", "engine a: nodestime 2000000: more than 1000000"},
		{"match -engine cmd=a -engine name=b -pairs 1 -nodes 1", `engine "b": the program is missing; give cmd=COMMAND`},
		{"match -engine cmd", `-engine: "cmd" is not KEY=VALUE`},
	} {
		t.Run(test.line, func(t *testing.T) {
			want := usageFailure("match: "+test.message, "gyre-arena help match")
			if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTournaments plays a round-robin and a gauntlet in which one engine always loses,
// and checks the tables.
func TestTournaments(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"tournament", "-engine", a.engine("bad", enginetest.Late) + " movetime=30", "-engine", a.engine("one", enginetest.Good),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "2", "-opening-bound", "0", "-concurrency", "2", "-anchor", "bad=1000"}
	for _, test := range []struct {
		extra string
		games int
		last  string // the line of the engine that loses
	}{
		{"-gauntlet=false", 12, `3 +bad +\+1000\.0 +fixed +0\.0 +8 +0\.0 +0 +0 +-`},
		{"-gauntlet", 8, `3 +bad +\+1000\.0 +fixed +0\.0 +8 +0\.0 +0 +0 +-`},
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
		{"tournament -engine cmd=a -pairs 1 -nodes 1", "a tournament needs at least two engines; give -engine once for each"},
		{"tournament -engine cmd=a -engine cmd=b -pairs 1 -nodes 1 -anchor a", `-anchor "a": not NAME=ELO, such as base=1500`},
		{"tournament -engine cmd=a -engine cmd=b -pairs 1 -nodes 1 -anchor c=5", `-anchor "c=5": unknown engine`},
	} {
		want := usageFailure("tournament: "+test.message, "gyre-arena help tournament")
		if diff := cmp.Diff(want, runLine(test.line)); diff != "" {
			t.Errorf("%s: outcome (-want +got):\n%s", test.line, diff)
		}
	}
}
