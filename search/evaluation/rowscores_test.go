package evaluation

import (
	"testing"

	"gyre/position"
)

// TestScoreRowTaking checks the static scores of turns that take rows off against the
// evaluation of the positions after them, in whatever order the turns are given.
func TestScoreRowTaking(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	checked := 0
	for _, p := range ongoing(100) {
		turns := p.CompletingTurns(nil)
		var a Accumulator
		e.Reset(&a, &p)
		for range 2 {
			for i, score := range e.ScoreRowTaking(&a, &p, turns, nil) {
				var child position.Position
				p.Play(&child, turns[i])
				if want := -e.Evaluate(&child); score != want {
					t.Fatalf("%v after %v: static score %d, want %d", &p, turns[i], score, want)
				}
				checked++
			}
			for i := range turns { // mix the groups
				turns[i], turns[i*7%len(turns)] = turns[i*7%len(turns)], turns[i]
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d turns", checked)
	}
}
