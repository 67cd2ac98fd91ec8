package search

import (
	"context"
	"testing"
)

// TestLeavesForeseen checks that leaving turns of the last ply out, because what
// they lead to is foreseen, changes no score: it is that of the best turn, each of
// them searched.
func TestLeavesForeseen(t *testing.T) {
	s := NewAlphaBeta(1)
	w := s.workers[0]
	c := Begin(context.Background(), Limits{}, false)
	defer c.End()
	w.others = s.othersOf(0)
	left := 0
	for _, p := range gamePositions(60) {
		if p.Over() || p.Placing() {
			continue
		}
		turns := p.Turns(nil)
		w.start(&p, turns, c)
		want := -Infinity
		for _, turn := range turns {
			w.play(0, turn)
			want = max(want, -w.quiescence(1, -Infinity, Infinity))
		}
		w.nodes = 0
		if got := w.node(0, 1, -Infinity, Infinity); got != want {
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
