package alphabeta

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/root"
	"gyre/search/internal/searchtest"
)

// TestPickerIsComplete checks that a picker returns every legal turn exactly once,
// whatever the table, killers and countermoves contain.
func TestPickerIsComplete(t *testing.T) {
	w := New(1).workers[0]
	w.clearStack()
	var before []position.Turn
	for _, p := range searchtest.GamePositions(40) {
		turns := p.Turns(nil)
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		var known entry
		if len(before) > 0 { // turns of another position, legal here or not
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

// TestPickerBeginsWithTheTablesTurn checks that the table's turn comes first if it is
// quiet, and otherwise first in its stage.
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
			w.scorer.Reset(&w.stack[0].accumulator, &p)
			k := &w.stack[0].picker
			w.startPicker(0, 1, unpack(entry{Turn: turn}.pack(0)))
			if got := k.pick(); got != turn {
				t.Fatalf("%v: %v comes first, not the table's %v", &p, got, turn)
			}
		}
	}
}

// TestPickerMixesRowTakingAndQuiet checks that one row-taking turn comes first, that
// quiet turns are sorted by the static scores after them at the last ply, and that
// skipping quiet turns leaves exactly the other row-taking turns.
func TestPickerMixesRowTakingAndQuiet(t *testing.T) {
	w := New(1).workers[0]
	w.clearStack()
	mixed := 0
	for _, p := range searchtest.GamePositions(40) {
		completing := p.CompletingTurns(nil)
		if len(completing) < 2 || len(p.QuietTurns(nil)) == 0 {
			continue
		}
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		k := &w.stack[0].picker
		for _, skipped := range []bool{false, true} {
			w.startPicker(0, 1, entry{})
			taking, last := []position.Turn{k.pick()}, search.Infinity
			for turn := k.pick(); turn != position.None; turn = k.pick() {
				static := k.staticScore()
				if static == nil {
					taking = append(taking, turn)
					continue
				}
				if search.Score(static.Score) > last {
					t.Fatalf("%v: %v with static score %d comes after one with %d", &p, turn, static.Score, last)
				}
				last = search.Score(static.Score)
				mixed += len(completing) - len(taking)
				if skipped {
					k.skipQuiet()
				}
			}
			slices.Sort(taking)
			slices.Sort(completing)
			if diff := cmp.Diff(completing, taking); diff != "" {
				t.Fatalf("%v, quiet turns skipped: %t: turns that take rows off:\n%s", &p, skipped, diff)
			}
		}
	}
	if mixed == 0 {
		t.Error("no quiet turn came before one that takes a row off: the test checks nothing")
	}
}

// TestPickerOrdersPlacings checks that placings are sorted by the static scores after
// them, the table's turn first.
func TestPickerOrdersPlacings(t *testing.T) {
	w := New(1).workers[0]
	w.clearStack()
	for _, p := range searchtest.GamePositions(10) {
		if !p.Placing() {
			continue
		}
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		known := unpack(entry{Turn: root.Placings(&p, nil)[3]}.pack(0))
		w.startPicker(0, 3, known)
		k := &w.stack[0].picker
		if first := k.pick(); first != known.Turn {
			t.Fatalf("%v: %v comes first, not the table's %v", &p, first, known.Turn)
		}
		last := search.Infinity
		for turn := k.pick(); turn != position.None; turn = k.pick() {
			score := staticAfter(w.scorer.Evaluator, &p, &w.stack[0].accumulator, turn)
			if score > last {
				t.Fatalf("%v: %v with static score %d comes after one with %d", &p, turn, score, last)
			}
			last = score
		}
	}
}

// TestPlacingsAreCut checks that the order of placings prunes most of the tree: in
// the order of generation the search visited 326,614 nodes.
func TestPlacingsAreCut(t *testing.T) {
	s := New(4)
	start := position.Start(position.Standard)
	out := s.Search(context.Background(), start, search.Limits{Depth: 6}, searchtest.Ignore)
	if out.Info.Nodes > 60_000 {
		t.Errorf("%d nodes from the start to depth 6, want 60,000 at most", out.Info.Nodes)
	}
}
