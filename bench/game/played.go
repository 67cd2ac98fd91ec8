package game

import (
	"fmt"
	"time"

	"gyre/position"
	"gyre/protocol"
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

// Ply is a turn as it was played.
type Ply struct {
	Turn     position.Turn
	Score    protocol.Score // for the side that made it, when HasScore
	HasScore bool
	Depth    int           // whole turns; 0 if unknown
	Nodes    uint64        // 0 if unknown
	Time     time.Duration // virtual with Limits.NodesTime
	// PV is the line that its engine expected, from the turn on, with Conditions.PV.
	PV []position.Turn
	// Illegal is a word of the lines that its engine told that was no legal turn there;
	// empty if all were.
	Illegal string
}

// Played is a game that has ended.
type Played struct {
	Opening Opening
	Plies   []Ply             // after the opening
	Final   position.Position // after the last turn
	Result  position.Result   // never Ongoing
	Reason  Reason
	Detail  string        // of a fault or an adjudication: what exactly, in a line
	Lasted  time.Duration // from before the engines got ready to the end
	// Late tells by how much answers were beyond their turn's time, of those that
	// were, in order: within the margin, but for the last of a game that ended so.
	Late []time.Duration
}
