package search_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/internal/searchtest"
	"gyre/search/mcts"
)

// searchers are the two searchers, which keep one contract.
var searchers = []struct {
	name string
	make func() search.Searcher
}{
	{"alpha-beta", func() search.Searcher { return alphabeta.New(2) }},
	{"mcts", func() search.Searcher { return mcts.New(2) }},
}

// forEachSearcher runs a test for each searcher.
func forEachSearcher(t *testing.T, test func(t *testing.T, s search.Searcher)) {
	for _, kind := range searchers {
		t.Run(kind.name, func(t *testing.T) { test(t, kind.make()) })
	}
}

func TestBestTurnIsLegal(t *testing.T) {
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		all := searchtest.GamePositions(20)
		for i := 0; i < len(all); i += 7 {
			p := all[i]
			out := s.Search(context.Background(), p, search.Limits{Nodes: 60}, searchtest.Ignore)
			if !p.Legal(out.Best) {
				t.Fatalf("%v: %v is not legal", &p, out.Best)
			}
			searchtest.CheckLine(t, p, out.Info.PV)
			if len(out.Info.PV) == 0 || out.Info.PV[0] != out.Best {
				t.Fatalf("%v: line %v does not begin with the best turn %v", &p, out.Info.PV, out.Best)
			}
			if len(out.Info.PV) > 1 && out.Info.PV[1] != out.Ponder {
				t.Fatalf("%v: %v to ponder, the line is %v", &p, out.Ponder, out.Info.PV)
			}
		}
	})
}

func TestFinishedGameHasNoTurn(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	p.Playout(rand.NewPCG(1, 2))
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, limits := range []search.Limits{{Nodes: 10}, {Infinite: true}, {Mate: 2}} {
			if out := s.Search(context.Background(), p, limits, searchtest.Ignore); out.Best != position.None {
				t.Errorf("turn %v after the end of the game", out.Best)
			}
		}
	})
}

// TestMateInOne checks that a turn that wins is found and proven.
func TestMateInOne(t *testing.T) {
	p := searchtest.Parse(t, searchtest.MateIn1)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, limits := range []search.Limits{{Nodes: 3000}, {Depth: 3}, {Mate: 1}} {
			s.NewGame()
			out := s.Search(context.Background(), p, limits, searchtest.Ignore)
			var child position.Position
			if p.Play(&child, out.Best); child.Result() != position.WhiteWins {
				t.Errorf("%v does not win", out.Best)
			}
			if plies, proven := out.Info.Score.Mate(); !proven || plies != 1 {
				t.Errorf("score %v, want a win in one turn", out.Info.Score)
			}
		}
	})
}

// TestSameWork checks that equal searches of one thread are equal.
func TestSameWork(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		var lines [2][]position.Turn
		var scores [2]search.Score
		for i := range lines {
			s.NewGame()
			out := s.Search(context.Background(), p, search.Limits{Nodes: 2500}, searchtest.Ignore)
			lines[i], scores[i] = out.Info.PV, out.Info.Score
		}
		if !slices.Equal(lines[0], lines[1]) || scores[0] != scores[1] {
			t.Errorf("%v and %v, scores %v and %v", lines[0], lines[1], scores[0], scores[1])
		}
	})
}

// TestManyThreads searches with four threads, for the race detector and for the
// limits.
func TestManyThreads(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		s.SetThreads(4)
		for range 3 {
			out := s.Search(context.Background(), p, search.Limits{Nodes: 1000, MultiPV: 2}, searchtest.Ignore)
			if !p.Legal(out.Best) {
				t.Fatalf("%v is not legal", out.Best)
			}
			var child position.Position
			p.Play(&child, out.Best)
			p = child
		}
		if err := s.Resize(1); err != nil {
			t.Fatal(err)
		}
		s.SetThreads(2)
		if out := s.Search(context.Background(), p, search.Limits{Nodes: 500}, searchtest.Ignore); !p.Legal(out.Best) {
			t.Fatalf("%v is not legal after resizing", out.Best)
		}
	})
}
