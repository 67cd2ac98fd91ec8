package mate_test

import (
	"context"
	"testing"

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
