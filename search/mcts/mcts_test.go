package mcts

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestTreeBeatsRandom plays the tree search with 2,000 visits a turn against
// uniformly random turns. It must win every game.
func TestTreeBeatsRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("20 games take a while")
	}
	rng := rand.New(rand.NewPCG(20, 27))
	s := New(16)
	for game := range 20 {
		us := position.Side(game & 1)
		s.NewGame()
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			turn := turns[rng.IntN(len(turns))]
			if p.SideToMove() == us {
				turn = s.Search(context.Background(), p, search.Limits{Nodes: 2000}, searchtest.Ignore).Best
			}
			p = p.After(turn)
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}

// TestReports checks that reports are consistent and in order.
func TestReports(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	s := New(8)
	var nodes uint64
	var elapsed time.Duration
	count := 0
	s.Search(context.Background(), p, search.Limits{Nodes: 2000, MultiPV: 3}, func(i search.Info) {
		count++
		if i.Nodes < nodes || i.Time < elapsed {
			t.Errorf("%d nodes after %v follow %d after %v", i.Nodes, i.Time, nodes, elapsed)
		}
		if i.Depth != len(i.PV) || i.SelDepth < i.Depth {
			t.Errorf("depth %d, deepest %d, line %v", i.Depth, i.SelDepth, i.PV)
		}
		nodes, elapsed = i.Nodes, i.Time
	})
	if count < 3*5 {
		t.Errorf("%d reports in 2,000 visits", count)
	}
}
