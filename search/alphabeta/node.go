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
	here.line = here.line[:0]
	p := &here.position
	if w.visit(at) {
		return 0
	}
	if score, over := ended(p, at); over {
		return score
	}
	alpha, beta = max(alpha, search.LossIn(at)), min(beta, search.WinIn(at+1))
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
	if !pv && w.cutByStatic(at, depth, static, beta) {
		return static
	}
	if !found && depth >= reduceUnknownFrom {
		depth-- // internal iterative reduction: without a turn to begin with the node is dear
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
	here.picker.start(w, at, depth, known)
	slack := w.slack(p, depth, pv)
	number := 0
	for t := here.picker.pick(); t != position.None; t = here.picker.pick() {
		number++
		quiet := isQuiet(t)
		if quiet && !pv && best > -search.WinThreshold && leaveOut(depth, number, improving) {
			break // the picker has only quiet turns left, and less promising ones
		}
		static := here.picker.staticScore()
		if static != nil && search.Score(static.Score)+slack <= alpha {
			best = max(best, search.Score(static.Score)+slack)
			if depth > 1 {
				continue
			}
			if slack == 0 { // all quiet turns not searched lead to leaves that this decides
				w.visitLeaves(len(here.picker.turns) - len(here.quiets))
			}
			break
		}
		if quiet {
			here.quiets = append(here.quiets, t)
		}
		next := w.play(at, t)
		if static != nil {
			w.update(at, static)
		}
		if depth > 1 { // else it is a leaf, which does not ask the table
			prefetch(w.table.bucketFor(next.position.Hash()))
		}
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
			here.line = append(append(here.line[:0], t), w.stack[at+1].line...)
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

// isQuiet tells whether a turn is just a ring move.
func isQuiet(t position.Turn) bool { return t.Kind() == position.Move && t.Removals() == 0 }

// child searches the position after a turn, the number-th of its node: late
// turns less deeply at first.
func (w *worker) child(at, depth, number int, alpha, beta search.Score, quiet, improving bool) search.Score {
	if number == 1 {
		return -w.node(at+1, depth-1, -beta, -alpha)
	}
	pv := beta > alpha+1
	less := 0
	if depth >= 2 && number >= lateFrom {
		less = reduction(depth, number)
		if quiet {
			here := &w.stack[at]
			less -= int(w.history.score(here.position.SideToMove(), here.turn, here.picker.previous) / historyATurn)
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

// learn keeps what a cut by a turn teaches.
func (w *worker) learn(at int, t position.Turn, quiet bool, depth int) {
	here := &w.stack[at]
	if !quiet {
		return
	}
	if here.killers[0] != t {
		here.killers[1], here.killers[0] = here.killers[0], t
	}
	w.history.reward(here.position.SideToMove(), here.quiets, here.picker.previous, depth)
}

// evaluate returns the evaluation of the position at a ply, after updating its
// accumulator.
func (w *worker) evaluate(at int) search.Score {
	here := &w.stack[at]
	if !here.evaluated {
		before := &w.stack[at-1]
		w.evaluator.Update(&here.accumulator, &before.accumulator, &before.position, before.turn)
		here.static = search.Score(w.evaluator.Score(&here.accumulator, &here.position))
		here.evaluated = true
	}
	return here.static
}

// update evaluates the position after the quiet turn that was just played at a
// ply, by its static score that is known already.
func (w *worker) update(at int, static *evaluation.QuietScore) {
	here, next := &w.stack[at], &w.stack[at+1]
	w.evaluator.UpdateQuiet(&next.accumulator, &here.accumulator, &here.position, here.turn, *static)
	next.static, next.evaluated = search.Score(-static.Score), true
}

// ended returns the score of a game that is over by the rings removed or the
// empty pool, and whether it is. That neither side can move shows when a node
// has no turns.
func ended(p *position.Position, at int) (search.Score, bool) {
	side := p.SideToMove()
	if p.Removed(side.Opponent()) >= p.Rules().WinningRings() {
		return search.LossIn(at), true
	}
	if p.Pool() == 0 && !p.HasRow(side) {
		return finalScore(p, at), true
	}
	return 0, false
}

// finalScore returns the score of a game that is over, by the rings removed.
func finalScore(p *position.Position, at int) search.Score {
	own, theirs := p.Removed(p.SideToMove()), p.Removed(p.SideToMove().Opponent())
	switch {
	case own > theirs:
		return search.WinIn(at)
	case own < theirs:
		return search.LossIn(at)
	}
	return 0
}
