package game

import (
	"time"

	"gyre/protocol"
)

// clock is the time of one side.
type clock struct {
	limits Limits
	left   time.Duration // never negative; 0 without a clock
}

// allowed returns how long the next turn may take, the margin apart, and whether
// there is such a time at all.
func (c *clock) allowed() (time.Duration, bool) {
	switch {
	case c.limits.Base > 0 && c.limits.MoveTime > 0:
		return min(c.left, c.limits.MoveTime), true
	case c.limits.Base > 0:
		return c.left, true
	}
	return c.limits.MoveTime, c.limits.MoveTime > 0
}

// spend takes the time of a turn off and adds the increment. What was taken
// beyond the time left, within the margin, is forgiven.
func (c *clock) spend(elapsed time.Duration) {
	if c.limits.Base > 0 {
		c.left = max(0, c.left-elapsed) + c.limits.Increment
	}
}

// ask returns the limits of a turn as the engine is told them, with the time
// left on the clocks by side.
func (l Limits) ask(clocks [2]clock) protocol.Limits {
	limits := protocol.Limits{
		MoveTime: l.MoveTime, HasMoveTime: l.MoveTime > 0,
		Nodes: l.Nodes, HasNodes: l.Nodes > 0,
		Depth: l.Depth, HasDepth: l.Depth > 0,
	}
	if l.Base == 0 {
		return limits
	}
	for side, c := range clocks {
		if c.limits.Base > 0 {
			limits.Clock[side] = protocol.Clock{Set: true, Left: c.left, Increment: c.limits.Increment}
		}
	}
	return limits
}
