package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// TestBeatsRandom plays the searcher with 2,000 nodes a turn against uniformly
// random turns, each side 50 times. It has to win them all.
func TestBeatsRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	s := NewAlphaBeta(4)
	for game := range 100 {
		us := position.Side(game & 1)
		s.NewGame()
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			turn := turns[rng.IntN(len(turns))]
			if p.SideToMove() == us {
				turn = s.Search(context.Background(), p, Limits{Nodes: 2000}, func(Info) {}).Best
			}
			var child position.Position
			p.Play(&child, turn)
			p = child
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}
