// Package timemanager decides when a search ends. Only this package reads the clock of a
// search and checks its limits: nodes, time, depth and mate. The first limit reached ends
// the search. The searchers ask it whether to continue, and report their iterations to it.
package timemanager

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/events"
)

// Manager enforces the limits of one search. Its methods are safe for concurrent use,
// except for those about iterations, which only the leading thread may call.
type Manager struct {
	limits search.Limits
	timed  bool   // the side to move has a clock
	single bool   // there is only one legal turn
	nodes  uint64 // limit on nodes, or unlimited
	budget budget
	every  uint64 // nodes between two checks of the limits

	clock   clock
	stopped atomic.Bool // set once, by the context or by a limit
	enough  atomic.Bool // while pondering: the search knows enough to end after ponderhit
	release func() bool
	stop    <-chan struct{} // closed when the context is done
	ended   chan struct{}   // closed by End

	steadiness
	yielder events.Yielder
}

// unlimited is a number of nodes that no search visits.
const unlimited = math.MaxUint64

// The number of nodes between two checks of the limits: in alpha-beta they take about
// a millisecond, or less with the short interval.
const (
	checkEvery      = 1024
	checkEveryShort = 128
	shortTurn       = 50 * time.Millisecond
)

// Begin starts a search from a position. single says that there is only one legal
// turn. The caller must call [Manager.End].
func Begin(ctx context.Context, limits search.Limits, params *search.Parameters, root *position.Position, single bool) *Manager {
	return beginBy(ctx, limits, params, root, single, time.Now)
}

