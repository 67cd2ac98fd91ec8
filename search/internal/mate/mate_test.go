package mate_test

import (
	"context"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/internal/searchtest"
)

// winsWithin is a plain prover: minimax over all turns.
func winsWithin(p *position.Position, n int) bool {
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if losesWithin(&child, n-1) {
			return true
		}
	}
	return false
}

// losesWithin reports whether the side to move has lost or loses within n turns of
// its opponent.
func losesWithin(p *position.Position, n int) bool {
	turns := p.Turns(nil)
	if len(turns) == 0 {
		return p.Removed(p.SideToMove()) < p.Removed(p.SideToMove().Opponent())
	}
	for _, t := range turns {
		child := p.After(t)
		switch {
		case child.Over():
			if child.Removed(child.SideToMove()) <= child.Removed(child.SideToMove().Opponent()) {
				return false
			}
		case n == 0 || !winsWithin(&child, n):
			return false
		}
	}
	return true
}

// TestMateAgreesWithMinimax compares mate N with plain minimax on positions late in
// random games. A line must end the game in as many turns as the score says.
func TestMateAgreesWithMinimax(t *testing.T) {
	s := alphabeta.New(1)
	wins, none, every := 0, 0, 24
	if testing.Short() {
		every = 36
	}
	for i, p := range searchtest.GamePositions(60) {
		late := p.Removed(position.White) == 2 || p.Removed(position.Black) == 2
		if last := p.Pool() == 2; !(late && i%every == 0 || last && i%4 == 0) { // the loser's turn may end the game
			continue
		}
		want := 0
		for n := 1; n <= 2 && want == 0; n++ {
			if winsWithin(&p, n) {
				want = n
			}
		}
		out := s.Search(context.Background(), p, search.Limits{Mate: 2}, func(search.Info) {})
		got := 0
		if plies, proven := out.Info.Score.Mate(); proven && len(out.Info.PV) > 0 && plies > 0 && plies <= 4 {
			got = (plies + 1) / 2
			if end := p.AfterAll(out.Info.PV...); len(out.Info.PV) != plies || !end.Over() {
				t.Errorf("%v: the game is not over in %d turns after %v", &p, plies, out.Info.PV)
			}
		}
		if got != want {
			t.Fatalf("%v: a win in %d turns by mate 2, %d by minimax", &p, got, want)
		}
		if want > 0 {
			wins++
		} else {
			none++
		}
	}
	if wins < 3 || none < 3 {
		t.Fatalf("%d wins and %d without are too few to test anything", wins, none)
	}
}

// TestOnlyTurnWithClock checks that a mate search with one turn and a clock looks as far
// ahead as one without a clock.
func TestOnlyTurnWithClock(t *testing.T) {
	p := searchtest.Parse(t, "bBbW/1b2b2/1W1wwww1/1bwbwb3/1b5W2/4bbw2/3b1bwbB1/5ww2/b2w1b1b/1bBw1w1/2w1 b 2-2")
	only, err := p.ParseTurn("j7-h7")
	if err != nil {
		t.Fatal(err)
	}
	minute := search.Clock{Left: time.Minute}
	work := func(clock search.Clock) uint64 {
		limits := search.Limits{Mate: 2, SearchTurns: []position.Turn{only}, Clock: [2]search.Clock{clock, clock}, NodesTime: 1_000}
		out := alphabeta.New(1).Search(context.Background(), p, limits, searchtest.Ignore)
		if plies, proven := out.Info.Score.Mate(); !proven || plies != 3 {
			t.Errorf("%v: %d plies, proven %t, want a win in 3", clock, plies, proven)
		}
		return out.Info.Nodes
	}
	if got, want := work(minute), work(search.Clock{}); got != want {
		t.Errorf("%d nodes with a clock, want the %d of a search without", got, want)
	}
}
