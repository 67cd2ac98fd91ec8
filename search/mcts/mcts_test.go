package mcts

import (
	"context"
	"math"
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
func exhaust(p *position.Position, budget *int) proof {
	if *budget--; *budget < 0 {
		return unproven
	}
	turns := p.Turns(nil)
	if len(turns) == 0 {
		return endFor(p, p.SideToMove())
	}
	quickest, longest, draws := turnsMask, 0, false
	for _, t := range turns {
		var child position.Position
		p.Play(&child, t)
		switch theirs := exhaust(&child, budget); theirs.end() {
		case lost:
			quickest = min(quickest, theirs.turns()+1)
		case won:
			longest = max(longest, theirs.turns()+1)
		case drawn:
			draws = true
		}
		if *budget < 0 {
			return unproven
		}
	}
	switch {
	case quickest < turnsMask:
		return won | proof(quickest)
	case draws:
		return drawn
	}
	return lost | proof(longest)
}

// TestSolverAgreesWithMinimax compares what the tree search proves of positions
// near the end of random games with all that can happen.
func TestSolverAgreesWithMinimax(t *testing.T) {
	budgets, seen := 20_000, map[proof]int{}
	if testing.Short() {
		budgets = 2_000
	}
	s := New(16)
	for _, p := range searchtest.GamePositions(80) {
		if p.Pool() > 4 {
			continue
		}
		budget := budgets
		want := exhaust(&p, &budget)
		if want == unproven {
			continue
		}
		seen[want.end()]++
		s.NewGame()
		out := s.Search(context.Background(), p, search.Limits{Nodes: 200_000}, searchtest.Ignore)
		checkProof(t, &p, out.Info, want)
		if out.Info.Nodes >= 200_000 {
			t.Fatalf("%v: %v not proven", &p, want)
		}
		var child position.Position
		p.Play(&child, out.Best)
		budget = 10 * budgets
		if after := exhaust(&child, &budget); after.rank() != -want.rank() {
			t.Fatalf("%v: %v leads to %v, the position is %v", &p, out.Best, after, want)
		}
	}
	if seen[won] < 10 || seen[lost] < 10 || seen[drawn] < 3 {
		t.Fatalf("%d wins, %d losses and %d draws are too few to test anything", seen[won], seen[lost], seen[drawn])
	}
}

// checkProof checks a score against what is true of the position.
func checkProof(t *testing.T, p *position.Position, info search.Info, want proof) {
	t.Helper()
	plies, proven := info.Score.Mate()
	switch want.end() {
	case drawn:
		if info.Score != 0 || info.Bound != search.Exact {
			t.Fatalf("%v: score %d, the position is drawn", p, info.Score)
		}
	case won:
		if !proven || plies < want.turns() || info.Bound == search.Exact && plies != want.turns() || info.Bound == search.Upper {
			t.Fatalf("%v: score %d with bound %d, it is a win in %d", p, info.Score, info.Bound, want.turns())
		}
	case lost:
		if !proven || -plies < want.turns() || info.Bound == search.Exact && -plies != want.turns() || info.Bound == search.Lower {
			t.Fatalf("%v: score %d with bound %d, it is a loss in %d", p, info.Score, info.Bound, want.turns())
		}
	}
}

// TestTreeGoesOn checks that the tree of a turn is used for the next, and
// that the turns it then finds are legal; and that NewGame drops it.
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

// TestProofScores checks the scores and bounds of proofs.
func TestProofScores(t *testing.T) {
	for _, c := range []struct {
		proof proof
		score search.Score
		bound search.Bound
	}{
		{won, search.WinIn(1), search.Exact},
		{won | 1, search.WinIn(2), search.Exact},
		{won | 2, search.WinIn(3), search.Lower},
		{won | 4, search.WinIn(5), search.Lower},
		{lost | 1, search.LossIn(2), search.Exact},
		{lost | 2, search.LossIn(3), search.Exact},
		{lost | 3, search.LossIn(4), search.Upper},
		{drawn, 0, search.Exact},
	} {
		if score, bound := c.proof.score(); score != c.score || bound != c.bound {
			t.Errorf("proof %#x has score %d with bound %d, want %d with %d", c.proof, score, bound, c.score, c.bound)
		}
	}
}

// TestChances checks that an evaluation comes back from its chance as the score that
// is worth as much.
func TestChances(t *testing.T) {
	for centipawns := -600; centipawns <= 600; centipawns += 25 {
		c := chanceOf(centipawns)
		want := float64(centipawns) * 100 / evaluationScale
		if got := scoreOf(c.share()).Centipawns(); math.Abs(float64(got)-want) > 2 {
			t.Errorf("%d comes back as %d, want %v", centipawns, got, want)
		}
		if mirrored := chanceOf(-centipawns); int(mirrored)-int(c.opponent()) > 1 || int(c.opponent())-int(mirrored) > 1 {
			t.Errorf("chance %d at %d, %d at its negation", c, centipawns, mirrored)
		}
	}
	for _, centipawns := range []int{-quietWin, quietWin} {
		if _, proven := scoreOf(chanceOf(centipawns).share()).Mate(); proven {
			t.Errorf("%d comes back as a proven end", centipawns)
		}
	}
}

// TestArenaBound checks that a tree never outgrows its memory, that it goes on
// when it is full, and that what hangs in it hangs together.
func TestArenaBound(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := New(1)
		s.SetThreads(threads)
		if bytes := len(s.arena.branches) * branchBytes; bytes > 1<<20 {
			t.Fatalf("%d bytes in a mebibyte", bytes)
		}
		p := searchtest.Parse(t, searchtest.Middle)
		swept := false
		for range 3 {
			last := 0
			out := s.Search(context.Background(), p, search.Limits{Nodes: 1800}, func(i search.Info) {
				if i.HashFull > 1000 {
					t.Fatalf("%d thousandths full", i.HashFull)
				}
				swept = swept || i.HashFull < last
				last = i.HashFull
			})
			checkArena(t, s)
			searchtest.CheckLine(t, p, out.Info.PV)
			var child position.Position
			p.Play(&child, out.Best)
			p = child
		}
		if !swept {
			t.Errorf("with %d threads the arena was never swept", threads)
		}
	}
}

