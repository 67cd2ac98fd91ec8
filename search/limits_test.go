package search_test

import (
	"context"
	"sync/atomic"
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

// virtualClock returns a clock that goes on by a step each time somebody reads it, and
// what it shows after its beginning.
func virtualClock(step time.Duration) (now func() time.Time, shows func() time.Duration) {
	var readings atomic.Int64
	began := time.Unix(0, 0)
	now = func() time.Time { return began.Add(step * time.Duration(readings.Add(1))) }
	return now, func() time.Duration { return step * time.Duration(readings.Load()) }
}

// TestFirstLimitEndsTheSearch checks that limits hold together: the one that is reached
// first ends the search. The clock goes on by a millisecond each time the search looks at
// it, and a search looks so often that nothing is cut off by more than a few of them.
func TestFirstLimitEndsTheSearch(t *testing.T) {
	const ms, slack = time.Millisecond, 6 * time.Millisecond
	moveTime := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		name        string
		limits      search.Limits
		least, most time.Duration
		nodes       uint64
	}{
		{name: "clock before movetime", limits: search.Limits{Clock: &search.Clock{Left: 200 * ms}, MoveTime: moveTime(3 * time.Second)}, most: 200 * ms},
		{name: "movetime before clock", limits: search.Limits{Clock: &search.Clock{Left: time.Hour}, MoveTime: moveTime(30 * ms)}, least: 20 * ms, most: 30 * ms},
		{name: "movetime before nodes", limits: search.Limits{Nodes: 1 << 40, MoveTime: moveTime(30 * ms)}, least: 20 * ms, most: 30 * ms},
		{name: "nodes before movetime", limits: search.Limits{Nodes: 90, MoveTime: moveTime(time.Hour)}, most: time.Minute, nodes: 90},
		{name: "nodes before clock", limits: search.Limits{Nodes: 90, Clock: &search.Clock{Left: time.Hour}}, most: time.Minute, nodes: 90},
		{name: "depth before clock", limits: search.Limits{Depth: 1, Clock: &search.Clock{Left: 10 * time.Hour}}, most: time.Minute},
		{name: "movetime before mate", limits: search.Limits{Mate: 40, MoveTime: moveTime(30 * ms)}, least: 20 * ms, most: 30 * ms},
		{name: "movetime before the answer without a mate", limits: search.Limits{Mate: 1, MoveTime: moveTime(2 * ms)}, most: 2 * ms, nodes: 3000},
		{name: "clock before the answer without a mate", limits: search.Limits{Mate: 1, Clock: &search.Clock{Left: 4 * ms}}, most: 4 * ms, nodes: 3000},
		{name: "nodes before the answer without a mate", limits: search.Limits{Mate: 1, Nodes: 90}, most: time.Minute, nodes: 90},
		{name: "a movetime no longer than the overhead", limits: search.Limits{MoveTime: moveTime(10 * ms), Overhead: 10 * ms}, least: 8 * ms, most: 10 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachSearcher(t, func(t *testing.T, s search.Searcher) {
				now, shows := virtualClock(ms)
				p := searchtest.Parse(t, searchtest.Middle)
				c.limits.Now = now
				out := s.Search(context.Background(), p, c.limits, searchtest.Ignore)
				if used := shows(); used < c.least || used > c.most+slack {
					t.Errorf("%v used, want from %v to %v", used, c.least, c.most)
				}
				if c.nodes > 0 && out.Info.Nodes > c.nodes {
					t.Errorf("%d nodes, want %d at most", out.Info.Nodes, c.nodes)
				}
				if !p.Legal(out.Best) {
					t.Errorf("%v is not legal", out.Best)
				}
			})
		})
	}
}
