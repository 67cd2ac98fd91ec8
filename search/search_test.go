package search_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/internal/searchtest"
	"gyre/search/mcts"
)

// searchers are the implementations of search.Searcher.
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

// both returns equal clocks of both sides.
func both(c search.Clock) [2]search.Clock { return [2]search.Clock{c, c} }

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

// TestMateInOne checks that a winning turn is found and proven.
func TestMateInOne(t *testing.T) {
	p := searchtest.Parse(t, searchtest.MateIn1)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, limits := range []search.Limits{{Nodes: 3000}, {Depth: 3}, {Mate: 1}} {
			s.NewGame()
			out := s.Search(context.Background(), p, limits, searchtest.Ignore)
			if child := p.After(out.Best); child.Result() != position.WhiteWins {
				t.Errorf("%v does not win", out.Best)
			}
			if plies, proven := out.Info.Score.Mate(); !proven || plies != 1 {
				t.Errorf("score %v, want a win in one turn", out.Info.Score)
			}
		}
	})
}

// TestSameWork checks that equal searches with one thread are equal.
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
			p = p.After(out.Best)
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

// TestTimeLimits checks that a search with a time limit uses some of the time and
// ends. It needs the real clock, which searches read.
func TestTimeLimits(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	moveTime := 10 * time.Millisecond
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		out := s.Search(context.Background(), p, search.Limits{MoveTime: moveTime}, searchtest.Ignore)
		if used := out.Info.Time; used < moveTime/2 {
			t.Errorf("%v used of a movetime of %v", used, moveTime)
		}
		if !p.Legal(out.Best) {
			t.Errorf("movetime: %v is not legal", out.Best)
		}
		for movesToGo, clock := range []search.Clock{{Left: time.Second}, {Left: time.Millisecond}, {Left: 1}, {Left: time.Second, Increment: 20 * time.Millisecond}} {
			if out := s.Search(context.Background(), p, search.Limits{Clock: both(clock), MovesToGo: movesToGo}, searchtest.Ignore); !p.Legal(out.Best) {
				t.Errorf("clock %v: %v is not legal", clock, out.Best)
			}
		}
	})
}

// TestWaits checks that an infinite or pondering search does not end by itself, even
// if the result is proven, and that it ends when it is stopped.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits search.Limits
		ponder bool
		beyond func(search.Info) bool // the report is beyond the limits
	}{
		{"ponder", search.Limits{Nodes: 50}, true, func(i search.Info) bool { return i.Nodes > 50 }},
		{"ponder with a limit of time", search.Limits{MoveTime: time.Millisecond}, true, func(i search.Info) bool { return i.Time > time.Millisecond }},
		{"infinite", search.Limits{Infinite: true}, false, func(i search.Info) bool { return i.Depth > 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			// start starts a search and returns what stops it.
			start := func(s search.Searcher, p position.Position, report func(search.Info)) (done chan search.Outcome, stop func()) {
				ctx, cancel := context.WithCancel(context.Background())
				limits, stop := c.limits, cancel
				if c.ponder {
					hit := make(chan struct{})
					limits.Ponder, limits.PonderHit, stop = true, hit, func() { close(hit) }
				}
				done = make(chan search.Outcome, 1)
				go func() {
					done <- s.Search(ctx, p, limits, report)
					cancel()
				}()
				return done, stop
			}
			end := func(t *testing.T, p *position.Position, done chan search.Outcome, stop func()) {
				select {
				case out := <-done:
					t.Fatalf("%v: ended by itself with %v", p, out.Best)
				default:
				}
				stop()
				if out := <-done; !p.Legal(out.Best) {
					t.Errorf("%v: %v is not legal", p, out.Best)
				}
			}
			for _, text := range []string{searchtest.Middle, searchtest.PassOnly} { // without a proven result
				p := searchtest.Parse(t, text)
				forEachSearcher(t, func(t *testing.T, s search.Searcher) {
					beyond := make(chan struct{})
					var once sync.Once
					done, stop := start(s, p, func(i search.Info) {
						if c.beyond(i) {
							once.Do(func() { close(beyond) })
						}
					})
					<-beyond
					end(t, &p, done, stop)
				})
			}
			proven := searchtest.Parse(t, searchtest.MateIn1)
			forEachSearcher(t, func(t *testing.T, s search.Searcher) {
				synctest.Test(t, func(t *testing.T) {
					done, stop := start(s, proven, searchtest.Ignore)
					synctest.Wait() // the search has nothing left to do
					end(t, &proven, done, stop)
				})
			})
		})
	}
}

