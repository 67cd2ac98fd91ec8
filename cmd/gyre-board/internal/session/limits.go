package session

import (
	"errors"
	"fmt"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// limitsOrder is how long a search may take, as the page asks for it. Several
// limits hold together.
type limitsOrder struct {
	Nodes    uint64      `json:"nodes,omitempty"`
	MoveTime int64       `json:"movetime,omitempty"` // milliseconds
	Depth    int         `json:"depth,omitempty"`    // plies
	Infinite bool        `json:"infinite,omitempty"` // until stop
	Clock    *clockOrder `json:"clock,omitempty"`
}

// clockOrder is the clocks of a game in milliseconds. What is left may be
// negative, when the flag has just fallen.
type clockOrder struct {
	White     int64 `json:"white"`
	Black     int64 `json:"black"`
	Increment int64 `json:"inc"`
}

// The bounds of the limits.
const (
	mostNodes = 1_000_000_000_000
	mostTime  = 24 * time.Hour
	mostDepth = 1000
)

// fullTime is the time for a turn that nothing else limits.
const fullTime = 3 * time.Second

// read returns the limits of a search of at most so many nodes, where 0 is any
// number. Where nothing limits it the time is fullTime.
func (l limitsOrder) read(mostForLevel uint64) (protocol.Limits, error) {
	var limits protocol.Limits
	if l.Nodes > mostNodes {
		return limits, fmt.Errorf("limits: nodes %d is more than %d", l.Nodes, uint64(mostNodes))
	}
	if l.Depth < 0 || l.Depth > mostDepth {
		return limits, fmt.Errorf("limits: depth %d is not within 1 to %d", l.Depth, mostDepth)
	}
	if l.MoveTime < 0 || l.MoveTime > mostTime.Milliseconds() {
		return limits, fmt.Errorf("limits: movetime %d is not within 1 to %d ms", l.MoveTime, mostTime.Milliseconds())
	}
	if l.Clock != nil {
		if err := l.Clock.read(&limits); err != nil {
			return limits, err
		}
	}
	limits.Nodes = l.Nodes
	if mostForLevel > 0 && (limits.Nodes == 0 || limits.Nodes > mostForLevel) {
		limits.Nodes = mostForLevel
	}
	limits.HasNodes = limits.Nodes > 0
	limits.Depth, limits.HasDepth = l.Depth, l.Depth > 0
	limits.MoveTime, limits.HasMoveTime = milliseconds(l.MoveTime), l.MoveTime > 0
	limited := limits.HasNodes || limits.HasDepth || limits.HasMoveTime || l.Clock != nil
	if l.Infinite && limited {
		return limits, errors.New("limits: infinite and another limit exclude each other")
	}
	limits.Infinite = l.Infinite
	if !limited && !l.Infinite {
		limits.MoveTime, limits.HasMoveTime = fullTime, true
	}
	return limits, nil
}

// read sets both clocks.
func (c *clockOrder) read(limits *protocol.Limits) error {
	for side, left := range [2]int64{position.White: c.White, position.Black: c.Black} {
		if left > mostTime.Milliseconds() || c.Increment < 0 || c.Increment > mostTime.Milliseconds() {
			return fmt.Errorf("limits: a clock with %d ms and %d ms a turn is out of range", left, c.Increment)
		}
		limits.Clock[side] = protocol.Clock{Set: true, Left: milliseconds(max(left, 0)), Increment: milliseconds(c.Increment)}
	}
	return nil
}

// milliseconds returns so many of them.
func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// slowest is how long the slowest engine takes for a node, besides some graces
// to get going.
const slowest = time.Millisecond

// depthTime is how long a search to a depth may take.
const depthTime = 10 * time.Minute

// longest returns when a search is taken to hang: a while after it should have
// ended. Zero means never, as nothing ends it but the page.
func longest(limits protocol.Limits, side position.Side, grace time.Duration) time.Duration {
	var least time.Duration
	within := func(limited bool, d time.Duration) {
		if limited && (least == 0 || d+grace < least) {
			least = d + grace
		}
	}
	within(limits.HasMoveTime, limits.MoveTime)
	within(limits.Clock[side].Set, limits.Clock[side].Left+limits.Clock[side].Increment)
	within(limits.HasNodes, time.Duration(min(limits.Nodes, uint64(mostTime/slowest)))*slowest+3*grace)
	within(limits.HasDepth, depthTime)
	return least
}
