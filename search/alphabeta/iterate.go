package alphabeta

import "gyre/search"

// iterate searches deeper and deeper (iterative deepening, Slate and Atkin 1977) until
// the time manager says stop, with so many lines. Helping threads begin at different
// depths.
func (w *worker) iterate(lines, first int, report func(search.Info)) {
	for depth := first; depth <= search.MaxDepth; depth++ {
		if w.main && !w.limits.StartIteration(depth, w.allNodes(), w.roots[0].score) || w.limits.Stopped() {
			return
		}
		w.rootDepth, w.selDepth = depth, 0
		leader := w.roots[0].turn
		for i := range w.roots {
			w.roots[i].before, w.roots[i].score = w.roots[i].score, -search.Infinity
		}
		for w.pvIndex = 0; w.pvIndex < lines; w.pvIndex++ {
			if !w.searchPV(depth, report) {
				return
			}
			sortByScore(w.roots[:w.pvIndex+1])
		}
		w.pvIndex = 0
		if w.main {
			best := &w.roots[0]
			w.limits.IterationDone(best.score, best.turn != leader, float64(best.nodes)/float64(max(w.nodes, 1)))
			w.reportLines(depth, lines, report)
		}
	}
}

// searchPV finds the best of the root turns that are not in a line yet, in a
// window around the score of the last iteration that is widened until the
// score is inside (aspiration). It tells whether it came to an end.
func (w *worker) searchPV(depth int, report func(search.Info)) bool {
	alpha, beta := -search.Infinity, search.Infinity
	width := search.Score(w.parameters[search.AspirationWindow])
	last := w.roots[w.pvIndex].before
	if _, proven := last.Mate(); depth >= w.parameters[search.AspirationFrom] && !proven && last > -search.Infinity {
		alpha, beta = last-width, last+width
	}
	for ; ; width *= 3 {
		score := w.searchRoot(depth, alpha, beta)
		stopped := w.limits.Stopped()
		w.sortRoots()
		switch {
		case stopped:
			return false
		case score <= alpha && alpha > -search.Infinity:
			w.reportBound(depth, report)
			alpha = lower(score, width)
		case score >= beta && beta < search.Infinity:
			w.reportBound(depth, report)
			beta = -lower(-score, width)
		default:
			return true
		}
	}
}

// searchRoot searches the root turns from the line-th on, as deep as the
// iteration says, and returns the best score.
func (w *worker) searchRoot(depth int, alpha, beta search.Score) search.Score {
	best := -search.Infinity
	for i := w.pvIndex; i < len(w.roots); i++ {
		r := &w.roots[i]
		nodes := w.nodes
		w.play(0, r.turn)
		number := i - w.pvIndex + 1
		score := w.child(0, depth, number, alpha, beta, r.turn.Quiet(), true)
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
		r.pv = append(append(r.pv[:0], r.turn), w.stack[1].pv...)
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
func (w *worker) sortRoots() { sortByScore(w.roots[w.pvIndex:]) }

// lower is a score less a width, as far as windows go.
func lower(score, width search.Score) search.Score {
	if score-width < -search.WinThreshold/2 {
		return -search.Infinity
	}
	return score - width
}

// reportBoundAfter is the time in seconds before which bounds are not reported.
const reportBoundAfter = 1

// reportBound reports that the score of the current line lies outside its
// window, once a search takes long enough for somebody to watch it.
func (w *worker) reportBound(depth int, report func(search.Info)) {
	if w.main && w.limits.Elapsed(w.allNodes()).Seconds() >= reportBoundAfter {
		report(w.info(depth, w.pvIndex))
	}
}

// reportLines reports all lines at the end of an iteration.
func (w *worker) reportLines(depth, lines int, report func(search.Info)) {
	for i := range lines {
		report(w.info(depth, i))
	}
}

// info describes a line. One that this iteration did not get to has the score of the
// iteration before, and one that no iteration got to its static score.
func (w *worker) info(depth, line int) search.Info {
	r := &w.roots[line]
	score := r.score
	if score == -search.Infinity {
		score, depth = r.before, max(depth-1, 1)
	}
	if score == -search.Infinity {
		score = r.static
	}
	nodes := w.allNodes()
	return search.Info{
		Depth: depth, SelDepth: r.deepest, MultiPV: line + 1, Score: score, Bound: r.bound,
		Nodes: nodes, Time: w.limits.Elapsed(nodes), HashFull: w.table.full(),
		PV: append(r.pv[:0:0], r.pv...),
	}
}
