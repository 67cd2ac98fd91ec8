// Package timemanager decides when a search ends. Every limit of a search, of nodes,
// time, depth and mate, is looked at here and nowhere else; the first that is reached
// ends the search. The searchers ask whether to go on, and tell of their iterations.
//
//	timemanager.go  the limits, as nodes are visited and iterations begin
//	clock.go        the time of a search, by the wall or by the nodes visited
//	budget.go       how long a turn may take, by the clock and by how steady the search is
//	phase.go        how many turns share the clock's time, by where in the game they are
//	yield_js.go     letting events be heard where there are no threads, in a browser
package timemanager

import (
	"context"
	"math"
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

// Stopped tells whether the search has to end.
func (m *Manager) Stopped() bool { return m.stopped.Load() }

// DepthLimited tells whether there is a limit of depth.
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

// Allows tells whether the search may visit so many nodes, this one included.
func (m *Manager) Allows(nodes uint64) bool {
	return !m.clock.running() || nodes+m.before <= m.mostNodes()
}

// StartIteration tells whether to begin an iteration of so many turns after so many
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

// knowsEnough tells whether a clock's time is better saved than spent on an iteration: a
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
