package alphabeta

import (
	"slices"

	"gyre/position"
	"gyre/search"
)

// rootTurn is a turn at the root with what the iterations found of it.
type rootTurn struct {
	turn    position.Turn
	score   search.Score // of this iteration; -Infinity if only shown to be no better
	before  search.Score // of the iteration before; -Infinity if that had none
	static  search.Score // of the position after it, at first sight
	bound   search.Bound
	line    []position.Turn // principal variation, from the turn itself
	deepest int             // selDepth when it was found
	nodes   uint64          // spent on it in this search
}

// searchRoot searches the root turns from the line-th on, as deep as the
// iteration says, and returns the best score.
func (w *worker) searchRoot(depth int, alpha, beta search.Score) search.Score {
	best := -search.Infinity
	for i := w.line; i < len(w.roots); i++ {
		r := &w.roots[i]
		nodes := w.nodes
		w.play(0, r.turn)
		number := i - w.line + 1
		score := w.child(0, depth, number, alpha, beta, isQuiet(r.turn), true)
		r.nodes += w.nodes - nodes
		if w.limits.Stopped() {
			return best
		}
		if number > 1 && score <= alpha {
			r.score = -search.Infinity
			continue
		}
		r.score, r.bound, r.deepest = score, search.Exact, w.selDepth
		if score <= alpha {
			r.bound = search.Upper
		}
		r.line = append(append(r.line[:0], r.turn), w.stack[1].line...)
		best = max(best, score)
		if score >= beta {
			r.bound = search.Lower
			break
		}
		alpha = max(alpha, score)
	}
	return best
}

// sortRoots puts the root turns of this line and later ones into the order of
// their scores, those that are only shown to be no better as they were.
func (w *worker) sortRoots() { sortByScore(w.roots[w.line:]) }

// sortByScore puts root turns into the order of their scores, equal ones as
// they were.
func sortByScore(roots []rootTurn) {
	slices.SortStableFunc(roots, func(a, b rootTurn) int { return int(b.score) - int(a.score) })
}
