package search_test

import (
	"context"
	"testing"
	"time"

	"gyre/search"
	"gyre/search/internal/searchtest"
)

func TestNodesLimit(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, nodes := range []uint64{1, 2, 100, 3000} {
			s.NewGame()
			last := search.Info{}
			out := s.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(i search.Info) { last = i })
			if !p.Legal(out.Best) {
				t.Errorf("with %d nodes: %v is not legal", nodes, out.Best)
			}
			if max(last.Nodes, out.Info.Nodes) > nodes {
				t.Errorf("%d nodes visited, the limit is %d", max(last.Nodes, out.Info.Nodes), nodes)
			}
		}
	})
}

func TestDepthLimit(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		s.NewGame()
		out := s.Search(context.Background(), p, search.Limits{Depth: 2}, searchtest.Ignore)
		if out.Info.Depth < 1 || !p.Legal(out.Best) {
			t.Errorf("turn %v at depth %d", out.Best, out.Info.Depth)
		}
	})
}

// TestTimeLimits checks that searches with a limit of time use some of it and come to an
// end.
func TestTimeLimits(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	moveTime := 60 * time.Millisecond
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		began := time.Now()
		out := s.Search(context.Background(), p, search.Limits{MoveTime: &moveTime}, searchtest.Ignore)
		if used := time.Since(began); used < moveTime/2 {
			t.Errorf("%v used of a movetime of %v", used, moveTime)
		}
		if !p.Legal(out.Best) {
			t.Errorf("movetime: %v is not legal", out.Best)
		}
		for _, clock := range []search.Clock{{Left: time.Second}, {Left: time.Millisecond}, {}, {Left: time.Second, Increment: 20 * time.Millisecond, MovesToGo: 8}} {
			if out := s.Search(context.Background(), p, search.Limits{Clock: &clock}, searchtest.Ignore); !p.Legal(out.Best) {
				t.Errorf("clock %v: %v is not legal", clock, out.Best)
			}
		}
	})
}

// TestWaits checks that a search that must not end by itself does not, even when all is
// known, and ends when it is told to.
func TestWaits(t *testing.T) {
	for _, text := range []string{searchtest.Middle, searchtest.MateIn1, searchtest.PassOnly} {
		p := searchtest.Parse(t, text)
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			hit := make(chan struct{})
			moveTime := time.Millisecond
			for _, c := range []struct {
				name   string
				limits search.Limits
				end    func()
			}{
				{"ponder", search.Limits{Ponder: hit, Nodes: 50}, func() { close(hit) }},
				{"ponder with a limit of time", search.Limits{Ponder: make(chan struct{}), MoveTime: &moveTime}, nil},
				{"infinite", search.Limits{Infinite: true}, cancel},
			} {
				if c.limits.MoveTime != nil {
					hit := make(chan struct{})
					c.limits.Ponder, c.end = hit, func() { close(hit) }
				}
				done := make(chan search.Outcome)
				go func() { done <- s.Search(ctx, p, c.limits, searchtest.Ignore) }()
				select {
				case out := <-done:
					t.Fatalf("%v: %s ended by itself with %v", &p, c.name, out.Best)
				case <-time.After(30 * time.Millisecond):
				}
				c.end()
				if out := <-done; !p.Legal(out.Best) {
					t.Errorf("%v: %s: %v is not legal", &p, c.name, out.Best)
				}
			}
		})
	}
}

// TestCancelledBeforeItBegins checks that there is a turn without any time.
func TestCancelledBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, text := range []string{searchtest.Middle, "4/7/8/9/10/9/10/9/8/7/4 w 0-0"} {
		p := searchtest.Parse(t, text)
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			if out := s.Search(ctx, p, search.Limits{Infinite: true}, searchtest.Ignore); !p.Legal(out.Best) {
				t.Errorf("%v is not legal", out.Best)
			}
		})
	}
}

// TestOnlyTurn checks that the only turn is found and that a clock with an hour on it is
// not waited for.
func TestOnlyTurn(t *testing.T) {
	p := searchtest.Parse(t, searchtest.PassOnly)
	turns := p.Turns(nil)
	if len(turns) != 1 {
		t.Fatalf("%d turns, want one", len(turns))
	}
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		out := s.Search(context.Background(), p, search.Limits{Clock: &search.Clock{Left: time.Hour}}, searchtest.Ignore)
		if out.Best != turns[0] {
			t.Errorf("turn %v, want %v", out.Best, turns[0])
		}
	})
}
