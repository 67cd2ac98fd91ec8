package position_test

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// From wherever it begins, a random game ends as the rules say, with each turn passing the move on.
func TestPlayoutEnds(t *testing.T) {
	rng := rand.NewPCG(7, 8)
	everywhere(t, func(t *testing.T, p *position.Position, _ []position.Turn) {
		end := *p
		result, turns := end.Playout(rng)
		if !end.Over() || end.Result() != result {
			t.Errorf("ends %s in %s, which is %s", result, end.String(), end.Result())
		}
		if passedOn := end.SideToMove() != p.SideToMove(); passedOn != (turns%2 == 1) {
			t.Errorf("%s to move after %d turns in %s", end.SideToMove(), turns, end.String())
		}
		if p.Over() && (turns != 0 || !end.Equal(*p)) {
			t.Errorf("%d turns after the end", turns)
		}
		checkText(t, &end)
	})
}
