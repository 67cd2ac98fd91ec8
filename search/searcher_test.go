package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gyre/position"
)

// searchers are the two searchers, which keep one contract.
var searchers = []struct {
	name string
	make func() Searcher
}{
	{"alpha-beta", func() Searcher { return NewAlphaBeta(2) }},
	{"mcts", func() Searcher { return NewMCTS(2) }},
}

// forEachSearcher runs a test for each searcher.
func forEachSearcher(t *testing.T, test func(t *testing.T, s Searcher)) {
	for _, kind := range searchers {
		t.Run(kind.name, func(t *testing.T) { test(t, kind.make()) })
	}
}

// mustParse reads a position of the standard rules.
func mustParse(t *testing.T, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The positions of these tests.
const (
	middle   = "4/7/8/3W5/3bwB4/2Wwb4/3BwbW3/3bWB3/2Bw4/2W4/1B2 w 0-0"
	mateIn1  = "B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 w 2-0" // the ring on f7 leaves the fifth marker of a row
	passOnly = "WB2/WWB4/BBB5/9/10/9/10/9/8/7/4 w 2-0"
)

// ignore is a report that nobody reads.
func ignore(Info) {}

func TestBestTurnIsLegal(t *testing.T) {
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		all := gamePositions(20)
		for i := 0; i < len(all); i += 7 {
			p := all[i]
			out := s.Search(context.Background(), p, Limits{Nodes: 60}, ignore)
			if !p.Legal(out.Best) {
				t.Fatalf("%v: %v is not legal", &p, out.Best)
			}
			checkLine(t, p, out.Info.PV)
			if len(out.Info.PV) == 0 || out.Info.PV[0] != out.Best {
				t.Fatalf("%v: line %v does not begin with the best turn %v", &p, out.Info.PV, out.Best)
			}
			if len(out.Info.PV) > 1 && out.Info.PV[1] != out.Ponder {
				t.Fatalf("%v: %v to ponder, the line is %v", &p, out.Ponder, out.Info.PV)
			}
		}
	})
}

// checkLine checks that all turns of a line are legal, one after the other.
func checkLine(t *testing.T, p position.Position, line []position.Turn) {
	t.Helper()
	for i, turn := range line {
		if !p.Legal(turn) {
			t.Fatalf("turn %d of the line %v is not legal at %v", i, line, &p)
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
}

func TestFinishedGameHasNoTurn(t *testing.T) {
	p := mustParse(t, middle)
	p.Playout(rand.NewPCG(1, 2))
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		for _, limits := range []Limits{{Nodes: 10}, {Infinite: true}, {Mate: 2}} {
			if out := s.Search(context.Background(), p, limits, ignore); out.Best != position.None {
				t.Errorf("turn %v after the end of the game", out.Best)
			}
		}
	})
}

func TestNodesLimit(t *testing.T) {
	p := mustParse(t, middle)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		for _, nodes := range []uint64{1, 2, 100, 3000} {
			s.NewGame()
			last := Info{}
			out := s.Search(context.Background(), p, Limits{Nodes: nodes}, func(i Info) { last = i })
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
	p := mustParse(t, middle)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		s.NewGame()
		out := s.Search(context.Background(), p, Limits{Depth: 2}, ignore)
		if out.Info.Depth < 1 || !p.Legal(out.Best) {
			t.Errorf("turn %v at depth %d", out.Best, out.Info.Depth)
		}
	})
}

// TestTimeLimits checks that searches with a limit of time use some of it and
// come to an end.
func TestTimeLimits(t *testing.T) {
	p := mustParse(t, middle)
	moveTime := 60 * time.Millisecond
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		began := time.Now()
		out := s.Search(context.Background(), p, Limits{MoveTime: &moveTime}, ignore)
		if used := time.Since(began); used < moveTime/2 {
			t.Errorf("%v used of a movetime of %v", used, moveTime)
		}
		if !p.Legal(out.Best) {
			t.Errorf("movetime: %v is not legal", out.Best)
		}
		for _, clock := range []Clock{{Left: time.Second}, {Left: time.Millisecond}, {}, {Left: time.Second, Increment: 20 * time.Millisecond, MovesToGo: 8}} {
			if out := s.Search(context.Background(), p, Limits{Clock: &clock}, ignore); !p.Legal(out.Best) {
				t.Errorf("clock %v: %v is not legal", clock, out.Best)
			}
		}
	})
}

