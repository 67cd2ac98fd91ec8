package tactics

import (
	"slices"
	"time"

	"gyre/search"
)

// watch follows the reports of one search to tell the time to solution: the
// time of the last change to a winning turn.
type watch struct {
	problem *Problem
	right   bool          // the best turn reported last wins
	since   time.Duration // and does since then
}

// see takes a report, and tells whether the search has proven that a winning
// turn wins in time, so that it need not go on.
//
// Only the best line counts, and an upper bound tells of no turn.
func (w *watch) see(info *search.Info) (proven bool) {
	if info.MultiPV > 1 || info.Bound == search.Upper || len(info.PV) == 0 {
		return false
	}
	right := slices.Contains(w.problem.Winning, info.PV[0])
	if right && !w.right {
		w.since = info.Time
	}
	w.right = right
	plies, mate := info.Score.Mate()
	return right && mate && plies > 0 && plies <= w.problem.Plies()
}
