package main

import (
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
)

// TestLadderCommand places an engine in a moment: it has a rating, with an error
// that says how little is known.
func TestLadderCommand(t *testing.T) {
	a := newArena(t)
	output, status := a.run("ladder", "-engine", a.engine("it", enginetest.Good), "-time", "1500ms", "-pairs", "1", "-nodes", "1", "-opening-bound", "0", "-out", "ladder.jsonl")
	if status != commandline.ExitSuccess || !regexp.MustCompile(`\nit is rated [+-][0-9.]+ \+- [0-9.]+\n$`).MatchString(output) {
		t.Errorf("status %d: %s", status, output)
	}
	if games := a.games("ladder.jsonl"); len(games) < 2 || games[0].Black != ladder.Anchor {
		t.Errorf("%d games", len(games))
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

// climbing is an engine that has met three players, the strongest with success.
func climbing(t *testing.T) (*climb, *match.Match) {
	t.Helper()
	c := &climb{engine: "it"}
	m := &match.Match{ID: "m", Engines: []game.Engine{{Name: "it"}}}
	for i, p := range ladder.Players() {
		m.Engines = append(m.Engines, p.Engine())
		c.scale = append(c.scale, ladder.Rating{Name: p.Name, Elo: stats.Estimate{Value: float64(100 * i), Error: 10}})
	}
	m.Schedule = match.Gauntlet(len(m.Engines), 2)
	c.games = make([]stats.Games, len(c.scale))
	c.pairs = make([]stats.Pairs, len(c.scale))
	for i, pairs := range map[int]stats.Pairs{0: {4: 50}, 5: {1: 10, 2: 20, 3: 10}, 8: {0: 30, 1: 10}} {
		c.pairs[i] = pairs
	}
	return c, m
}

// TestClimb checks who is met in the end.
func TestClimb(t *testing.T) {
	c, m := climbing(t)
	if r := c.rating(); math.Abs(r.Value-500) > 60 || r.Error < 20 || r.Error > 80 {
		t.Errorf("rating %+v", r)
	}
	near := c.near(m, 3)
	if diff := cmp.Diff(map[int]bool{5: true, 6: true, 7: true}, map[int]bool{
		near.Schedule.Pairings[0][1]: true, near.Schedule.Pairings[1][1]: true, near.Schedule.Pairings[2][1]: true}); diff != "" {
		t.Error(diff)
	}
	if near.ID == m.ID || len(near.Schedule.Pairings) != 3 {
		t.Errorf("match %+v", near)
	}
	files := beside(match.Files{Lines: "x/a.b.jsonl", Records: "y"})
	if diff := cmp.Diff(match.Files{Lines: "x/a.b-near.jsonl", Records: "y-near"}, files); diff != "" {
		t.Error(diff)
	}
}

// TestRatingsFile writes the ratings of a made-up tournament and reads them.
func TestRatingsFile(t *testing.T) {
	_, m := climbing(t)
	m.Engines = m.Engines[1:]
	m.Schedule = match.RoundRobin(len(m.Engines), 1)
	var names []string
	for _, e := range m.Engines {
		names = append(names, e.Name)
	}
	standing := match.NewStanding(m.Schedule, names, nil)
	for number := range m.Schedule.Games() {
		g := m.Schedule.Game(number)
		line := &match.Line{Game: number, White: names[g.Sides[0]], Black: names[g.Sides[1]], Result: "white", Reason: game.RingsRemoved}
		if g.Sides[0] < g.Sides[1] {
			line.Result = "black"
		}
		if err := standing.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "ratings.txt")
	if err := writeRatings(path, m, standing, anchored{engine: 0}); err != nil {
		t.Fatal(err)
	}
	text := readText(t, path)
	all, err := ladder.ParseRatings(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Elo.Value <= all[i-1].Elo.Value {
			t.Errorf("%+v after %+v", all[i], all[i-1])
		}
	}
	if !strings.HasPrefix(text, "# Ratings of the reference players") || all[0].Elo.Value != 0 {
		t.Error(text)
	}
}

func TestLadderRefuses(t *testing.T) {
	for line, message := range map[string]string{
		"ladder":                                "which engine is to be rated? Give one -engine, or -rate",
		"ladder -rate -engine cmd=x":            "-rate and -engine exclude each other",
		"ladder -engine cmd=x -time -1s":        "-time is positive",
		"ladder -engine reference=god -nodes 1": `invalid value "reference=god" for flag -engine: reference player "god": none of random, greedy, alphabeta-100, alphabeta-1k, alphabeta-10k, alphabeta-100k, mcts-100, mcts-1k, mcts-10k`,
	} {
		if diff := cmp.Diff(usageFailure("ladder: "+message, "gyre-arena help ladder"), runLine(line)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}
