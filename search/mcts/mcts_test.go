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

// uniformly random turns. It has to win every game.

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
			var child position.Position
			p.Play(&child, turn)
			p = child
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}

// exhaust plays every game from p to its end and returns how it ends for the

// side to move, told as a proof is, with the turns of the quickest win or of

// the longest loss. It gives up when the budget of positions is spent.

// TestSolverAgreesWithMinimax compares what the tree search proves of positions

// near the end of random games with all that can happen.

// checkProof checks a score against what is true of the position.

// TestTreeGoesOn checks that the tree of a turn is used for the next, and

// that the turns it then finds are legal; and that NewGame drops it.

// TestTreeFindsItsPlace checks where the tree goes on after no turn, one and two.

// TestProofScores checks the scores and bounds of proofs.

// TestChances checks that an evaluation comes back from its chance as the score that

// is worth as much.

// TestArenaBound checks that a tree never outgrows its memory, that it goes on

// when it is full, and that what hangs in it hangs together.

// checkArena walks the tree and checks its blocks, its turns and its visits.

// TestSweepKeepsWhatHangsOnTheRoot compares trees before and after sweeping.

// countBlocks counts the blocks at and below a branch.

// TestReports checks that reports come in order and agree with each other.

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
