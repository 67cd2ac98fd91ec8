package selfplay

import (
	"math/rand/v2"

	"gyre/position"
)

// ringTurns is how many turns the placing of the rings takes.
const ringTurns = 2 * position.RingsPerSide

// opening is a plan of which turns of a game are random.
type opening struct {
	rings [ringTurns]bool // which of the rings
	turns int             // after them
}

// newOpening draws a plan. In half of the games all rings are placed at random;
// in the others each is, as if a coin were tossed, or else the engine places it.
// The first is always: or games would begin alike.
func newOpening(r *Recipe, rng *rand.Rand) (o opening) {
	all := rng.IntN(2) == 0
	for i := range o.rings {
		o.rings[i] = i == 0 || all || rng.IntN(2) == 0
	}
	o.turns = rng.IntN(r.RandomTurns + 1)
	return o
}

// length is the number of turns of the opening.
func (o *opening) length() int { return ringTurns + o.turns }

// random tells whether a turn of the opening is a random one.
func (o *opening) random(ply int) bool { return ply >= ringTurns || o.rings[ply] }