// beginBy is like [Begin] with another wall clock, which must be safe for concurrent
// use.
func beginBy(ctx context.Context, limits search.Limits, params *search.Parameters, root *position.Position, single bool, now func() time.Time) *Manager {
	m := &Manager{
		limits: limits,
		timed:  limits.Clock[root.SideToMove()].Left > 0,
		single: single && limits.Mate == 0, // a mate search proves a win, it does not choose a turn
		nodes:  unlimited,
		budget: budgetFor(limits, root.SideToMove(), params, phaseOf(root)), every: checkEvery,
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
	if !limits.Ponder {
		m.clock.start()
		return m
	}
	go func() {
		select {
		case <-limits.PonderHit:
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

// End releases the resources of the manager.
func (m *Manager) End() {
	m.release()
	close(m.ended)
}

// Stopped reports whether the search must end.
func (m *Manager) Stopped() bool { return m.stopped.Load() }

// DepthLimited reports whether there is a limit on depth.
func (m *Manager) DepthLimited() bool { return m.limits.Depth > 0 }

// Stop ends the search.
func (m *Manager) Stop() { m.stopped.Store(true) }

// Elapsed returns the time since the start of the search, given the number of nodes
// visited.
func (m *Manager) Elapsed(nodes uint64) time.Duration { return m.clock.elapsed(nodes) }

// Check stops the search if the limit on nodes or time is reached after the given
// number of nodes. It returns a larger number of nodes at which to check again.
func (m *Manager) Check(nodes uint64) (next uint64) {
	m.yielder.Yield(m.clock.now)
	next = nodes + m.every
	used, runs := m.clock.used(nodes)
	if !runs {
		return next
	}
	limit := m.maxNodes()
	if nodes >= limit || used >= m.budget.hard {
		m.Stop()
	}
	if limit == unlimited {
		return next
	}
	return min(next, max(limit, nodes+1))
}

// maxNodes returns the number of nodes at which the search ends, once its time is
// running.
func (m *Manager) maxNodes() uint64 { return min(m.nodes, m.clock.nodesWithin(m.budget.hard)) }

// Allows reports whether the search may visit this many nodes in total.
func (m *Manager) Allows(nodes uint64) bool {
	return !m.clock.running() || nodes <= m.maxNodes()
}

// StartIteration reports whether to start an iteration of the given depth, after the
// given number of nodes and with the best turn's score so far. A pondering search
// always starts it. With a clock, a pondering search that could have ended by then
// ends on ponderhit.
func (m *Manager) StartIteration(depth int, nodes uint64, best search.Score) bool {
	if m.Stopped() || m.limits.Depth > 0 && depth > m.limits.Depth {
		return false
	}
	used, runs := m.clock.used(nodes)
	switch {
	case m.limits.Infinite:
		return true
	case runs && used >= m.budget.hard:
		return false
	case !m.timed:
		return true
	}
	enough := m.knowsEnough(depth, nodes, best)
	if !runs {
		m.enough.Store(enough && m.limits.Mate == 0)
		return true
	}
	return !enough
}

// knowsEnough reports whether it is better to save a clock's time than to start an
// iteration. A single legal turn or a proven result needs no further iteration.
// Otherwise the soft limit decides, for all the time since the search began.
func (m *Manager) knowsEnough(depth int, nodes uint64, best search.Score) bool {
	if plies, proven := best.Mate(); proven && max(plies, -plies) < depth {
		return true // a shorter win may exist, but saving turns is not worth the time
	}
	return m.single && depth > 1 || float64(m.Elapsed(nodes)) >= float64(m.budget.soft)*m.factor
}

// The answer to a mate search may use 1/answerShare of its nodes and of its time.
const answerShare = 4

// AnswerLimits returns the limits of the normal search that comes before the proof in a mate
// search, so that there is a searched turn to play without a mate: the same depth and turns, at
// most maxNodes nodes, and a share of the nodes and the time of the whole search. It never waits.
func (m *Manager) AnswerLimits(maxNodes uint64) search.Limits {
	l := search.Limits{
		Nodes: min(max(m.nodes/answerShare, 1), maxNodes),
		Depth: m.limits.Depth, SearchTurns: m.limits.SearchTurns, NodesTime: m.limits.NodesTime,
	}
	if budget := min(m.budget.soft, m.budget.hard); budget < endless {
		l.MoveTime = budget / answerShare
	}
	return l
}

// Mate returns the maximum number of turns of a win to search for, or 0 if this is
// not a mate search.
func (m *Manager) Mate() int { return min(m.limits.Mate, search.MaxDepth/2) }

// Wait blocks while the search must not end by itself.
func (m *Manager) Wait() {
	switch {
	case m.limits.Infinite:
		<-m.stop
	case m.limits.Ponder:
		select {
		case <-m.limits.PonderHit:
		case <-m.stop:
		}
	}
}

// budget is the time for a turn: a soft and a hard limit, as in chess programs
// (Hyatt, "Using Time Wisely", 1984).
type budget struct {
	soft time.Duration // start no iteration after this time, scaled by the steadiness of the search
	hard time.Duration // stop at once
}

// endless is longer than any search.
const endless = time.Duration(math.MaxInt64)

// Safety margins against losing on time, independent of the parameters.
const (
	maxClockShare = 0.7 // maximum share of the clock for one turn
	minTime       = time.Millisecond

	overheadShare = 10 // 1/overheadShare of MoveTime is the maximum reserved for overhead
)

// Longer clocks and overheads, and more turns, count as these, so that sums and products fit.
const (
	mostTurns       = 1_000_000
	longestClock    = endless / 2
	longestOverhead = endless / 1024 // times the turns that a game can still have
)

// budgetFor computes the budget of a side in a phase of the game: what both its clock and
// the time for the turn allow.
func budgetFor(limits search.Limits, side position.Side, params *search.Parameters, p phase) budget {
	b := budget{soft: endless, hard: endless}
	if limits.Infinite {
		return b
	}
	if clock := limits.Clock[side]; clock.Left > 0 {
		clock.Left = min(clock.Left, longestClock)
		b = shareOfClock(clock, min(limits.MovesToGo, mostTurns), min(limits.Overhead, longestOverhead), params, p)
	}
	if limits.MoveTime > 0 {
		kept := min(limits.Overhead, limits.MoveTime/overheadShare)
		b.hard = min(b.hard, max(limits.MoveTime-kept, minTime))
	}
	return b
}

// shareOfClock computes the budget by a clock. The conversions prevent fused
// multiply-adds, so that a clock of nodes gives the same result on every
// architecture.
func shareOfClock(clock search.Clock, movesToGo int, overhead time.Duration, params *search.Parameters, p phase) budget {
	left := max(clock.Left-overhead-reserve(clock, movesToGo, overhead, p), minTime)
	share := float64(float64(left) / float64(p.turns(params, movesToGo)))
	hardFactor := params[search.PlacingFactor]
	if !p.placing {
		share += float64(percent(params[search.IncrementUse]) * float64(clock.Increment))
		hardFactor = params[search.MovingFactor]
	}
	limit := maxClockShare * float64(left)
	if movesToGo == 1 {
		limit = float64(left)
	}
	return budget{
		soft: max(time.Duration(min(percent(params[search.SoftShare])*share, limit)), minTime),
		hard: max(time.Duration(min(percent(hardFactor)*share, limit)), minTime),
	}
}

// percent converts hundredths.
func percent(n int) float64 { return float64(n) / 100 }

// reserve returns the time that the later turns need at least, beyond their
// increments: the overhead and the minimum time of each turn. While the clock has
// that much time left, it never runs out, however long the game.
func reserve(clock search.Clock, movesToGo int, overhead time.Duration, p phase) time.Duration {
	turns := p.maxTurns
	if movesToGo > 0 {
		turns = min(turns, movesToGo)
	}
	return max(overhead+minTime-clock.Increment, 0) * time.Duration(max(turns-1, 0))
}

// steadiness measures how settled the best turn of a search is.
type steadiness struct {
	steady int          // iterations since the best turn changed
	last   search.Score // score of the last iteration
	factor float64      // on the soft limit
}

// IterationDone updates the steadiness after an iteration. changed says that the best
// turn has changed, and effort is the share of the nodes spent on the best turn.
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

// phase describes how far the game has progressed for the side to move.
type phase struct {
	placing  bool // the side places rings
	moves    int  // ring moves that the side has made
	maxTurns int  // maximum number of turns left, including this one
}

// phaseOf returns the phase of a position. Each ring move adds a marker, and each
// removed row takes five off the board.
func phaseOf(p *position.Position) phase {
	us, removed := p.SideToMove(), 0
	for _, s := range []position.Side{position.White, position.Black} {
		removed += p.Removed(s)
	}
	rowsToCome := max(2*(p.Rules().WinningRings()-1)-removed, 0)
	maxTurns := (p.Pool() + position.RowLength*rowsToCome + 1) / 2
	if p.Placing() {
		maxTurns += position.RingsPerSide - p.Rings(us).Count() - p.Removed(us)
	}
	return phase{placing: p.Placing(), moves: (p.AllMarkers().Count() + position.RowLength*removed) / 2, maxTurns: maxTurns}
}

// turns returns the number of turns that share the remaining time, including this
// one. movesToGo is the number of turns to the next time control, or 0. A placing
// counts half of a ring move.
func (p phase) turns(params *search.Parameters, movesToGo int) int {
	if p.placing {
		if movesToGo > 0 {
			return min(2*movesToGo-1, params[search.PlacingTurns])
		}
		return params[search.PlacingTurns]
	}
	turns := min(max(params[search.GameMoves]-p.moves, params[search.FewestTurns]), params[search.MostTurns])
	if movesToGo > 0 {
		turns = min(movesToGo, turns)
	}
	return turns
}

// clock measures the time of one search. It is the wall clock, or counts nodes as
// time. With a clock of nodes, equal searches end after the same number of nodes on
// every machine.
type clock struct {
	now      func() time.Time // the wall clock
	began    time.Time
	perMilli uint64        // nodes per millisecond; 0 for the wall clock
	seen     atomic.Uint64 // nodes at the last check before the turn's time started
	started  atomic.Int64  // when the turn's time started, in nanoseconds after the start of the search, plus one; 0 before that
}

// begin starts a search now. perMilli is the number of nodes per millisecond, or 0
// for the wall clock.
func (c *clock) begin(now func() time.Time, perMilli uint64) {
	c.now, c.perMilli = now, perMilli
	c.began = now()
}

// elapsed returns the time since the start of the search, given the number of nodes
// visited.
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

// start starts the turn's time. If processors disagree, the wall clock may show a
// time before the start of the search; the turn's time still counts as started.
func (c *clock) start() { c.started.Store(max(int64(c.elapsed(c.seen.Load())), 0) + 1) }

// running reports whether the turn's time is running. While it is not, during
// pondering, neither time nor nodes are limited.
func (c *clock) running() bool { return c.started.Load() != 0 }

// used returns how much of the turn's time has passed after this many nodes, and
// whether it is running.
func (c *clock) used(nodes uint64) (time.Duration, bool) {
	started := c.started.Load()
	if started == 0 {
		c.seen.Store(nodes)
		return 0, false
	}
	return c.elapsed(nodes) - time.Duration(started-1), true
}

// nodesWithin returns the number of nodes after which this much of the turn's time is
// used. It is unlimited with the wall clock. The turn's time must be running.
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
