package game

import (
	"fmt"

	"gyre/position"
)

// Opening is what a game begins with: turns from a position on.
type Opening struct {
	Start position.Position
	Turns []position.Turn
}

// End returns the position after the turns. The error names the first turn that
// is not legal, or says that the game is over there.
func (o *Opening) End() (position.Position, error) {
	p := o.Start
	for i, t := range o.Turns {
		if t == position.None || !p.Legal(t) {
			return position.Position{}, fmt.Errorf("opening: turn %d, %v, is not legal", i+1, t)
		}
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	if p.Over() {
		return position.Position{}, fmt.Errorf("opening: the game is over after its %d turns", len(o.Turns))
	}
	return p, nil
}
