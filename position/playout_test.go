package position_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestPlayoutKeepsPosition checks that a random game ends where a position
// says that it is over, and that all that is kept up agrees with the pieces.
func TestPlayoutKeepsPosition(t *testing.T) {
	rng := rand.NewPCG(5, 6)
	for _, rules := range []position.Rules{position.Standard, position.Blitz} {
		for range 500 {
			p := position.Start(rules)
			result, turns := p.Playout(rng)
			if result == position.Ongoing || p.Result() != result {
				t.Fatalf("after %d turns: result %v, position %v says %v", turns, result, &p, p.Result())
			}
			if p.SideToMove() != position.Side(turns&1) {
				t.Fatalf("%v: %v to move after %d turns", &p, p.SideToMove(), turns)
			}
			again, err := position.Parse(p.String(), rules)
			if err != nil {
				t.Fatalf("the end is no position: %v", err)
			}
			if diff := cmp.Diff(again, p); diff != "" {
				t.Fatalf("%v: kept up differs from scratch:\n%s", &p, diff)
			}
			if _, more := p.Playout(rng); more != 0 {
				t.Fatalf("%v: %d turns played after the end", &p, more)
			}
		}
	}
}
