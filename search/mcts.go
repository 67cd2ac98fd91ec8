package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
)

// MCTS is a Monte-Carlo tree search over whole turns without playouts: leaves
// are evaluated, turns are chosen by PUCT with priors from the evaluation of
// the positions they lead to, and ends of the game are proven where they can
// be.
//
//	mcts.go          a search from its limits to its outcome
//	mcts_visit.go    one visit: down the tree, out at a leaf, and back up
//	mcts_expand.go   the children of a leaf: evaluation, priors, ends
//	mcts_quiet.go    rows about to be completed, resolved before a position is judged
//	mcts_chance.go   evaluations as chances to win, and back
//	mcts_proof.go    proven ends
//	mcts_arena.go    the memory of the tree
//	mcts_sweep.go    making room in it
//	mcts_reuse.go    going on with the tree after a turn
//	mcts_report.go   lines, scores, and which turn is best
//
// A node, as limits and reports count them, is a visit: about as many
// evaluations as the position has turns. Depth is the length of the principal
// variation as far as it has been visited, so a limit of depth ends the search
// when that line is so long. With one thread and no limit of time, equal
// searches after NewGame give equal results.
//
// A proven root ends the search, unless it has to wait for its context or to
// ponder; with several lines asked for, the root counts as proven when all of
// them are. A proven win may be longer than need be; its score is then a lower
// bound.
type MCTS struct {
	Overhead time.Duration // kept back of each turn's time for what lies between engine and clock

	arena   *arena
	threads int
	root    position.Position // to which the tree belongs; the zero value if to none
}

// NewMCTS returns a searcher with one thread and a tree of so many mebibytes.
func NewMCTS(mebibytes int) *MCTS { return &MCTS{arena: newArena(mebibytes), threads: 1} }

// NewGame forgets what belongs to one game.
func (s *MCTS) NewGame() {
	s.root = position.Position{}
	s.arena.clear()
}

// Resize gives the tree another size, the largest that fits in mebibytes and at
// least one, and forgets it.
func (s *MCTS) Resize(mebibytes int) {
	s.root, s.arena = position.Position{}, nil // lets go of the old memory first
	s.arena = newArena(mebibytes)
}

// SetThreads sets how many threads the next search has, at least one.
func (s *MCTS) SetThreads(n int) { s.threads = max(1, n) }

// Search looks for the best turn until a limit is reached or the context is
// done. It reports each time that the number of visits has doubled, each
// second, and at its end. Its tree goes on from the one of the search before.
func (s *MCTS) Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome {
	turns := root.Turns(nil)
	if len(turns) == 0 {
		return Outcome{}
	}
	control := begin(ctx, limits, s.Overhead)
	defer control.end()
	s.adopt(&root)
	r := &mctsRun{arena: s.arena, root: &root, control: control, lines: max(1, limits.MultiPV)}
	if !r.openRoot(turns) {
		return Outcome{Best: turns[0]}
	}
	var others sync.WaitGroup
	for range s.threads - 1 {
		others.Go(func() { newExplorer(r).explore() })
	}
	r.lead(report)
	others.Wait()
	outcome := r.conclude(report)
	await(ctx, limits)
	return outcome
}

// await returns when a search that is at its end may say so.
func await(ctx context.Context, limits Limits) {
	if limits.Ponder != nil {
		select {
		case <-limits.Ponder:
		case <-ctx.Done():
		}
	}
	if limits.Infinite {
		<-ctx.Done()
	}
}

// mctsRun is one search: what its threads share.
type mctsRun struct {
	arena    *arena
	root     *position.Position
	control  *control
	lines    int          // asked for
	allowed  []bool       // the root's children that are considered
	sweeping sync.RWMutex // held for reading in a visit, for writing while room is made
	visits   atomic.Uint64
	deepest  atomic.Int32 // turns from the root
	done     atomic.Bool  // set once, by whoever finds that the search is over
	reported time.Duration
	info     Info // of the best line as last reported
}

// over tells whether the search has to end.
func (r *mctsRun) over() bool { return r.done.Load() || r.control.stopped.Load() }

// claim counts a visit about to be made, and tells whether it may be.
func (r *mctsRun) claim() bool {
	n := r.visits.Add(1)
	if limit := r.control.limits.Nodes; limit > 0 && n > limit {
		r.visits.Add(^uint64(0))
		r.done.Store(true)
		return false
	}
	return true
}

// The rhythm of the thread that leads.
const (
	firstReport  = 64  // visits
	depthEvery   = 128 // visits from one look at depth and soft time to the next
	reportPeriod = time.Second
	onlyTurn     = 64 // visits when there is one turn to choose from and a clock runs
)

// lead makes visits and watches over the limits until the search is over.
func (r *mctsRun) lead(report func(Info)) {
	e := newExplorer(r)
	next := uint64(firstReport)
	for own := uint64(1); !r.over() && e.visit(); own++ {
		visits := r.visits.Load()
		r.control.poll(visits)
		if visits >= next || r.control.elapsed()-r.reported >= reportPeriod {
			for next <= visits {
				next *= 2
			}
			r.report(report)
		}
		if own < depthEvery || own%depthEvery == 0 {
			r.consider(visits)
		}
	}
	r.done.Store(true)
}

// consider ends the search when it has gone deep or long enough.
func (r *mctsRun) consider(visits uint64) {
	limits := &r.control.limits
	if limits.Clock != nil && limits.MoveTime == nil && limits.Ponder == nil && visits >= onlyTurn && r.choices() == 1 {
		r.done.Store(true)
	}
	if !r.control.another(r.principalDepth() + 1) {
		r.done.Store(true)
	}
}

// choices returns how many of the root's children are considered.
func (r *mctsRun) choices() (n int) {
	for _, allowed := range r.allowed {
		if allowed {
			n++
		}
	}
	return n
}
