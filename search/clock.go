package search

import (
	"context"
	"sync/atomic"
	"time"
)

// control decides when a search ends. The searchers only ask it.
type control struct {
	limits  Limits
	began   time.Time
	stopped atomic.Bool  // set once: by the context, or by a limit that is reached
	soft    atomic.Int64 // nanoseconds after began: no new iteration later; 0 without
	hard    atomic.Int64 // nanoseconds after began: stop at once; 0 without
	release func() bool
}

// begin starts to watch over a search. The caller ends it with end.
func begin(ctx context.Context, limits Limits, overhead time.Duration) *control {
	c := &control{limits: limits, began: time.Now()}
	c.release = context.AfterFunc(ctx, func() { c.stopped.Store(true) })
	if ctx.Err() != nil {
		c.stopped.Store(true)
	}
	if limits.Ponder == nil {
		c.startClock(overhead)
		return c
	}
	go func() {
		select {
		case <-limits.Ponder:
			c.startClock(overhead)
		case <-ctx.Done():
		}
	}()
	return c
}

// end stops watching.
func (c *control) end() { c.release() }

// elapsed is the time since the search began.
func (c *control) elapsed() time.Duration { return time.Since(c.began) }

// startClock sets how long the turn may take from now.
func (c *control) startClock(overhead time.Duration) {
	now := c.elapsed()
	soft, hard, limited := budget(c.limits, overhead)
	if !limited || c.limits.Infinite {
		return
	}
	c.soft.Store(int64(now + soft))
	c.hard.Store(int64(max(now+hard, 1)))
}

// budget shares out the time: when to begin no new iteration, and when to stop.
func budget(limits Limits, overhead time.Duration) (soft, hard time.Duration, limited bool) {
	const least = time.Millisecond
	switch {
	case limits.MoveTime != nil:
		t := max(*limits.MoveTime-overhead, least)
		return t, t, true
	case limits.Clock != nil:
		turns := time.Duration(25)
		if limits.Clock.MovesToGo > 0 {
			turns = time.Duration(min(limits.Clock.MovesToGo, 25))
		}
		left := max(limits.Clock.Left-overhead, least)
		share := left/turns + limits.Clock.Increment*3/4
		return max(min(share/2, left), least), max(min(share*2, left*8/10), least), true
	}
	return 0, 0, false
}

// poll stops the search when a limit is reached, after nodes positions. It is
// called every so often.
func (c *control) poll(nodes uint64) {
	if c.limits.Nodes > 0 && nodes >= c.limits.Nodes {
		c.stopped.Store(true)
	}
	if hard := c.hard.Load(); hard != 0 && int64(c.elapsed()) >= hard {
		c.stopped.Store(true)
	}
}

// another tells whether to begin another iteration.
func (c *control) another(depth int) bool {
	if c.stopped.Load() || c.limits.Depth > 0 && depth > c.limits.Depth {
		return false
	}
	soft := c.soft.Load()
	return soft == 0 || int64(c.elapsed()) < soft
}
