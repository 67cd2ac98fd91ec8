package game

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// A clock is real, or virtual with Limits.NodesTime N: then a turn is charged with
// the nodes that its engine told of last before `bestmove`, N of them a millisecond,
// whatever time passed. The engine is told N by the option nodestime, Stockfish's
// name for it, and divides its time by nodes as well. So the same games come of the
// same match on any machine, however busy it is, with engines whose turns depend on
// their nodes alone, as those of one thread do: times of turns, increments, margins
// and losses on time are the same too. A turn without a report costs nothing, but an
// engine that never tells its nodes does not pass Player.Check. Real time only ends an
// engine that hangs, after Conditions.TurnPatience.

// nodesTimeName is the option by which an engine is told of a virtual clock.
const nodesTimeName = "nodestime"

// mostNodesTime bounds Limits.NodesTime: a node a nanosecond.
const mostNodesTime = 1_000_000

// clock is the time of one side.
type clock struct {
	limits Limits
	left   time.Duration // never negative; 0 without a clock
	toGo   int           // turns until Base comes again; 0 if it never does
}

// newClock returns the clock of a side at the beginning of a game.
func newClock(limits Limits) clock {
	return clock{limits: limits, left: limits.Base, toGo: limits.Turns}
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

// spend takes the time of a turn off and adds the increment, and after the last turn
// of a clock of so many turns the time for the next ones. What was taken beyond the
// time left, within the margin, is forgiven.
func (c *clock) spend(elapsed time.Duration) {
	if c.limits.Base == 0 {
		return
	}
	c.left = max(0, c.left-elapsed) + c.limits.Increment
	if c.toGo--; c.toGo == 0 {
		c.left += c.limits.Base
		c.toGo = c.limits.Turns
	}
}

// ask returns the limits of a turn of a side as its engine is told them, with the time
// left on the clocks by side.
func ask(side position.Side, clocks [2]clock) protocol.Limits {
	l := clocks[side].limits
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
	limits.MovesToGo = max(clocks[side].toGo, 0)
	return limits
}

// search has the engine of a side search the position that was set up, and charges its
// answer with the time of its clock. With a virtual one, the nodes of the last report
// are those charged.
func search(ctx context.Context, client *protocol.Client, side position.Side, clocks [2]clock) (protocol.Answer, error) {
	nodesTime := clocks[side].limits.NodesTime
	if nodesTime == 0 {
		return client.Go(ctx, ask(side, clocks), nil)
	}
	var nodes uint64
	answer, err := client.Go(ctx, ask(side, clocks), func(i protocol.Info) {
		if i.Nodes > 0 {
			nodes = i.Nodes
		}
	})
	answer.Last.Nodes, answer.Elapsed = nodes, virtualTime(nodes, nodesTime)
	return answer, err
}

// virtualTime returns how long nodes take of which so many are a millisecond.
func virtualTime(nodes, nodesTime uint64) time.Duration {
	const most = math.MaxInt64/uint64(time.Millisecond) - 1
	whole, rest := nodes/nodesTime, nodes%nodesTime
	return time.Duration(min(whole, most))*time.Millisecond + time.Duration(rest*uint64(time.Millisecond)/nodesTime)
}

// tellNodesTime tells an engine of its virtual clock, if it has one. The error says
// that it knows none.
func (l Limits) tellNodesTime(client *protocol.Client) error {
	if l.NodesTime == 0 {
		return nil
	}
	for _, o := range client.Options() {
		if strings.EqualFold(o.Name, nodesTimeName) {
			return client.SetOption(o.Name, strconv.FormatUint(l.NodesTime, 10))
		}
	}
	return errors.New("it has no option " + nodesTimeName + ", so its time cannot be counted in nodes")
}
