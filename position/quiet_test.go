package position

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQuietTurns holds the quiet turns and the test for one against looking at
// every turn.
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