// TestCanceledBeforeStart checks that a search without any time returns a turn.
func TestCanceledBeforeStart(t *testing.T) {
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

// TestOnlyTurn checks that a search with one legal turn does not wait for an hour on
// the clock.
func TestOnlyTurn(t *testing.T) {
	p := searchtest.Parse(t, searchtest.PassOnly)
	turns := p.Turns(nil)
	if len(turns) != 1 {
		t.Fatalf("%d turns, want one", len(turns))
	}
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		out := s.Search(context.Background(), p, search.Limits{Clock: both(search.Clock{Left: time.Hour})}, searchtest.Ignore)
		if out.Best != turns[0] {
			t.Errorf("turn %v, want %v", out.Best, turns[0])
		}
	})
}

// TestFirstLimitEndsTheSearch checks combined limits: the first one reached ends the
// search. The clock counts nodes, so that a time limit ends a search at one exact
// node.
func TestFirstLimitEndsTheSearch(t *testing.T) {
	const ms, perMilli = time.Millisecond, 10
	for _, c := range []struct {
		name     string
		limits   search.Limits
		min, max uint64 // nodes
	}{
		{"clock before movetime", search.Limits{Clock: both(search.Clock{Left: 200 * ms}), MoveTime: 3 * time.Second}, 1, 2000},
		{"movetime before clock", search.Limits{Clock: both(search.Clock{Left: time.Hour}), MoveTime: 30 * ms}, 300, 300},
		{"movetime before nodes", search.Limits{Nodes: 1 << 40, MoveTime: 30 * ms}, 300, 300},
		{"nodes before movetime", search.Limits{Nodes: 90, MoveTime: time.Hour}, 90, 90},
		{"nodes before clock", search.Limits{Nodes: 90, Clock: both(search.Clock{Left: time.Hour})}, 90, 90},
		{"depth before clock", search.Limits{Depth: 1, Clock: both(search.Clock{Left: 10 * time.Hour})}, 1, 60_000},
		{"movetime before mate", search.Limits{Mate: 40, MoveTime: 30 * ms}, 300, 300},
		{"clock before mate", search.Limits{Mate: 40, Clock: both(search.Clock{Left: 4 * ms})}, 1, 40},
		{"nodes before mate", search.Limits{Mate: 40, Nodes: 90}, 90, 90},
		{"one node before mate", search.Limits{Mate: 40, Nodes: 1}, 1, 1},
		{"nodes that the proof leaves", search.Limits{Mate: 1, Nodes: 4000}, 1000, 2000},
		{"a movetime no longer than the overhead", search.Limits{MoveTime: 10 * ms, Overhead: 10 * ms}, 90, 90},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachSearcher(t, func(t *testing.T, s search.Searcher) {
				p := searchtest.Parse(t, searchtest.Middle)
				c.limits.NodesTime = perMilli
				out := s.Search(context.Background(), p, c.limits, searchtest.Ignore)
				if got := out.Info.Nodes; got < c.min || got > c.max {
					t.Errorf("%d nodes, want from %d to %d", got, c.min, c.max)
				}
				if !p.Legal(out.Best) {
					t.Errorf("%v is not legal", out.Best)
				}
			})
		})
	}
}

// TestNodesTimeRepeats checks that searches by a clock of nodes do the same work and
// send the same reports each time, and that the last report includes all nodes.
func TestNodesTimeRepeats(t *testing.T) {
	moveTime := 40 * time.Millisecond
	p := searchtest.Parse(t, searchtest.Middle)
	for _, c := range []struct {
		name   string
		limits search.Limits
		nodes  uint64 // where the hard limit is; 0 if the search ends by itself
	}{
		{"movetime", search.Limits{NodesTime: 73, MoveTime: moveTime}, 2920},
		{"clock", search.Limits{NodesTime: 20, Clock: both(search.Clock{Left: 4 * time.Second, Increment: 10 * time.Millisecond}), Overhead: time.Millisecond}, 0},
	} {
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			type answer struct {
				Outcome search.Outcome
				Infos   []search.Info
			}
			search := func() (a answer) {
				s.NewGame()
				a.Outcome = s.Search(context.Background(), p, c.limits, func(i search.Info) { a.Infos = append(a.Infos, i) })
				return a
			}
			first := search()
			for range 3 {
				if diff := cmp.Diff(first, search()); diff != "" {
					t.Fatalf("%s: another search after the same:\n%s", c.name, diff)
				}
			}
			last := first.Infos[len(first.Infos)-1].Nodes
			if last != first.Outcome.Info.Nodes || c.nodes > 0 && last != c.nodes {
				t.Errorf("%s: %d nodes in the last report, %d in the outcome, want %d", c.name, last, first.Outcome.Info.Nodes, c.nodes)
			}
		})
	}
}

