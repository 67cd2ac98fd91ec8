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
