package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

// TestRatingsFile writes the ratings of a made-up tournament and reads them.
func TestRatingsFile(t *testing.T) {
	_, m, _ := climbing(t)
	m.Engines = m.Engines[1:]
	m.Schedule = match.RoundRobin(len(m.Engines), 1)
	names := names(m)
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
	table, err := rated(standing, anchored{engine: 0})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeRatings(path, "by a test", table); err != nil {
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

// TestRatingsFromGames rates the players from two files of made-up games that overlap in
// some of them, and compares the file of ratings with an independent computation.
func TestRatingsFromGames(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(15, 5))
	var names []string
	var strengths []float64
	for i, p := range ladder.Players() {
		names, strengths = append(names, p.Name), append(strengths, 0.4*float64(i))
	}
	points, games := square(len(names)), square(len(names))
	for _, part := range []struct {
		path     string
		from, to int
	}{{"low.jsonl", 0, 8}, {"high.jsonl", 4, len(names)}} {
		p, g := madeGames(t, part.path, part.path, names[part.from:part.to], strengths[part.from:part.to], 400, rng)
		for i := range p {
			for j := range p {
				points[part.from+i][part.from+j] += p[i][j]
				games[part.from+i][part.from+j] += g[i][j]
			}
		}
	}
	got := runLine("ladder low.jsonl high.jsonl -o ratings.txt")
	if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stdout, "boardspace-4") {
		t.Fatalf("%+v", got)
	}
	all, err := ladder.ParseRatings(readText(t, "ratings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := minorised(points, games)
	for i, r := range all {
		if math.Abs(r.Elo.Value-(want[i]-want[0])) > 0.2 || (r.Elo.Error > 0) != (i > 0) {
			t.Errorf("%s is rated %v, want %.1f", r.Name, r.Elo, want[i]-want[0])
		}
	}
	for line, message := range map[string]string{
		"ladder low.jsonl":                     "the files hold no games of",
		"ladder low.jsonl -pairs 3":            "files of games and -pairs exclude each other",
		"ladder high.jsonl none.jsonl":         "none.jsonl",
		"ladder low.jsonl high.jsonl -o games": "",
	} {
		if got := runLine(line); !strings.Contains(got.Stderr, message) || (got.Status == commandline.ExitSuccess) != (message == "") {
			t.Errorf("%s: %+v", line, got)
		}
	}
	madeGames(t, "other.jsonl", "o", []string{"random", "stranger"}, []float64{0, 1}, 5, rng)
	if got := runLine("ladder low.jsonl high.jsonl other.jsonl"); !strings.Contains(got.Stderr, `"stranger": none of random`) {
		t.Errorf("%+v", got)
	}
}

// TestPlacedPlayer writes the rating of a player that climbed into a file of ratings: its
// line alone changes, and no other file is touched.
func TestPlacedPlayer(t *testing.T) {
	climb, _, standing := climbing(t)
	before := readText(t, filepath.Join("..", "..", "bench", "ladder", "ratings.txt"))
	path := filepath.Join(t.TempDir(), "ratings.txt")
	c := newContest("ladder")
	c.specs.texts = []string{"reference=boardspace-3"}
	for _, text := range []string{before, "openings e3 f6\n", ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := c.savePlayer(path, climb, standing)
		after := readText(t, path)
		if text != before {
			if err == nil || after != text {
				t.Errorf("%q became %q, %v", text, after, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		then, now := strings.Split(before, "\n"), strings.Split(after, "\n")
		rating := climb.rating(standing)
		want := fmt.Sprintf("boardspace-3 %.1f %.1f # placed on the scale of the others ", rating.Value, rating.Error)
		for i := range then {
			if line := strings.Join(strings.Fields(now[i]), " "); strings.HasPrefix(then[i], "boardspace-3") {
				if !strings.HasPrefix(line, want) || !strings.HasSuffix(line, fmt.Sprintf(" by %d games", standing.Games)) {
					t.Errorf("%q, want %q", line, want)
				}
			} else if now[i] != then[i] {
				t.Errorf("%q became %q", then[i], now[i])
			}
		}
	}
}