// TestWaits checks that a search that must not end by itself does not, even
// when all is known, and ends when it is told to.
func TestWaits(t *testing.T) {
	for _, text := range []string{middle, mateIn1, passOnly} {
		p := mustParse(t, text)
		forEachSearcher(t, func(t *testing.T, s Searcher) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			hit := make(chan struct{})
			moveTime := time.Millisecond
			for _, c := range []struct {
				name   string
				limits Limits
				end    func()
			}{
				{"ponder", Limits{Ponder: hit, Nodes: 50}, func() { close(hit) }},
				{"ponder with a limit of time", Limits{Ponder: make(chan struct{}), MoveTime: &moveTime}, nil},
				{"infinite", Limits{Infinite: true}, cancel},
			} {
				if c.limits.MoveTime != nil {
					hit := make(chan struct{})
					c.limits.Ponder, c.end = hit, func() { close(hit) }
				}
				done := make(chan Outcome)
				go func() { done <- s.Search(ctx, p, c.limits, ignore) }()
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
	for _, text := range []string{middle, "4/7/8/9/10/9/10/9/8/7/4 w 0-0"} {
		p := mustParse(t, text)
		forEachSearcher(t, func(t *testing.T, s Searcher) {
			if out := s.Search(ctx, p, Limits{Infinite: true}, ignore); !p.Legal(out.Best) {
				t.Errorf("%v is not legal", out.Best)
			}
		})
	}
}

func TestSearchTurns(t *testing.T) {
	for _, text := range []string{middle, mateIn1, "4/7/8/9/10/9/10/9/8/7/4 w 0-0"} {
		p := mustParse(t, text)
		turns := p.Turns(nil)
		forEachSearcher(t, func(t *testing.T, s Searcher) {
			s.Search(context.Background(), p, Limits{Nodes: 200}, ignore)
			for _, some := range [][]position.Turn{turns[:1], turns[len(turns)-1:], turns[:5], turns[len(turns)/2:]} {
				out := s.Search(context.Background(), p, Limits{Nodes: 200, SearchTurns: slices.Clone(some)}, ignore)
				if !slices.Contains(some, out.Best) {
					t.Errorf("%v: %v is none of %v", &p, out.Best, some)
				}
			}
		})
	}
}

func TestMultiPV(t *testing.T) {
	for _, text := range []string{middle, mateIn1, passOnly} {
		p := mustParse(t, text)
		forEachSearcher(t, func(t *testing.T, s Searcher) {
			lines := map[int]Info{}
			out := s.Search(context.Background(), p, Limits{Nodes: 2000, MultiPV: 4}, func(i Info) { lines[i.MultiPV] = i })
			if want := min(4, p.Count()); len(lines) != want {
				t.Fatalf("%v: %d lines, want %d", &p, len(lines), want)
			}
			seen := map[position.Turn]bool{}
			for _, line := range lines {
				checkLine(t, p, line.PV)
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

// TestLastReport checks that what was reported last of the first line is what
// comes out, wherever the limit cuts the search off.
func TestLastReport(t *testing.T) {
	p := mustParse(t, middle)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		for nodes := uint64(100); nodes < 5000; nodes += 350 {
			s.NewGame()
			var last Info
			out := s.Search(context.Background(), p, Limits{Nodes: nodes}, func(i Info) { last = i })
			if !slices.Equal(last.PV, out.Info.PV) || last.Score != out.Info.Score || last.Depth != out.Info.Depth {
				t.Errorf("after %d nodes: depth %d, %v %v, last told depth %d, %v %v",
					nodes, out.Info.Depth, out.Info.Score, out.Info.PV, last.Depth, last.Score, last.PV)
			}
		}
	})
}

// TestOnlyTurn checks that the only turn is found and that a clock with an hour
// on it is not waited for.
func TestOnlyTurn(t *testing.T) {
	p := mustParse(t, passOnly)
	turns := p.Turns(nil)
	if len(turns) != 1 {
		t.Fatalf("%d turns, want one", len(turns))
	}
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		out := s.Search(context.Background(), p, Limits{Clock: &Clock{Left: time.Hour}}, ignore)
		if out.Best != turns[0] {
			t.Errorf("turn %v, want %v", out.Best, turns[0])
		}
	})
}

func TestMateInOne(t *testing.T) {
	p := mustParse(t, mateIn1)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		for _, limits := range []Limits{{Nodes: 3000}, {Depth: 3}, {Mate: 1}} {
			s.NewGame()
			out := s.Search(context.Background(), p, limits, ignore)
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
	p := mustParse(t, middle)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		var lines [2][]position.Turn
		var scores [2]Score
		for i := range lines {
			s.NewGame()
			out := s.Search(context.Background(), p, Limits{Nodes: 2500}, ignore)
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
	p := mustParse(t, middle)
	forEachSearcher(t, func(t *testing.T, s Searcher) {
		s.SetThreads(4)
		for range 3 {
			out := s.Search(context.Background(), p, Limits{Nodes: 1000, MultiPV: 2}, ignore)
			if !p.Legal(out.Best) {
				t.Fatalf("%v is not legal", out.Best)
			}
			var child position.Position
			p.Play(&child, out.Best)
			p = child
		}
		s.Resize(1)
		s.SetThreads(2)
		if out := s.Search(context.Background(), p, Limits{Nodes: 500}, ignore); !p.Legal(out.Best) {
			t.Fatalf("%v is not legal after resizing", out.Best)
		}
	})
}
