package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/tactics"
)

// TestGamesFile checks that the committed games are legal and complete.
func TestGamesFile(t *testing.T) {
	file, err := os.Open("games.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	games, err := readGames(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range games {
		last := len(g.turns) - 1
		end := g.positions[last].After(g.turns[last])
		if !end.Over() {
			t.Errorf("game %d is not over after its last turn: %v", i+1, &end)
		}
	}
	if len(games) < 300 {
		t.Errorf("%d games, want at least 300", len(games))
	}
}

// TestBadGames checks lines that readGames must reject.
func TestBadGames(t *testing.T) {
	for _, line := range []string{"", "standard", "bullet f6", "standard f6 f6", "standard f6 g7-g8", "standard z1"} {
		_, err := readGames(strings.NewReader("# comment\n" + line + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: error %v, want line 2", line, err)
		}
	}
}

// TestSmallSuite plays a game and makes a suite of it twice. Both are equal, not empty,
// and can be parsed.
func TestSmallSuite(t *testing.T) {
	var text bytes.Buffer
	if err := playGames(&text, 1, 7); err != nil {
		t.Fatal(err)
	}
	games, err := readGames(&text)
	if err != nil {
		t.Fatal(err)
	}
	var suites [2]bytes.Buffer
	for i := range suites {
		if err := choose(games, io.Discard).write(&suites[i]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(suites[0].String(), suites[1].String()); diff != "" {
		t.Errorf("two suites of the same game (-first +second):\n%s", diff)
	}
	problems, err := tactics.Parse(suites[0].String())
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) == 0 {
		t.Error("the game yielded no problems")
	}
}

// FuzzReadGames checks that each game has a position for each turn, in which the turn is
// legal.
func FuzzReadGames(f *testing.F) {
	f.Add("# comment\nstandard f6 e5\nblitz a2 a3 a4\n")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := readGames(strings.NewReader(text))
		if err != nil {
			return
		}
		for i, g := range games {
			if len(g.turns) == 0 || len(g.positions) != len(g.turns) {
				t.Fatalf("game %d of %q has %d positions and %d turns", i+1, text, len(g.positions), len(g.turns))
			}
			for j := range g.turns {
				if !g.positions[j].Legal(g.turns[j]) {
					t.Errorf("game %d of %q: turn %d is not legal", i+1, text, j+1)
				}
			}
		}
	})
}
