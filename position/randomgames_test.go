package position_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// bothRules are the rules by which the properties are tested.
var bothRules = []position.Rules{position.Standard, position.Blitz}

// randomGames plays games with a fixed seed, and visits each position of each with its turns, the last one included.
// Every other game is eager: it takes a turn that removes a row more often than chance would.
func randomGames(t *testing.T, games int, visit func(t *testing.T, p *position.Position, turns []position.Turn)) {
	t.Helper()
	for _, rules := range bothRules {
		for seed := range games {
			name := fmt.Sprintf("%s/seed%d", rules, seed)
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(rules)))
			p := position.Start(rules)
			for turns := p.Turns(nil); ; turns = p.Turns(turns[:0]) {
				visit(t, &p, turns)
				if t.Failed() {
					t.Fatalf("%s: in %s", name, p.String())
				}
				if len(turns) == 0 {
					break
				}
				var child position.Position
				p.Play(&child, randomTurn(rng, turns, seed%2 == 1))
				p = child
			}
		}
	}
}

// randomTurn picks a turn; an eager player looks at a few and prefers one that removes a row.
func randomTurn(rng *rand.Rand, turns []position.Turn, eager bool) position.Turn {
	turn := turns[rng.IntN(len(turns))]
	for range 20 {
		if !eager || turn.Removals() > 0 {
			break
		}
		turn = turns[rng.IntN(len(turns))]
	}
	return turn
}
