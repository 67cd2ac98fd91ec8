package mcts

import (
	"context"
	"math/rand/v2"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestArenaBound checks that a tree never outgrows its memory, that the search
// continues when it is full, and that the tree stays consistent.
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
			p = p.After(out.Best)
		}
		if !swept {
			t.Errorf("with %d threads the arena was never swept", threads)
		}
	}
}

// checkArena walks the tree and checks its blocks, turns and visits.
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
			if child.proof() != drawn { // draws are credited with visits that others get
				sum += child.visits.Load()
			}
			if !p.Legal(child.turn) {
				t.Fatalf("%v is not legal at %v", child.turn, &p)
			}
			if child.total.Load() > int64(child.visits.Load())*int64(certain) {
				t.Fatalf("total %d of %d visits", child.total.Load(), child.visits.Load())
			}
			next := p.After(child.turn)
			walk(next, block+1+uint32(i))
		}
		if sum > a.branches[at].visits.Load() {
			t.Fatalf("%d visits below %d", sum, a.branches[at].visits.Load())
		}
	}
	walk(s.root, 0)
}

// TestSweepKeepsReachableBranches compares trees before and after sweeping.
func TestSweepKeepsReachableBranches(t *testing.T) {
	s := New(16) // large enough to avoid a sweep before
	p := searchtest.Parse(t, searchtest.Middle)
	out := s.Search(context.Background(), p, search.Limits{Nodes: 1500}, searchtest.Ignore)
	child := p.After(out.Best)
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

// TestTreeIsReused checks that the next search uses the tree of the last one, that
// its turns are legal, and that NewGame drops it.
func TestTreeIsReused(t *testing.T) {
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
		p = p.After(reply)
	}
	if kept < 10 {
		t.Errorf("the tree went on %d times", kept)
	}
	s.NewGame()
	if n := s.arena.used.Load(); n != 1 {
		t.Errorf("%d branches after NewGame", n)
	}
}

// TestTreeFindsItsPlace checks where the search continues in the tree after zero, one
// and two turns.
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
		p = p.After(line[n])
	}
	blitz := root
	if got, err := position.Parse(root.String(), position.Blitz); err == nil {
		blitz = got
	}
	if _, found := s.find(&blitz); found && blitz != root {
		t.Error("a position of other rules is found")
	}
}
