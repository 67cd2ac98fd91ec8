package alphabeta

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search/internal/root"
	"gyre/search/internal/searchtest"
)

// TestPickerIsComplete checks that a picker hands out every legal turn once and
// no other, whatever table, killers and countermoves claim.
func TestPickerIsComplete(t *testing.T) {
	w := New(1).workers[0]
	w.clearStack()
	var before []position.Turn
	for _, p := range searchtest.GamePositions(40) {
		turns := p.Turns(nil)
		w.stack[0].position = p
		w.evaluator.Reset(&w.stack[0].accumulator, &p)
		var known entry
		if len(before) > 0 { // turns of another position, which may be legal here or not
			known = unpack(entry{Turn: before[len(before)/2]}.pack(0))
			w.stack[0].killers = [2]position.Turn{before[0], before[len(before)-1]}
		}
		for _, known := range []entry{known, unpack(entry{Turn: turns[len(turns)/2]}.pack(0))} {
			var got []position.Turn
			k := &w.stack[0].picker
			w.startPicker(0, 1, known)
			for turn := k.pick(); turn != position.None; turn = k.pick() {
				got = append(got, turn)
			}
			want := turns
			if p.Placing() {
				want = root.Placings(&p, nil)
			}
			want = slices.Sorted(slices.Values(want))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%v with %v known: turns:\n%s", &p, known.Turn, diff)
			}
		}
		before = turns
	}
}

// TestPickerBeginsWithTheTablesTurn checks that the turn of the table comes
// first if it is quiet, and before the other turns of its stage if it is not.
func TestPickerBeginsWithTheTablesTurn(t *testing.T) {
	w := New(1).workers[0]
	w.clearStack()
	for _, p := range searchtest.GamePositions(10) {
		turns := p.Turns(nil)
		for _, turn := range []position.Turn{turns[0], turns[len(turns)-1]} {
			if turn.Removals() > 0 || p.Placing() {
				continue
			}
			w.stack[0].position = p
			w.evaluator.Reset(&w.stack[0].accumulator, &p)
			k := &w.stack[0].picker
			w.startPicker(0, 1, unpack(entry{Turn: turn}.pack(0)))
			if got := k.pick(); got != turn {
				t.Fatalf("%v: %v comes first, not the table's %v", &p, got, turn)
			}
		}
	}
}
