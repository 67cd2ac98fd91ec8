package timemanager

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// clock tells the time of one search. It goes by the wall, or by the nodes visited, so
// many to a millisecond: then equal searches end at equal nodes, on a slow machine too.
type clock struct {
	now      func() time.Time // of the wall
	began    time.Time
	perMilli uint64        // nodes to a millisecond; 0 for the time of the wall
	seen     atomic.Uint64 // nodes at the last look before the turn's time started
	started  atomic.Int64  // nanoseconds after began when the turn's time started, plus one; 0 while it has not
}

// begin begins a search now, whose time goes by so many nodes to a millisecond, or by
// the wall if that is 0.
func (c *clock) begin(now func() time.Time, perMilli uint64) {
	c.now, c.perMilli = now, perMilli
	c.began = now()
}

// elapsed is the time since the search began, with so many nodes visited.
func (c *clock) elapsed(nodes uint64) time.Duration {
	if c.perMilli == 0 {
		return c.now().Sub(c.began)
	}
	high, low := bits.Mul64(nodes, uint64(time.Millisecond))
	if high >= c.perMilli {
		return endless
	}
	elapsed, _ := bits.Div64(high, low, c.perMilli)
	return time.Duration(min(elapsed, uint64(endless)))
}

// start lets the turn's time run from now. The wall may show a moment before the search
// began, where processors disagree: that is not to look as if no time ran.
func (c *clock) start() { c.started.Store(max(int64(c.elapsed(c.seen.Load())), 0) + 1) }

// running tells whether the turn's time runs. While it does not, on the opponent's time,
// neither time nor nodes are limited.
func (c *clock) running() bool { return c.started.Load() != 0 }

// used is the time of the turn that is gone after so many nodes, and whether it runs.
func (c *clock) used(nodes uint64) (time.Duration, bool) {
	started := c.started.Load()
	if started == 0 {
		c.seen.Store(nodes)
		return 0, false
	}
	return c.elapsed(nodes) - time.Duration(started-1), true
}

// nodesWithin is how many nodes a search visits at most until so much of the turn's time
// is used, which runs: unlimited by the wall.
func (c *clock) nodesWithin(used time.Duration) uint64 {
	started := c.started.Load() - 1
	if c.perMilli == 0 || used >= endless-time.Duration(started) {
		return unlimited
	}
	high, low := bits.Mul64(uint64(started)+uint64(used), c.perMilli)
	if high >= uint64(time.Millisecond) {
		return unlimited
	}
	nodes, _ := bits.Div64(high, low, uint64(time.Millisecond))
	return nodes
}
