package alphabeta

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// node returns the score of the position at a ply of the tree, searched so many
// turns deep, by principal variation search (Marsland and Campbell 1982): an
// open window for the first turn, and one of no width to show that the others
// are no better. The score is exact between alpha and beta, else a bound.
func (w *worker) node(at, depth int, alpha, beta search.Score) search.Score {
	if depth <= 0 || at >= search.MaxDepth {
		return w.quiescence(at, alpha, beta)
	}
	here := &w.stack[at]
	here.pv = here.pv[:0]
	p := &here.position
	if w.visit(at) {
		return 0
	}
	if score, over := ended(p, at); over {
		return score
	}
	alpha, beta = max(alpha, search.LossIn(at)), min(beta, search.WinIn(at+1)) // mate-distance pruning
	if alpha >= beta {
		return alpha
	}
	pv := beta > alpha+1
	known, found := w.table.probe(p.Hash())
	if found && !pv && known.Depth >= depth {
		if score := fromTable(known.Score, at); settles(known.Bound, score, alpha, beta) {
			return score
		}
	}
	static := w.evaluate(at)
	if !pv && w.reverseFutility(at, depth, static, beta) {
		return static
	}
	if !found && depth >= w.parameters[search.InternalReductionFrom] {
		depth-- // without a turn to begin with the node is dear
	}
	return w.turns(at, depth, alpha, beta, known)
}

// turns searches the turns of a node and keeps the result in the table.
func (w *worker) turns(at, depth int, alpha, beta search.Score, known entry) search.Score {
	here := &w.stack[at]
	p := &here.position
	pv := beta > alpha+1
	improving := at >= 2 && here.static > w.stack[at-2].static
	best, bound, bestTurn := -search.Infinity, search.Upper, position.None
	here.quiets = here.quiets[:0]
	w.startPicker(at, depth, known)
	margin := w.futilityMargin(p, depth, pv)
	number := 0
	for t := here.picker.pick(); t != position.None; t = here.picker.pick() {
		number++
		quiet := t.Quiet()
		if quiet && !pv && best > -search.WinThreshold && w.lateMovePruned(depth, number, improving) {
			break // the picker has less promising turns left
		}
		static := here.picker.staticScore()
		if static != nil && search.Score(static.Score)+margin <= alpha {
			best = max(best, search.Score(static.Score)+margin)
			if depth > 1 {
				continue
			}
			if margin == 0 { // all quiet turns not searched lead to leaves that this decides
				w.visitLeaves(len(here.picker.static) - len(here.quiets))
			}
			here.picker.skipQuiet()
			continue
		}
		if quiet {
			here.quiets = append(here.quiets, t)
		}
		w.enter(at, depth, t, static)
		score := w.child(at, depth, number, alpha, beta, quiet, improving)
		if w.limits.Stopped() {
			return 0
		}
		best = max(best, score)
		if score <= alpha {
			continue
		}
		alpha, bound, bestTurn = score, search.Exact, t
		if pv {
			here.pv = append(append(here.pv[:0], t), w.stack[at+1].pv...)
		}
		if score >= beta {
			bound = search.Lower
			w.learn(at, t, quiet, depth)
			break
		}
	}
	if number == 0 {
		return finalScore(p, at)
	}
	w.table.store(p.Hash(), entry{Turn: bestTurn, Score: toTable(best, at), Depth: depth, Bound: bound})
	return best
}

// enter plays a turn of a node that is searched to a depth, with its static score if
// that is known.
func (w *worker) enter(at, depth int, t position.Turn, static *evaluation.QuietScore) {
	next := w.play(at, t)
	if static != nil {
		w.update(at, static)
	}
	if depth > 1 { // else it is a leaf, which does not ask the table
		prefetch(w.table.bucketFor(next.position.Hash()))
	}
}

// child searches the position after a turn, the number-th of its node: late
// turns less deeply at first (late-move reductions).
func (w *worker) child(at, depth, number int, alpha, beta search.Score, quiet, improving bool) search.Score {
	if number == 1 {
		return -w.node(at+1, depth-1, -beta, -alpha)
	}
	pv := beta > alpha+1
	less := 0
	if depth >= 2 && number >= w.parameters[search.ReductionFrom] {
		less = w.reduction(depth, number)
		if quiet {
			here := &w.stack[at]
			less -= int(w.history.score(here.position.SideToMove(), here.turn, here.picker.previous) / int32(w.parameters[search.ReductionHistory]))
		}
		if pv {
			less--
		}
		if !improving {
			less++
		}
		less = max(0, min(less, depth-1))
	}
	score := -w.node(at+1, depth-1-less, -alpha-1, -alpha)
	if score > alpha && less > 0 && !w.limits.Stopped() {
		score = -w.node(at+1, depth-1, -alpha-1, -alpha)
	}
	if score > alpha && score < beta && !w.limits.Stopped() {
		score = -w.node(at+1, depth-1, -beta, -alpha)
	}
	return score
}

// learn keeps what a cut by a turn teaches: the killers of its ply, and history.
func (w *worker) learn(at int, t position.Turn, quiet bool, depth int) {
	here := &w.stack[at]
	if !quiet {
		return
	}
	if here.killers[0] != t {
		here.killers[1], here.killers[0] = here.killers[0], t
	}
	w.history.update(here.position.SideToMove(), here.quiets, here.picker.previous, depth)
}

// quiescence returns the score of a leaf by quiescence search.
func (w *worker) quiescence(at int, alpha, beta search.Score) search.Score {
	best, left := w.standPat(at, beta)
	switch left {
	case leafTakings:
		return w.takeRows(at, max(alpha, best), beta, best)
	case leafEvasions:
		return w.node(at, 1, alpha, beta)
	}
	return best
}

// takeRows searches the turns of a leaf that take rows off, which its picker has,
// the best by their static worth first. Best is what the leaf is worth without.
func (w *worker) takeRows(at int, alpha, beta, best search.Score) search.Score {
	here := &w.stack[at]
	for range w.parameters[search.QuiescenceTurns] {
		t := here.picker.highest()
		if t == position.None {
			break
		}
		w.play(at, t)
		score := -w.quiescence(at+1, -beta, -alpha)
		if w.limits.Stopped() {
			return 0
		}
		best = max(best, score)
		if score > alpha {
			alpha = score
			here.pv = append(append(here.pv[:0], t), w.stack[at+1].pv...)
		}
		if score >= beta {
			break
		}
	}
	return best
}