func TestSearchTurns(t *testing.T) {
	for _, text := range []string{searchtest.Middle, searchtest.MateIn1, "4/7/8/9/10/9/10/9/8/7/4 w 0-0"} {
		p := searchtest.Parse(t, text)
		turns := p.Turns(nil)
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			s.Search(context.Background(), p, search.Limits{Nodes: 200}, searchtest.Ignore)
			for _, some := range [][]position.Turn{turns[:1], turns[len(turns)-1:], turns[:5], turns[len(turns)/2:]} {
				out := s.Search(context.Background(), p, search.Limits{Nodes: 200, SearchTurns: slices.Clone(some)}, searchtest.Ignore)
				if !slices.Contains(some, out.Best) {
					t.Errorf("%v: %v is none of %v", &p, out.Best, some)
				}
			}
		})
	}
}

// TestRepeatedSearchTurns checks that a turn named twice is searched once, and that the
// next search has all of its turns.
func TestRepeatedSearchTurns(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	a, b := p.Turns(nil)[0], p.Turns(nil)[1]
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, c := range []struct{ turns, want []position.Turn }{
			{[]position.Turn{a, a}, []position.Turn{a}},
			{[]position.Turn{b, a}, []position.Turn{a, b}},
			{[]position.Turn{b, a, b}, []position.Turn{a, b}},
		} {
			lines := map[int]position.Turn{}
			s.Search(context.Background(), p, search.Limits{Nodes: 200, MultiPV: 3, SearchTurns: c.turns}, func(i search.Info) { lines[i.MultiPV] = i.PV[0] })
			if got := slices.Sorted(maps.Values(lines)); !slices.Equal(got, c.want) {
				t.Errorf("turns %v: lines of %v, want %v", c.turns, got, c.want)
			}
		}
	})
}

// TestFewerThreads checks that the memory of threads that a searcher no longer has is free.
func TestFewerThreads(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		before := heap()
		s.SetThreads(32) // of more than a mebibyte each
		s.SetThreads(1)
		if after := heap(); after > before+8<<20 {
			t.Errorf("%d bytes with one thread, %d after 32 threads", before, after)
		}
		runtime.KeepAlive(s)
	})
}

func TestMultiPV(t *testing.T) {
	for _, text := range []string{searchtest.Middle, searchtest.MateIn1, searchtest.PassOnly} {
		p := searchtest.Parse(t, text)
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			lines := map[int]search.Info{}
			out := s.Search(context.Background(), p, search.Limits{Nodes: 2000, MultiPV: 4}, func(i search.Info) { lines[i.MultiPV] = i })
			if want := min(4, p.Count()); len(lines) != want {
				t.Fatalf("%v: %d lines, want %d", &p, len(lines), want)
			}
			seen := map[position.Turn]bool{}
			for _, line := range lines {
				searchtest.CheckLine(t, p, line.PV)
				if seen[line.PV[0]] {
					t.Errorf("%v: two lines begin with %v", &p, line.PV[0])
				}
				seen[line.PV[0]] = true
			}
			if best := lines[1].PV[0]; best != out.Best {
				t.Errorf("%v: the first line begins with %v, the best turn is %v", &p, best, out.Best)
			}
		})
	}
}

// TestLastReport checks that the last report of the first line matches the outcome,
// wherever a limit ends the search.
func TestLastReport(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		all := []search.Limits{{Mate: 1}, {Mate: 2, Nodes: 3000}}
		for nodes := uint64(100); nodes < 5000; nodes += 350 {
			all = append(all, search.Limits{Nodes: nodes})
		}
		for _, limits := range all {
			s.NewGame()
			var last search.Info
			out := s.Search(context.Background(), p, limits, func(i search.Info) { last = i })
			if !slices.Equal(last.PV, out.Info.PV) || last.Score != out.Info.Score || last.Depth != out.Info.Depth || last.Nodes != out.Info.Nodes {
				t.Errorf("%+v: depth %d, %v %v, %d nodes, last reported depth %d, %v %v, %d nodes", limits,
					out.Info.Depth, out.Info.Score, out.Info.PV, out.Info.Nodes, last.Depth, last.Score, last.PV, last.Nodes)
			}
		}
	})
}

