package alphabeta

import (
	"context"
	"math"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
	"gyre/search/internal/timemanager"
)

// TestLeavesByStaticScore checks that skipping turns of the last ply by the static
// scores after them changes no score: it is the score of the best turn in a full
// search.
func TestLeavesByStaticScore(t *testing.T) {
	s := New(1)
	w := s.workers[0]
	root := position.Start(position.Standard)
	c := timemanager.Begin(context.Background(), search.Limits{}, &s.parameters, &root, false)
	defer c.End()
	w.others, w.params = s.othersOf(0), s.params
	left := 0
	for _, p := range searchtest.GamePositions(60) {
		if p.Over() || p.Placing() {
			continue
		}
		turns := p.Turns(nil)
		w.start(&p, turns, c)
		want := -search.Infinity
		for _, turn := range turns {
			w.play(0, turn)
			want = max(want, -w.quiescence(1, -search.Infinity, search.Infinity))
		}
		w.nodes = 0
		if got := w.node(0, 1, -search.Infinity, search.Infinity); got != want {
			t.Errorf("%v: worth %d, with every turn searched %d", &p, got, want)
		}
		if int(w.nodes) < len(turns) {
			left++
		}
	}
	if left == 0 {
		t.Error("no turn was left out: the test checks nothing")
	}
}

// TestReductionsOnEveryArchitecture checks that no reduction is close enough to an
// integer for the last bits of its calculation to matter.
func TestReductionsOnEveryArchitecture(t *testing.T) {
	defaults := search.DefaultParameters()
	for depth := 1; depth < len(params{}.reductions); depth++ {
		for number := 1; number < len(params{}.reductions); number++ {
			if r := lateReduction(&defaults, depth, number); math.Abs(r-math.Round(r)) < 1e-9 {
				t.Errorf("depth %d, number %d: reduced by %v", depth, number, r)
			}
		}
	}
}
