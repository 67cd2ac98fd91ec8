package alphabeta

import (
	"context"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/searchtest"
)

// TestThreads lets several threads search over one small table, and cuts some
// of the searches short. The race detector watches in CI.
func TestThreads(t *testing.T) {
	s := New(1)
	for i, p := range searchtest.GamePositions(4) {
		if i%11 != 0 {
			continue
		}
		s.SetThreads(1 + i%4)
		out := s.Search(context.Background(), p, search.Limits{Nodes: 6000}, func(search.Info) {})
		if !p.Legal(out.Best) {
			t.Fatalf("%v: %v is not legal", &p, out.Best)
		}
		ctx, cancel := context.WithCancel(context.Background())
		out = s.Search(ctx, p, search.Limits{Infinite: true}, func(info search.Info) {
			if info.Depth >= 2 {
				cancel()
			}
		})
		cancel()
		if !p.Legal(out.Best) {
			t.Fatalf("%v: cut short, %v is not legal", &p, out.Best)
		}
	}
}

// TestThreadsShareNodes checks that a limit of nodes holds for all threads
// together, within what they visit between two looks at it.
func TestThreadsShareNodes(t *testing.T) {
	s := New(4)
	s.SetThreads(3)
	p := position.Start(position.Standard)
	out := s.Search(context.Background(), p, search.Limits{Nodes: 50_000}, func(search.Info) {})
	if out.Info.Nodes > 60_000 {
		t.Errorf("%d nodes, the limit is 50,000", out.Info.Nodes)
	}
}

// TestThreadsShareEvaluator checks that all threads judge by the evaluator that
// was set, those that come later too.
func TestThreadsShareEvaluator(t *testing.T) {
	s := New(1)
	s.SetThreads(2)
	want := evaluation.NewEvaluator(evaluation.NewWeights("none"))
	s.SetEvaluator(want)
	s.SetThreads(4)
	for i, w := range s.workers {
		if w.scorer.Evaluator != want {
			t.Errorf("thread %d has another evaluator", i)
		}
	}
}

// TestLastReportCountsAllThreads checks that the last report tells the nodes of all
// threads as they are when all have ended, not as they were at a look before.
func TestLastReportCountsAllThreads(t *testing.T) {
	s := New(1)
	s.SetThreads(3)
	var last search.Info
	s.Search(context.Background(), searchtest.Parse(t, searchtest.Middle), search.Limits{Nodes: 300_000}, func(i search.Info) { last = i })
	all := uint64(0)
	for _, w := range s.workers {
		all += w.nodes
	}
	if last.Nodes != all {
		t.Errorf("the last report tells %d nodes of %d", last.Nodes, all)
	}
}