// TestMateAnswer checks that a mate search without a mate plays a turn that a normal search has
// chosen, whatever ends the proof.
func TestMateAnswer(t *testing.T) {
	const ms = time.Millisecond
	clock := both(search.Clock{Left: 4000 * ms})
	p := searchtest.Parse(t, searchtest.Middle)
	for _, c := range []struct {
		name   string
		limits search.Limits
	}{
		{"no mate within the limit", search.Limits{Mate: 1}},
		{"movetime", search.Limits{Mate: 40, MoveTime: 400 * ms, NodesTime: 10}},
		{"clock", search.Limits{Mate: 40, Clock: clock, NodesTime: 100}},
		{"nodes", search.Limits{Mate: 40, Nodes: 4000}},
		{"movetime and pondering", search.Limits{Mate: 40, MoveTime: 400 * ms, NodesTime: 10, Ponder: true}},
		{"depth", search.Limits{Mate: 40, Depth: 2}},
		{"stop", search.Limits{Mate: 40, Infinite: true}},
		{"stop while pondering", search.Limits{Mate: 40, Ponder: true, MoveTime: time.Hour}},
	} {
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			hit := make(chan struct{})
			c.limits.PonderHit = hit
			var once sync.Once
			out := s.Search(ctx, p, c.limits, func(i search.Info) {
				once.Do(func() { // the first report of the proof
					close(hit)
					if c.limits.Infinite || c.limits.MoveTime == time.Hour {
						stop()
					}
				})
			})
			if out.Info.Depth == 0 || len(out.Info.PV) < 2 || !p.Legal(out.Best) {
				t.Errorf("%s: %v at depth %d after %d nodes, with the line %v: not searched", c.name, out.Best, out.Info.Depth, out.Info.Nodes, out.Info.PV)
			}
		})
	}
}

// TestUnsearchedLines checks that lines which the search did not reach have no proven
// result in a position without one, and no depth.
func TestUnsearchedLines(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, text := range []string{searchtest.Middle, position.StartText} {
		p := searchtest.Parse(t, text)
		forEachSearcher(t, func(t *testing.T, s search.Searcher) {
			for _, c := range []struct {
				name   string
				ctx    context.Context
				limits search.Limits
			}{
				{"one node", context.Background(), search.Limits{Nodes: 1}},
				{"one node for many lines", context.Background(), search.Limits{Nodes: 1, MultiPV: 64}},
				{"a few nodes for four lines", context.Background(), search.Limits{Nodes: 35, MultiPV: 4}},
				{"stopped before it began", stopped, search.Limits{Infinite: true}},
			} {
				s.NewGame()
				check := func(i search.Info) {
					if _, proven := i.Score.Mate(); proven || i.Bound != search.Exact {
						t.Errorf("%v: %s: line %d has score %d with bound %d", &p, c.name, i.MultiPV, i.Score, i.Bound)
					}
					if c.limits.Nodes == 1 && i.Depth > 0 {
						t.Errorf("%v: %s: line %d has depth %d after %d nodes", &p, c.name, i.MultiPV, i.Depth, i.Nodes)
					}
				}
				check(s.Search(c.ctx, p, c.limits, check).Info)
			}
		})
	}
}

// TestResize checks that an impossible size returns an error and changes nothing, and
// that a possible one is used.
func TestResize(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	for _, kind := range searchers {
		t.Run(kind.name, func(t *testing.T) {
			nodes := func(s search.Searcher) uint64 {
				return s.Search(context.Background(), p, search.Limits{Depth: 4, Nodes: 5000}, searchtest.Ignore).Info.Nodes
			}
			s, twin := kind.make(), kind.make()
			defer s.Close()
			defer twin.Close()
			if a, b := nodes(s), nodes(twin); a != b {
				t.Fatalf("%d and %d nodes of equal searches", a, b)
			}
			if err := s.Resize(1 << 30); err == nil {
				t.Fatal("a pebibyte is granted")
			}
			if a, b := nodes(s), nodes(twin); a != b {
				t.Errorf("%d nodes after a size that was rejected, %d without it", a, b)
			}
			if err := s.Resize(3); err != nil {
				t.Fatal(err)
			}
			out := s.Search(context.Background(), p, search.Limits{Nodes: 500}, searchtest.Ignore)
			if !p.Legal(out.Best) || out.Info.HashFull > 1000 {
				t.Errorf("after resizing: %v is not legal, or %d thousandths full", out.Best, out.Info.HashFull)
			}
		})
	}
}

