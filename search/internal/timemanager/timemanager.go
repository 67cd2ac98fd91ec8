// Package timemanager decides when a search ends. It is the only package that checks
// the limits of a search: nodes, time, depth and mate. The first limit reached ends the
// search. The searchers ask it whether to continue, and report their iterations to it.
//
//	timemanager.go  the limits, the budget of a turn, the phase of the game and the clock
//	yield_js.go     handling events in a browser, which has no threads
package timemanager

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/search"
)

// Manager watches over the limits of one search. Its methods may be called from any
// thread, except those of iterations and [Manager.LimitRest], which belong to the thread
// that leads the search.
type Manager struct {
	limits search.Limits
	single bool   // there is only one turn
	nodes  uint64 // at which the search ends; unlimited without
	before uint64 // nodes that an earlier part of the search visited
	budget budget
	every  uint64 // nodes from one look at the limits to the next

	clock   clock
	stopped atomic.Bool // set once: by the context, or by a limit that is reached
	enough  atomic.Bool // while it ponders: by what it knows of its turn the search could end
	release func() bool
	stop    <-chan struct{} // closed when the context is done
	ended   chan struct{}   // closed by End

	steadiness
	yielder
}

// unlimited is a number of nodes that no search visits.
const unlimited = math.MaxUint64

// How many nodes pass between two looks at the limits: in alpha-beta about a thousandth
// of a second, and less if there are only some of these.
const (
	checkEvery      = 1024
	checkEveryShort = 128
	shortTurn       = 50 * time.Millisecond
)

// Begin starts to watch over a search from a position; single says that there is only one
// turn. The caller ends it with [Manager.End].
func Begin(ctx context.Context, limits search.Limits, numbers *search.Parameters, root *position.Position, single bool) *Manager {
	return beginBy(ctx, limits, numbers, root, single, time.Now)
}

// beginBy is [Begin] by another wall clock, which any thread may read.
func beginBy(ctx context.Context, limits search.Limits, numbers *search.Parameters, root *position.Position, single bool, now func() time.Time) *Manager {
	m := &Manager{
		limits: limits, single: single, nodes: unlimited, budget: budgetFor(limits, numbers, phaseOf(root)), every: checkEvery,
		stop: ctx.Done(), ended: make(chan struct{}), steadiness: steadiness{factor: 1},
	}
	m.clock.begin(now, limits.NodesTime)
	if limits.Nodes > 0 {
		m.nodes = limits.Nodes
	}
	if m.budget.hard < shortTurn {
		m.every = checkEveryShort
	}
	m.release = context.AfterFunc(ctx, m.Stop)
	if ctx.Err() != nil {
		m.Stop()
	}
	if limits.Ponder == nil {
		m.clock.start()
		return m
	}
	go func() {
		select {
		case <-limits.Ponder:
			if m.enough.Load() {
				m.Stop()
			}
			m.clock.start()
		case <-m.stop:
		case <-m.ended:
		}
	}()
	return m
}

// End stops watching.
func (m *Manager) End() {
	m.release()
	close(m.ended)
}

// Stopped reports whether the search has to end.
func (m *Manager) Stopped() bool { return m.stopped.Load() }

// DepthLimited reports whether there is a limit of depth.
func (m *Manager) DepthLimited() bool { return m.limits.Depth > 0 }

// Stop ends the search.
func (m *Manager) Stop() { m.stopped.Store(true) }

// Elapsed is the time since the search began, with so many nodes visited.
func (m *Manager) Elapsed(nodes uint64) time.Duration { return m.clock.elapsed(nodes + m.before) }

// Check stops the search if a limit of nodes or time is reached after so many nodes, and
// tells at how many to check again, more than these.
func (m *Manager) Check(nodes uint64) (next uint64) {
	m.yield(m.clock.now)
	next = nodes + m.every
	used, runs := m.clock.used(nodes + m.before)
	if !runs {
		return next
	}
	most := m.mostNodes()
	if nodes+m.before >= most || used >= m.budget.hard {
		m.Stop()
	}
	if most == unlimited {
		return next
	}
	return min(next, max(most-min(most, m.before), nodes+1))
}