// checkArena walks the tree and checks its blocks, its turns and its visits.
func checkArena(t *testing.T, s *Searcher) {
	t.Helper()
	a := s.arena
	if int(a.used.Load()) > len(a.branches) {
		t.Fatalf("%d of %d branches used", a.used.Load(), len(a.branches))
	}
	var walk func(p position.Position, at uint32)
	walk = func(p position.Position, at uint32) {
		block := a.branches[at].block.Load()
		if block == noBlock {
			return
		}
		if block == busyBlock || block <= at || a.branches[block].turn != position.Turn(at) {
			t.Fatalf("branch %d has block %d of owner %d", at, block, a.branches[block].turn)
		}
		sum := uint32(0)
		for i := range a.blockAt(block) {
			child := &a.branches[block+1+uint32(i)]
			sum += child.visits.Load()
			if !p.Legal(child.turn) {
				t.Fatalf("%v is not legal at %v", child.turn, &p)
			}
			if child.total.Load() > int64(child.visits.Load())*int64(certain) {
				t.Fatalf("total %d of %d visits", child.total.Load(), child.visits.Load())
			}
			var next position.Position
			p.Play(&next, child.turn)
			walk(next, block+1+uint32(i))
		}
		if sum > a.branches[at].visits.Load() {
			t.Fatalf("%d visits below %d", sum, a.branches[at].visits.Load())
		}
	}
	walk(s.root, 0)
}

// TestSweepKeepsWhatHangsOnTheRoot compares trees before and after sweeping.
func TestSweepKeepsWhatHangsOnTheRoot(t *testing.T) {
	s := New(16) // so large that nothing is swept before
	p := searchtest.Parse(t, searchtest.Middle)
	out := s.Search(context.Background(), p, search.Limits{Nodes: 1500}, searchtest.Ignore)
	var child position.Position
	p.Play(&child, out.Best)
	s.adopt(&child)
	visits, blocks := s.arena.branches[0].visits.Load(), countBlocks(s.arena, 0)
	used := s.arena.used.Load()
	s.arena.sweep(0)
	checkArena(t, s)
	if got := s.arena.branches[0].visits.Load(); got != visits {
		t.Errorf("%d visits at the root after sweeping, %d before", got, visits)
	}
	if got := countBlocks(s.arena, 0); got != blocks {
		t.Errorf("%d blocks after sweeping, %d before", got, blocks)
	}
	if s.arena.used.Load() >= used {
		t.Errorf("%d branches used after sweeping, %d before", s.arena.used.Load(), used)
	}
	s.arena.sweep(3)
	checkArena(t, s)
	if got := countBlocks(s.arena, 0); got >= blocks || got == 0 {
		t.Errorf("%d blocks after thinning, %d before", got, blocks)
	}
}

// countBlocks counts the blocks at and below a branch.
func countBlocks(a *arena, at uint32) (n int) {
	block := a.branches[at].block.Load()
	if block == noBlock {
		return 0
	}
	for i := range a.blockAt(block) {
		n += countBlocks(a, block+1+uint32(i))
	}
	return n + 1
}

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
