package mcts

import (
	"context"
	"math/rand/v2"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestTreeGoesOn checks that the tree of a turn is used for the next, and that the turns
// it then finds are legal; and that NewGame drops it.
func TestTreeGoesOn(t *testing.T) {
	const visits = 80
	s := New(8)
	rng := rand.New(rand.NewPCG(3, 4))
	p := position.Start(position.Standard)
	kept := 0
	for turn := 0; !p.Over(); turn++ {
		out := s.Search(context.Background(), p, search.Limits{Nodes: visits}, searchtest.Ignore)
		searchtest.CheckLine(t, p, out.Info.PV)
		if s.arena.branches[0].visits.Load() > visits {
			kept++
		}
		reply := out.Best
		if turn%3 == 0 {
			turns := p.Turns(nil)
			reply = turns[rng.IntN(len(turns))]
		}
		var child position.Position
		p.Play(&child, reply)
		p = child
	}
	if kept < 10 {
		t.Errorf("the tree went on %d times", kept)
	}
	s.NewGame()
	if n := s.arena.used.Load(); n != 1 {
		t.Errorf("%d branches after NewGame", n)
	}
}

// TestTreeFindsItsPlace checks where the tree goes on after no turn, one and two.
func TestTreeFindsItsPlace(t *testing.T) {
	s := New(8)
	root := searchtest.Parse(t, searchtest.Middle)
	p := root
	line := s.Search(context.Background(), p, search.Limits{Nodes: 3000}, searchtest.Ignore).Info.PV
	for n := range 4 {
		_, found := s.find(&p)
		if want := n <= 2; found != want {
			t.Errorf("after %d turns of the principal variation found is %v", n, found)
		}
		var child position.Position
		p.Play(&child, line[n])
		p = child
	}
	blitz := root
	if got, err := position.Parse(root.String(), position.Blitz); err == nil {
		blitz = got
	}
	if _, found := s.find(&blitz); found && blitz != root {
		t.Error("a position of other rules is found")
	}
}