// mostNodes is at how many nodes the search ends, once its time runs.
func (m *Manager) mostNodes() uint64 { return min(m.nodes, m.clock.nodesWithin(m.budget.hard)) }

// Allows reports whether the search may visit so many nodes, this one included.
func (m *Manager) Allows(nodes uint64) bool {
	return !m.clock.running() || nodes+m.before <= m.mostNodes()
}

// StartIteration reports whether to begin an iteration of so many turns after so many
// nodes, the best turn's score so far being best. A search that ponders begins each; with
// a clock, what it found by the opponent's time then counts: if it could have ended, it
// ends with the hit.
func (m *Manager) StartIteration(depth int, nodes uint64, best search.Score) bool {
	if m.Stopped() || m.limits.Depth > 0 && depth > m.limits.Depth {
		return false
	}
	used, runs := m.clock.used(nodes + m.before)
	switch {
	case m.limits.Infinite:
		return true
	case runs && used >= m.budget.hard:
		return false
	case m.limits.Clock == nil:
		return true
	}
	enough := m.knowsEnough(depth, nodes, best)
	if !runs {
		m.enough.Store(enough && m.limits.Mate == 0)
		return true
	}
	return !enough
}

// knowsEnough reports whether a clock's time is better saved than spent on an iteration: a
// single turn or a proven end need no more, and for others the soft limit holds, that of
// all the time since the search began.
func (m *Manager) knowsEnough(depth int, nodes uint64, best search.Score) bool {
	if plies, proven := best.Mate(); proven && max(plies, -plies) < depth {
		return true // a shorter way may be left, but no point in saving turns at the price of time
	}
	return m.single && depth > 1 || float64(m.Elapsed(nodes)) >= float64(m.budget.soft)*m.factor
}

// LimitRest begins another part of the search, whose nodes are counted from zero: the
// part before visited so many nodes, which count, and this one visits at most so many.
func (m *Manager) LimitRest(before, most uint64) {
	m.before += before
	m.nodes = min(m.nodes, m.before+most)
}

// Mate returns in how many of its turns the side to move is to win, at most; 0 if that
// is not asked.
func (m *Manager) Mate() int { return min(m.limits.Mate, search.MaxDepth/2) }

// Wait waits until a search that must not end by itself may end.
func (m *Manager) Wait() {
	switch {
	case m.limits.Infinite:
		<-m.stop
	case m.limits.Ponder != nil:
		select {
		case <-m.limits.Ponder:
		case <-m.stop:
		}
	}
}

// budget is how long a turn may take: a soft and a hard limit, as chess programs have
// them (Hyatt, "Using Time Wisely", 1984).
type budget struct {
	soft time.Duration // of the clock: begin no iteration later, as things go
	hard time.Duration // stop at once
}

// endless is a time that no search takes.
const endless = time.Duration(math.MaxInt64)

// Bounds against a flag, whatever the shares of the time.
const (
	mostOfClock = 0.7 // never more of the clock than this
	leastTime   = time.Millisecond

	overheadShare = 10 // the part of a movetime that is kept back at most: a tenth
)

// budgetFor shares out the time by the numbers of the search: what the clock and the time
// of the turn both allow in a phase of the game.
func budgetFor(limits search.Limits, numbers *search.Parameters, p phase) budget {
	b := budget{soft: endless, hard: endless}
	if limits.Infinite {
		return b
	}
	if limits.Clock != nil {
		b = shareOfClock(limits.Clock, limits.Overhead, numbers, p)
	}
	if limits.MoveTime != nil {
		kept := min(limits.Overhead, *limits.MoveTime/overheadShare)
		b.hard = min(b.hard, max(*limits.MoveTime-kept, leastTime))
	}
	return b
}

