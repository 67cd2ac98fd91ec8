package position

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompletingTurns compares the fast generation of completing turns with a filter
// on all turns.
func TestCompletingTurns(t *testing.T) {
	for _, p := range gamePositions(60) {
		var want []Turn
		for _, turn := range p.Turns(nil) {
			if turn.Removals() > 0 {
				want = append(want, turn)
			}
		}
		got := p.CompletingTurns(nil)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: turns that take a row off:\n%s", &p, diff)
		}
	}
}

// TestCompletionsOfWaitingSide compares the threats of the side that is not to move
// with its turns after a pass.
func TestCompletionsOfWaitingSide(t *testing.T) {
	for _, p := range gamePositions(60) {
		waiting := p.side.Opponent()
		if p.Over() || p.HasRow(White) || p.HasRow(Black) {
			continue
		}
		passed := p
		passed.passOn()
		want := map[Turn]bool{}
		for _, turn := range passed.Turns(nil) {
			if turn.Removals() > 0 {
				want[turn&moveMask] = true
			}
		}
		got := map[Turn]bool{}
		for _, turn := range p.Completions(waiting, nil) {
			got[turn] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: completions of %v:\n%s", &p, waiting, diff)
		}
		if can := p.CanComplete(waiting); can != (len(want) > 0) {
			t.Fatalf("%v: %v can complete a row: %v, and has %d completions", &p, waiting, can, len(want))
		}
	}
}

func BenchmarkCompletions(b *testing.B) {
	all := gamePositions(10)
	list := make([]Turn, 0, 64)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := &all[i%len(all)]
		list = p.Completions(p.side.Opponent(), list[:0])
	}
}

// TestQuietTurns compares QuietTurns and Quiet with a filter on all turns.
func TestQuietTurns(t *testing.T) {
	previous := []Turn{None, placeTurn(0), passTurn, moveTurn(60, 60)}
	for _, p := range gamePositions(60) {
		var want []Turn
		for _, turn := range p.Turns(nil) {
			if turn.Kind() == Move && turn.Removals() == 0 {
				want = append(want, turn)
			}
		}
		if diff := cmp.Diff(want, p.QuietTurns(nil)); diff != "" {
			t.Fatalf("%v: quiet turns:\n%s", &p, diff)
		}
		for _, turn := range append(previous, want...) {
			if got := p.Quiet(turn); got != slices.Contains(want, turn) {
				t.Fatalf("%v: Quiet(%v) is %v", &p, turn, got)
			}
		}
		previous = p.Turns(previous[:4])
	}
}
