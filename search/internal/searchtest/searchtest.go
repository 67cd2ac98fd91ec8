// Package searchtest provides helpers for the tests of the searchers: positions, and a
// check of principal variations.
package searchtest

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
	"gyre/search"
)

// Positions of the standard rules, as text.
const (
	Middle   = "4/7/8/3W5/3bwB4/2Wwb4/3BwbW3/3bWB3/2Bw4/2W4/1B2 w 0-0"
	MateIn1  = "B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 w 2-0" // the ring on f7 leaves the fifth marker of a row
	PassOnly = "WB2/WWB4/BBB5/9/10/9/10/9/8/7/4 w 2-0"

	// Crowded is a position that no game reaches: White has more than a million turns.
	Crowded = "WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0"
)

// Parse parses a position under the standard rules. It ends the test on an error.
func Parse(t testing.TB, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// GamePositions returns the positions of random games. They are the same in every
// call.
func GamePositions(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range games {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			all = append(all, p)
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// CheckLine ends the test unless all turns of a line are legal.
func CheckLine(t testing.TB, p position.Position, line []position.Turn) {
	t.Helper()
	for i, turn := range line {
		if !p.Legal(turn) {
			t.Fatalf("turn %d of the line %v is not legal at %v", i, line, &p)
		}
		p = p.After(turn)
	}
}

// Ignore is a report function that does nothing.
func Ignore(search.Info) {}
