package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/openings"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestLadderCommand places an engine in a moment, and then goes on: all games are
// in one file, their count never falls, and the rating says how little is known.
func TestLadderCommand(t *testing.T) {
	a := newArena(t)
	args := []string{"ladder", "-engine", a.engine("it", enginetest.Good), "-time", "1s", "-pairs", "1", "-nodes", "1",
		"-opening-bound", "0", "-out", "ladder.jsonl", "-progress", "lines", "-every", "1ns"}
	before := 0
	for run := range 2 {
		output, status := a.run(args...)
		if status != commandline.ExitSuccess || !regexp.MustCompile(`\nit is rated [+-][0-9.]+ \+- ([0-9.]+|inf)\n`).MatchString(output) {
			t.Fatalf("status %d: %s", status, output)
		}
		for _, want := range []string{"games go to ladder.jsonl", "to go on:\n  ", "-out ladder.jsonl"} {
			if !strings.Contains(output, want) {
				t.Errorf("%q is missing in:\n%s", want, output)
			}
		}
		if run > 0 && before > 0 && !strings.Contains(output, fmt.Sprintf("going on after %d games", before)) {
			t.Errorf("after %d games:\n%s", before, output)
		}
		for _, found := range regexp.MustCompile(`(?m)^(\d+) games, `).FindAllStringSubmatch(output, -1) {
			n, err := strconv.Atoi(found[1])
			if err != nil || n != before+1 {
				t.Fatalf("%s games after %d:\n%s", found[1], before, output)
			}
			before = n
		}
		if games := a.games("ladder.jsonl"); len(games) != before || before > 0 && games[0].Black != ladder.Anchor {
			t.Errorf("%d games, %d told", len(games), before)
		}
	}
	if names, err := filepath.Glob(filepath.Join(a.dir, "*-near*")); err != nil || len(names) > 0 {
		t.Errorf("games in %v, %v", names, err)
	}
}

// TestClimbInOneFile plays first all players and then the nearest, from a book
// that ends, and goes on from wherever the file was cut: each opening is played
// once with each colour against a player, and the count of games never falls.
func TestClimbInOneFile(t *testing.T) {
	scale, err := ladder.Ratings()
	if err != nil {
		t.Fatal(err)
	}
	c := newContest("ladder")
	if c.opened, err = openings.Read(strings.NewReader("e3 f6\nf6 e3\ng7 e3\nf6 g7\n"), "book", position.Standard); err != nil {
		t.Fatal(err)
	}
	players := ladder.Players()
	m := match.Match{ID: "m", Openings: c.opened, Concurrency: 2, Engines: []game.Engine{players[1].Engine(), players[0].Engine(), players[1].Engine()}}
	m.Engines[0].Name = "it"
	m.Schedule = match.Gauntlet(len(m.Engines), 1)
	files := match.Files{Lines: filepath.Join(t.TempDir(), "games.jsonl")}
	for _, kept := range []int{0, 3, 4, 11, 16} {
		if kept > 0 {
			lines := strings.SplitAfter(readText(t, files.Lines), "\n")
			if err := os.WriteFile(files.Lines, []byte(strings.Join(lines[:kept], "")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		again := m
		placing := &climb{scale: scale, match: &again}
		standing, err := c.climb(context.Background(), placing, placing.outline, files, io.Discard, io.Discard)
		if err != nil || !standing.Over() || standing.Games != 16 {
			t.Fatalf("after %d games: %+v, %v", kept, standing, err)
		}
		numbers := map[string]bool{}
		if err := readGames(files.Lines, false, func(l *match.Line) error {
			key := strings.Join(append([]string{l.White, l.Black}, l.Opening...), " ")
			if numbers[key] {
				t.Errorf("%s is played twice", key)
			}
			numbers[key] = true
			return nil
		}); err != nil || len(numbers) != 16 {
			t.Errorf("%d games, %v", len(numbers), err)
		}
	}
}

// TestReferencePlayers has two of them play a match.
func TestReferencePlayers(t *testing.T) {
	a := newArena(t)
	output, status := a.run("match", "-engine", "reference=greedy", "-engine", "reference=random name=dice", "-pairs", "2", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || !strings.Contains(output, "greedy against dice, 4 games") {
		t.Errorf("status %d: %s", status, output)
	}
}

// climbing is an engine among the players, rated 100 Elo apart, of whom it beats
// the weakest five.
func climbing(t *testing.T) (*climb, *match.Match, *match.Standing) {
	t.Helper()
	m := &match.Match{ID: "m", Engines: []game.Engine{{Name: "it"}}}
	var scale []ladder.Rating
	for i, p := range ladder.Players() {
		m.Engines = append(m.Engines, p.Engine())
		scale = append(scale, ladder.Rating{Name: p.Name, Elo: stats.Estimate{Value: float64(100 * i), Error: 10}})
	}
	m.Schedule = match.Gauntlet(len(m.Engines), 2)
	standing := match.NewStanding(m.Schedule, names(m), nil)
	for number := range m.Schedule.Games() {
		g := m.Schedule.Game(number)
		line := &match.Line{Game: number, White: m.Engines[g.Sides[0]].Name, Black: m.Engines[g.Sides[1]].Name, Result: "white", Reason: game.RingsRemoved}
		if wins := max(g.Sides[0], g.Sides[1]) <= 5; wins != (g.Sides[0] == 0) {
			line.Result = "black"
		}
		if err := standing.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	return &climb{scale: scale, match: m}, m, standing
}

// TestClimb checks who is met in the end.
func TestClimb(t *testing.T) {
	c, m, standing := climbing(t)
	if r := c.rating(standing); math.Abs(r.Value-450) > 60 || r.Error < 20 || r.Error > 200 {
		t.Errorf("rating %+v", r)
	}
	further := c.further(standing, 4, 10)
	if diff := cmp.Diff([]int{3, 4, 5, 6}, further.Some); diff != "" || further.More != 10 || further.Rounds != m.Schedule.Rounds {
		t.Errorf("%+v %s", further, diff)
	}
	if err := further.Check(len(m.Engines)); err != nil {
		t.Error(err)
	}
}

func TestLadderRefuses(t *testing.T) {
	for line, message := range map[string]string{
		"ladder":                                "which engine is to be rated? Give one -engine, or -rate",
		"ladder -rate -engine cmd=x":            "-rate and -engine exclude each other",
		"ladder x.jsonl -engine cmd=x":          "files of games and -engine exclude each other",
		"ladder -engine cmd=x -time -1s":        "-time is positive",
		"ladder -engine cmd=x -o ratings.txt":   "-o keeps ratings of the ladder's players: give -rate, files of their games, or -engine reference=NAME",
		"ladder -engine reference=god -nodes 1": `invalid value "reference=god" for flag -engine: reference player "god": none of random, greedy, alphabeta-100, alphabeta-1k, alphabeta-10k, alphabeta-100k, mcts-100, mcts-1k, mcts-10k, boardspace-2, boardspace-3, boardspace-4`,
	} {
		if diff := cmp.Diff(usageFailure("ladder: "+message, "gyre-arena help ladder"), runLine(line)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}
