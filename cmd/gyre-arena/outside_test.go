package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/ladder"
	"gyre/bench/stats"
)

// TestOutsideFile writes a result into a file of outside ratings: beside others, in place
// of the one of the same name, and never over another file.
func TestOutsideFile(t *testing.T) {
	climb, _, standing := climbing(t)
	path := filepath.Join(t.TempDir(), "outside.txt")
	const other = "# Ratings of outside programs\nother 900.0 50.0 80 2026-11-20 cmd=./other\nit 1.0 2.0 2 2026-11-20 cmd=./it\n"
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newContest("ladder")
	c.described = "cmd='./it -x' nodes=5"
	if err := c.saveOutside(path, climb, standing); err != nil {
		t.Fatal(err)
	}
	all, err := ladder.ParseOutside(readText(t, path))
	if err != nil {
		t.Fatal(err)
	}
	rating := climb.rating(standing)
	if len(all) != 2 || all[0].Name != "it" || all[1].Elo != (stats.Estimate{Value: 900, Error: 50}) || all[0].Engine != c.described || all[0].Games != standing.Games ||
		time.Since(all[0].Date) > 48*time.Hour || all[0].Elo.Value < rating.Value-0.1 || all[0].Elo.Value > rating.Value+0.1 {
		t.Errorf("%+v", all)
	}
	for _, foreign := range []string{"openings e3 f6\n", "it 1.0 2.0 2 2026-11-20 cmd=./it\n"} {
		if err := os.WriteFile(path, []byte(foreign), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := c.saveOutside(path, climb, standing); err == nil || readText(t, path) != foreign {
			t.Errorf("%q was written over, %v", foreign, err)
		}
	}
}

// TestNeighbours tells what stands below and above a rating; the players are rated 100
// Elo apart, and the program meets none of itself.
func TestNeighbours(t *testing.T) {
	c, _, _ := climbing(t)
	players := ladder.Players()
	last := players[len(players)-1].Name
	for elo, want := range map[float64]string{
		-50: "  below random (+0.0 +- 10.0)\n",
		150: "  above greedy (+100.0 +- 10.0)\n  below " + players[2].Name + " (+200.0 +- 10.0)\n",
	} {
		var b strings.Builder
		if err := c.writeNeighbours(&b, elo); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("at %v: %s", elo, diff)
		}
	}
	var b strings.Builder
	c.match.Engines[0].Name = last
	if err := c.writeNeighbours(&b, 1e5); err != nil || strings.Contains(b.String(), last) {
		t.Errorf("%q, %v", b.String(), err)
	}
}