// shareOfClock shares out the time of a clock. The conversions keep a multiplication and
// an addition from being fused: a clock of nodes gives the same on every architecture.
func shareOfClock(clock *search.Clock, overhead time.Duration, numbers *search.Parameters, p phase) budget {
	left := max(clock.Left-overhead-reserve(clock, overhead, p), leastTime)
	share := float64(float64(left) / float64(p.turns(numbers, clock.MovesToGo)))
	hardFactor := numbers[search.PlacingFactor]
	if !p.placing {
		share += float64(percent(numbers[search.IncrementUse]) * float64(clock.Increment))
		hardFactor = numbers[search.MovingFactor]
	}
	most := mostOfClock * float64(left)
	if clock.MovesToGo == 1 {
		most = float64(left)
	}
	return budget{
		soft: max(time.Duration(min(percent(numbers[search.SoftShare])*share, most)), leastTime),
		hard: max(time.Duration(min(percent(hardFactor)*share, most)), leastTime),
	}
}

// percent returns so many hundredths.
func percent(n int) float64 { return float64(n) / 100 }

// reserve is what the turns after this one need at least, as far as their increments do
// not pay for it: the overhead, and the least time of a turn. While a clock has that it
// never runs out, however long the game.
func reserve(clock *search.Clock, overhead time.Duration, p phase) time.Duration {
	turns := p.most
	if clock.MovesToGo > 0 {
		turns = min(turns, clock.MovesToGo)
	}
	return max(overhead+leastTime-clock.Increment, 0) * time.Duration(max(turns-1, 0))
}

// steadiness is how sure a search is of its best turn.
type steadiness struct {
	steady int          // iterations since the best turn changed
	last   search.Score // score of the last iteration
	factor float64      // of the time to use
}

// IterationDone tells of an iteration: how steady the search is decides how much of
// the turn's time it uses. Changed says that another turn than before is best,
// effort is the share of the nodes that was spent on the best turn.
func (s *steadiness) IterationDone(score search.Score, changed bool, effort float64) {
	s.steady++
	if changed {
		s.steady = 0
	}
	s.factor = [...]float64{1.6, 1.3, 1.1, 1, 0.9}[min(s.steady, 4)]
	if drop := s.last - score; drop > 0 {
		s.factor *= 1 + min(float64(drop), 100)/150
	}
	s.factor *= 1.5 - float64(min(effort, 0.95)*0.8)
	s.last = score
}

// phase is where in its game the side to move is.
type phase struct {
	placing bool // of rings
	moves   int  // ring moves that the side has made
	most    int  // turns that it has to come at most, this one among them
}

// phaseOf returns the phase of a position. Each ring move brings a marker, and each row
// removed with its ring takes five away.
func phaseOf(p *position.Position) phase {
	us, removed := p.SideToMove(), 0
	for _, s := range []position.Side{position.White, position.Black} {
		removed += p.Removed(s)
	}
	rowsToCome := max(2*(p.Rules().WinningRings()-1)-removed, 0)
	most := (p.Pool() + position.RowLength*rowsToCome + 1) / 2
	if p.Placing() {
		most += position.RingsPerSide - p.Rings(us).Count() - p.Removed(us)
	}
	return phase{placing: p.Placing(), moves: (p.AllMarkers().Count() + position.RowLength*removed) / 2, most: most}
}

// turns returns by the numbers of the search how many turns share the time that is left,
// this one among them, with so many until the next time control, or 0. A placing gets half of what a ring move gets.
func (p phase) turns(numbers *search.Parameters, movesToGo int) int {
	if p.placing {
		if movesToGo > 0 {
			return min(2*movesToGo-1, numbers[search.PlacingTurns])
		}
		return numbers[search.PlacingTurns]
	}
	turns := min(max(numbers[search.GameMoves]-p.moves, numbers[search.FewestTurns]), numbers[search.MostTurns])
	if movesToGo > 0 {
		turns = min(movesToGo, turns)
	}
	return turns
}

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

// running reports whether the turn's time runs. While it does not, on the opponent's time,
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
