package ladder

import (
	"math/rand/v2"

	"gyre/position"
)

// random picks each turn with the same chance.
type random struct{}

func (random) choose(p *position.Position, _ func() bool) choice {
	turns := p.Turns(nil)
	return choice{turn: turns[rand.IntN(len(turns))], nodes: 1}
}

// greedy picks the turn after which its judgement is best; of equal ones each
// with the same chance.
type greedy struct{}

func (greedy) choose(p *position.Position, _ func() bool) choice {
	best := choice{score: -won - 1, known: true, depth: 1}
	equal := 0
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		best.nodes++
		score := -judge(&child)
		switch {
		case score > best.score:
			best.turn, best.score, equal = t, score, 1
		case score == best.score:
			if equal++; rand.IntN(equal) == 0 {
				best.turn = t
			}
		}
	}
	return best
}
