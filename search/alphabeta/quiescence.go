package alphabeta

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/internal/mate"
)

// quiescence returns the score of a leaf: its evaluation, or better what the
// turns that take a row off lead to. Flips make rows out of scattered markers,
// so these turns are generated exactly, not guessed from fours. A leaf where the
// opponent threatens to win at once is searched one turn deeper.
func (w *worker) quiescence(at int, alpha, beta search.Score) search.Score {
	here := &w.stack[at]
	here.line = here.line[:0]
	p := &here.position
	if w.visit(at) {
		return 0
	}
	if score, over := ended(p, at); over {
		return score
	}
	best := w.evaluate(at)
	if at >= search.MaxDepth {
		return best
	}
	if p.HasRow(p.SideToMove()) {
		return mate.ScoreOpponentsRow(p, at, func(t position.Turn, q *position.Position) search.Score {
			w.evaluator.Update(&w.scratch.accumulator, &here.accumulator, p, t)
			return search.Score(w.evaluator.Score(&w.scratch.accumulator, q))
		})
	}
	us := p.SideToMove()
	mortal := mate.OneRowFromWinning(p, us) || mate.OneRowFromWinning(p, us.Opponent())
	if best >= beta && !mortal {
		return best
	}
	completing := w.completions(p, us)
	switch {
	case len(completing) > 0 && mate.OneRowFromWinning(p, us):
		return search.WinIn(at + 1)
	case mortal && w.threatened(p, at):
		return w.node(at, 1, alpha, beta)
	case best >= beta || len(completing) == 0:
		return best
	}
	here.picker.turns = p.Takings(completing, here.picker.turns[:0])
	return w.takeRows(at, max(alpha, best), beta, best)
}

// threatened tells whether the opponent of the side to move would win with his
// next turn if nothing is done, and the tree is not too deep to look.
func (w *worker) threatened(p *position.Position, at int) bool {
	opponent := p.SideToMove().Opponent()
	return mate.OneRowFromWinning(p, opponent) && at <= w.rootDepth+evasionPlies && len(w.completions(p, opponent)) > 0
}

// takeRows searches the turns of a leaf that take rows off, which its picker has,
// the best by their static worth first. Best is what the leaf is worth without.
func (w *worker) takeRows(at int, alpha, beta, best search.Score) search.Score {
	here := &w.stack[at]
	here.picker.worker, here.picker.node, here.picker.known = w, here, entry{}
	here.picker.rateCompleting()
	for range quiescenceTurns {
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
			here.line = append(append(here.line[:0], t), w.stack[at+1].line...)
		}
		if score >= beta {
			break
		}
	}
	return best
}

// completions returns the ring moves of a side that complete a row of it, as if
// it were its turn. The list is good until the next call for that side.
func (w *worker) completions(p *position.Position, s position.Side) []position.Turn {
	w.threats[s&1] = p.Completions(s, w.threats[s&1][:0])
	return w.threats[s&1]
}
