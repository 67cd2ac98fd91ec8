package position

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlayoutKeepsPosition checks that a random game ends where a position
// says that it is over, and that all that is kept up agrees with the pieces.
func TestPlayoutKeepsPosition(t *testing.T) {
	rng := rand.NewPCG(5, 6)
	for _, rules := range []Rules{Standard, Blitz} {
		for range 500 {
			p := Start(rules)
			result, turns := p.Playout(rng)
			if result == Ongoing || p.Result() != result {
				t.Fatalf("after %d turns: result %v, position %v says %v", turns, result, &p, p.Result())
			}
			if p.side != Side(turns&1) {
				t.Fatalf("%v: %v to move after %d turns", &p, p.side, turns)
			}
			again, err := Parse(p.String(), rules)
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
