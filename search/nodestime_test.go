package search_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestFirstLimitEndsTheSearch checks that limits hold together: the one that is reached
// first ends the search. The clock goes by nodes, so that a limit of time ends a search
// at one node and no other.
func TestFirstLimitEndsTheSearch(t *testing.T) {
	const ms, perMilli = time.Millisecond, 10
	moveTime := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		name        string
		limits      search.Limits
		least, most uint64 // nodes
	}{
		{"clock before movetime", search.Limits{Clock: &search.Clock{Left: 200 * ms}, MoveTime: moveTime(3 * time.Second)}, 1, 2000},
		{"movetime before clock", search.Limits{Clock: &search.Clock{Left: time.Hour}, MoveTime: moveTime(30 * ms)}, 300, 300},
		{"movetime before nodes", search.Limits{Nodes: 1 << 40, MoveTime: moveTime(30 * ms)}, 300, 300},
		{"nodes before movetime", search.Limits{Nodes: 90, MoveTime: moveTime(time.Hour)}, 90, 90},
		{"nodes before clock", search.Limits{Nodes: 90, Clock: &search.Clock{Left: time.Hour}}, 90, 90},
		{"depth before clock", search.Limits{Depth: 1, Clock: &search.Clock{Left: 10 * time.Hour}}, 1, 60_000},
		{"movetime before mate", search.Limits{Mate: 40, MoveTime: moveTime(30 * ms)}, 300, 300},
		{"movetime before the answer without a mate", search.Limits{Mate: 1, MoveTime: moveTime(20 * ms)}, 200, 200},
		{"clock before the answer without a mate", search.Limits{Mate: 1, Clock: &search.Clock{Left: 4 * ms}}, 1, 40},
		{"nodes before the answer without a mate", search.Limits{Mate: 1, Nodes: 90}, 90, 90},
		{"a movetime no longer than the overhead", search.Limits{MoveTime: moveTime(10 * ms), Overhead: 10 * ms}, 90, 90},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachSearcher(t, func(t *testing.T, s search.Searcher) {
				p := searchtest.Parse(t, searchtest.Middle)
				c.limits.NodesTime = perMilli
				out := s.Search(context.Background(), p, c.limits, searchtest.Ignore)
				if got := out.Info.Nodes; got < c.least || got > c.most {
					t.Errorf("%d nodes, want from %d to %d", got, c.least, c.most)
				}
				if !p.Legal(out.Best) {
					t.Errorf("%v is not legal", out.Best)
				}
			})
		})
	}
}

// TestNodesTimeRepeats checks that searches by a clock of nodes do the same each time,
// with all that they report, and that the last report tells all nodes.
func TestNodesTimeRepeats(t *testing.T) {
	moveTime := 40 * time.Millisecond
	p := searchtest.Parse(t, searchtest.Middle)
	for _, c := range []struct {
		name   string
		limits search.Limits
		nodes  uint64 // at which the hard limit is; 0 if the search ends by itself
	}{
		{"movetime", search.Limits{NodesTime: 73, MoveTime: &moveTime}, 2920},
		{"clock", search.Limits{NodesTime: 20, Clock: &search.Clock{Left: 4 * time.Second, Increment: 10 * time.Millisecond}, Overhead: time.Millisecond}, 0},
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
