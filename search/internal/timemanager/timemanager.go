// Package timemanager decides when a search ends.
package timemanager

import (
	"context"
	"sync/atomic"
	"time"

	"gyre/search"
)

// Manager decides when a search ends; the searchers only ask it and tell it of
// their iterations.
type Manager struct {
	Limits  search.Limits
	single  bool // there is only one turn
	began   time.Time
	stopped atomic.Bool  // set once: by the context, or by a limit that is reached
	started atomic.Int64 // nanoseconds after began when the clock started, plus one; 0 while it has not
	release func() bool
	budget  budget

	steady int          // iterations since the best turn changed
	last   search.Score // score of the last iteration
	factor float64      // of the time to use, by how steady the search is
}

// budget is how long a turn may take.
type budget struct {
	limited bool
	soft    time.Duration // begin no iteration later, as things go
	hard    time.Duration // stop at once
}

// Begin starts to watch over a search; single says that there is only one turn.
// The caller ends it with [Manager.End].
func Begin(ctx context.Context, limits search.Limits, single bool) *Manager {
	c := &Manager{Limits: limits, single: single, began: time.Now(), factor: 1}
	if !limits.Infinite {
		c.budget = budgetFor(limits)
	}
	c.release = context.AfterFunc(ctx, c.Stop)
	if ctx.Err() != nil {
		c.Stop()
	}
	if limits.Ponder == nil {
		c.startClock()
		return c
	}
	go func() {
		select {
		case <-limits.Ponder:
			c.startClock()
		case <-ctx.Done():
		}
	}()
	return c
}

// End stops watching.
func (c *Manager) End() { c.release() }

// Stopped tells whether the search has to end.
func (c *Manager) Stopped() bool { return c.stopped.Load() }

// Stop ends the search.
func (c *Manager) Stop() { c.stopped.Store(true) }

// Elapsed is the time since the search began.
func (c *Manager) Elapsed() time.Duration { return time.Since(c.began) }

// startClock lets the turn's time run from now.
func (c *Manager) startClock() { c.started.Store(int64(c.Elapsed()) + 1) }

// used is the time of the turn that is gone, and whether its clock runs.
func (c *Manager) used() (time.Duration, bool) {
	started := c.started.Load()
	return c.Elapsed() - time.Duration(started-1), started != 0
}

// The shares of the time that is left.
const (
	horizonTurns = 22   // turns that the time of a game is shared out to
	incrementUse = 0.75 // of the increment
	softShare    = 0.6  // of a turn's share: when to begin no iteration
	hardFactor   = 4    // times a turn's share: when to stop at once
	mostOfClock  = 0.7  // never more of the clock than this
	leastTime    = time.Millisecond
)

// budgetFor shares out the time.
func budgetFor(limits search.Limits) budget {
	switch {
	case limits.MoveTime != nil:
		t := max(*limits.MoveTime-limits.Overhead, leastTime)
		return budget{limited: true, soft: t, hard: t}
	case limits.Clock != nil:
		turns := horizonTurns
		if limits.Clock.MovesToGo > 0 {
			turns = min(limits.Clock.MovesToGo, horizonTurns)
		}
		left := max(limits.Clock.Left-limits.Overhead, leastTime)
		share := float64(left)/float64(turns) + incrementUse*float64(limits.Clock.Increment)
		most := mostOfClock * float64(left)
		if limits.Clock.MovesToGo == 1 {
			most = float64(left)
		}
		return budget{
			limited: true,
			soft:    max(time.Duration(min(softShare*share, most)), leastTime),
			hard:    max(time.Duration(min(hardFactor*share, most)), leastTime),
		}
	}
	return budget{}
}

// CheckEvery is how many nodes pass between two looks at the clock: about a
// thousandth of a second.
const CheckEvery = 1024

// Check stops the search when a limit is reached, after nodes positions. It is
// called every so often.
func (c *Manager) Check(nodes uint64) {
	if c.Limits.Nodes > 0 && nodes >= c.Limits.Nodes {
		c.Stop()
	}
	if used, runs := c.used(); runs && c.budget.limited && used >= c.budget.hard {
		c.Stop()
	}
}

// StartIteration tells whether to begin an iteration.
func (c *Manager) StartIteration(depth int, best search.Score) bool {
	if c.Stopped() || c.Limits.Depth > 0 && depth > c.Limits.Depth {
		return false
	}
	if c.Limits.Infinite {
		return true
	}
	used, runs := c.used()
	if !runs || !c.budget.limited {
		return true
	}
	if c.Limits.Clock == nil {
		return used < c.budget.soft
	}
	if plies, proven := best.Mate(); proven && max(plies, -plies) < depth {
		return false // a shorter way may be left, but no point in saving turns at the price of time
	}
	return !(c.single && depth > 1) && float64(used) < float64(c.budget.soft)*c.factor
}

// IterationDone tells of an iteration: how steady the search is decides how much of
// the turn's time it uses. Changed says that another turn than before is best,
// effort is the share of the nodes that was spent on the best turn.
func (c *Manager) IterationDone(score search.Score, changed bool, effort float64) {
	c.steady++
	if changed {
		c.steady = 0
	}
	c.factor = [...]float64{1.6, 1.3, 1.1, 1, 0.9}[min(c.steady, 4)]
	if drop := c.last - score; drop > 0 {
		c.factor *= 1 + min(float64(drop), 100)/150
	}
	c.factor *= 1.5 - min(effort, 0.95)*0.8
	c.last = score
}

// Wait waits until a search that must not end by itself may end.
func (c *Manager) Wait(ctx context.Context) {
	switch {
	case c.Limits.Infinite:
		<-ctx.Done()
	case c.Limits.Ponder != nil:
		select {
		case <-c.Limits.Ponder:
		case <-ctx.Done():
		}
	}
}
