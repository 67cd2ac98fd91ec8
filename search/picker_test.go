package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// gamePositions returns the positions of random games with a fixed seed.
func gamePositions(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range games {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			all = append(all, p)
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
	}
	return all
}

// TestPickerIsComplete checks that a picker hands out every legal turn once and
// no other, whatever table, killers and countermoves claim.
func TestPickerIsComplete(t *testing.T) {
	w := NewAlphaBeta(1).workers[0]
	var before []position.Turn
	for _, p := range gamePositions(40) {
		turns := p.Turns(nil)
		w.stack[0].position = p
		w.evaluator.Reset(&w.stack[0].windows, &p)
		var known Entry
		if len(before) > 0 { // turns of another position, which may be legal here or not
			known = unpack(Entry{Turn: before[len(before)/2]}.pack(0))
			w.stack[0].killers = [2]position.Turn{before[0], before[len(before)-1]}
		}
		for _, known := range []Entry{known, unpack(Entry{Turn: turns[len(turns)/2]}.pack(0))} {
			var got []position.Turn
			k := &w.stack[0].picker
			k.start(w, 0, 1, known)
			for turn := k.pick(); turn != position.None; turn = k.pick() {
				got = append(got, turn)
			}
			want := turns
			if p.Placing() {
				want = placings(&p, nil)
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
	w := NewAlphaBeta(1).workers[0]
	for _, p := range gamePositions(10) {
		turns := p.Turns(nil)
		for _, turn := range []position.Turn{turns[0], turns[len(turns)-1]} {
			if turn.Removals() > 0 || p.Placing() {
				continue
			}
			w.stack[0].position = p
			w.evaluator.Reset(&w.stack[0].windows, &p)
			k := &w.stack[0].picker
			k.start(w, 0, 1, unpack(Entry{Turn: turn}.pack(0)))
			if got := k.pick(); got != turn {
				t.Fatalf("%v: %v comes first, not the table's %v", &p, got, turn)
			}
		}
	}
}
