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

// TestLeavesByStaticScore checks that leaving turns of the last ply out by the
// static scores after them changes no score: it is that of the best turn, each of
// them searched.
func TestLeavesByStaticScore(t *testing.T) {
	s := New(1)
	w := s.workers[0]
	root := position.Start(position.Standard)
	c := timemanager.Begin(context.Background(), search.Limits{}, &s.parameters, &root, false)
	defer c.End()
	w.others, w.numbers = s.othersOf(0), s.numbers
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

// TestReductionsOnEveryArchitecture checks that none lies so near to a whole number
// that the last bits of its calculation decide.
func TestReductionsOnEveryArchitecture(t *testing.T) {
	usual := search.DefaultParameters()
	for depth := 1; depth < len(numbers{}.reductions); depth++ {
		for number := 1; number < len(numbers{}.reductions); number++ {
			if r := lateReduction(&usual, depth, number); math.Abs(r-math.Round(r)) < 1e-9 {
				t.Errorf("depth %d, number %d: reduced by %v", depth, number, r)
			}
		}
	}
}