// TestClose checks that Close can be called repeatedly.
func TestClose(t *testing.T) {
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		s.Close()
		s.Close()
	})
}

// TestParameterTable checks that each parameter has a unique name and a default
// within its bounds.
func TestParameterTable(t *testing.T) {
	names := map[string]bool{}
	for i, def := range search.DefaultParameters() {
		p := search.Parameter(i)
		if p.String() == "" || names[p.String()] {
			t.Errorf("parameter %d has no unique name: %q", i, p)
		}
		names[p.String()] = true
		if low, high := p.Bounds(); def < low || def > high {
			t.Errorf("%v is %d by default, out of range %d to %d", p, def, low, high)
		}
	}
}

// TestAnyParameters searches with parameters at and between their bounds: the turn
// must be legal and the limits must hold.
func TestAnyParameters(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	limits := []search.Limits{{Nodes: 400}, {Depth: 3}, {Clock: both(search.Clock{Left: time.Second, Increment: 10 * time.Millisecond}), NodesTime: 20}}
	draws := []func(low, high int) int{
		func(low, _ int) int { return low },
		func(_, high int) int { return high },
		func(low, high int) int { return low + rng.IntN(high-low+1) },
		func(low, high int) int { return low + rng.IntN(high-low+1) },
	}
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, draw := range draws {
			var parameters search.Parameters
			for i := range parameters {
				parameters[i] = draw(search.Parameter(i).Bounds())
			}
			s.SetParameters(&parameters)
			for _, text := range []string{searchtest.Middle, searchtest.MateIn1, searchtest.PassOnly, position.StartText} {
				p := searchtest.Parse(t, text)
				for _, l := range limits {
					s.NewGame()
					out := s.Search(context.Background(), p, l, searchtest.Ignore)
					if !p.Legal(out.Best) {
						t.Errorf("%v with %v: %v is not legal", &p, parameters, out.Best)
					}
					if l.Nodes > 0 && out.Info.Nodes > l.Nodes {
						t.Errorf("%v with %v: %d nodes, the limit is %d", &p, parameters, out.Info.Nodes, l.Nodes)
					}
				}
			}
		}
	})
}

// TestMaxNodes checks the upper bound of nodes that limits set.
func TestMaxNodes(t *testing.T) {
	const ms, perMilli = time.Millisecond, 10_000
	for _, c := range []struct {
		limits search.Limits
		most   uint64
	}{
		{search.Limits{}, math.MaxUint64},
		{search.Limits{Depth: 3}, math.MaxUint64},
		{search.Limits{Nodes: 5}, 5},
		{search.Limits{MoveTime: 1}, perMilli},
		{search.Limits{MoveTime: 3 * ms, Nodes: 7}, 7},
		{search.Limits{MoveTime: 3 * ms, NodesTime: 2}, 6},
		{search.Limits{MoveTime: 1e12 * ms}, 1e12 * perMilli},
		{search.Limits{MoveTime: math.MaxInt64}, (math.MaxInt64/1_000_000 + 1) * perMilli},
		{search.Limits{MoveTime: math.MaxInt64, NodesTime: math.MaxUint64}, math.MaxUint64},
		{search.Limits{MoveTime: 1e12 * ms, NodesTime: 1 << 60, Nodes: 5}, 5},
		{search.Limits{Clock: both(search.Clock{Left: math.MaxInt64}), NodesTime: 1 << 40}, math.MaxUint64},
		{search.Limits{MoveTime: 9 * ms, Clock: [2]search.Clock{position.White: {Left: ms}, position.Black: {Left: 4 * ms}}}, 4 * perMilli},
		{search.Limits{Nodes: 5, Infinite: true}, math.MaxUint64},
		{search.Limits{Nodes: 5, Ponder: true}, math.MaxUint64},
	} {
		if got := c.limits.MaxNodes(position.Black); got != c.most {
			t.Errorf("%+v: %d nodes at most, want %d", c.limits, got, c.most)
		}
	}
}
