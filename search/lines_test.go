package search_test

import (
	"context"
	"slices"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

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

// TestLastReport checks that what was reported last of the first line is what comes out,
// wherever the limit cuts the search off.
func TestLastReport(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for nodes := uint64(100); nodes < 5000; nodes += 350 {
			s.NewGame()
			var last search.Info
			out := s.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(i search.Info) { last = i })
			if !slices.Equal(last.PV, out.Info.PV) || last.Score != out.Info.Score || last.Depth != out.Info.Depth {
				t.Errorf("after %d nodes: depth %d, %v %v, last told depth %d, %v %v",
					nodes, out.Info.Depth, out.Info.Score, out.Info.PV, last.Depth, last.Score, last.PV)
			}
		}
	})
}

// TestUnsearchedLines checks what is told of lines that a search had no time for: no
// proven end, in a position where none is near.
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
				{"a few nodes for four lines", context.Background(), search.Limits{Nodes: 35, MultiPV: 4}},
				{"stopped before it began", stopped, search.Limits{Infinite: true}},
			} {
				s.NewGame()
				check := func(i search.Info) {
					if _, proven := i.Score.Mate(); proven || i.Bound != search.Exact {
						t.Errorf("%v: %s: line %d has score %d with bound %d", &p, c.name, i.MultiPV, i.Score, i.Bound)
					}
				}
				check(s.Search(c.ctx, p, c.limits, check).Info)
			}
		})
	}
}
