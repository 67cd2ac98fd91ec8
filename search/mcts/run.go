package mcts

import (
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/timemanager"
)

// run is one search: what its threads share.
type run struct {
	arena    *arena
	scorer   *evaluation.Scorer // of the thread that leads
	numbers  *numbers
	root     *position.Position
	scale    search.Scale // of the root's scores
	limits   *timemanager.Manager
	multiPV  int          // lines asked for
	sweeping sync.RWMutex // held for reading in a visit, for writing while room is made
	visits   atomic.Uint64
	deepest  atomic.Int32 // turns from the root
	done     atomic.Bool  // set once, by whoever finds that the search is over
	reported time.Duration
	info     search.Info   // of the best line as last reported
	leader   position.Turn // the best when the number of visits last doubled
}

// over tells whether the search has to end.
func (r *run) over() bool { return r.done.Load() || r.limits.Stopped() }

// claim counts a visit about to be made, and tells whether it may be.
func (r *run) claim() bool {
	if !r.limits.Allows(r.visits.Add(1)) {
		r.visits.Add(^uint64(0))
		r.done.Store(true)
		return false
	}
	return true
}

// proven tells whether the lines that are asked for are proven: so many win,
// or all turns are proven.
func (r *run) proven() bool {
	wins, open := 0, 0
	children := r.arena.children(0)
	for i := range children {
		switch children[i].proof().end() {
		case won:
			wins++
		case unproven:
			open++
		}
	}
	return open == 0 || wins >= r.multiPV
}
