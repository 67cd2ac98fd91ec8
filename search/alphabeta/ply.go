package alphabeta

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// play makes the position at the next ply. Its accumulator is not updated yet.
func (w *worker) play(at int, t position.Turn) *ply {
	here, next := &w.stack[at], &w.stack[at+1]
	here.turn = t
	here.position.Play(&next.position, t)
	next.evaluated = false
	return next
}

// startPicker sets the picker of a ply up for its node.
func (w *worker) startPicker(at, depth int, known entry) {
	here, previous := &w.stack[at], position.None
	if at > 0 {
		previous = w.stack[at-1].turn
	}
	here.picker.start(depth, known, here.killers, previous)
}

// completions returns the ring moves of a side that complete a row of it, as if
// it were its turn. The list is good until the next call for that side.
func (w *worker) completions(p *position.Position, s position.Side) []position.Turn {
	w.threats[s&1] = p.Completions(s, w.threats[s&1][:0])
	return w.threats[s&1]
}

// evaluate returns the evaluation of the position at a ply, after updating its
// accumulator.
func (w *worker) evaluate(at int) search.Score {
	here := &w.stack[at]
	if !here.evaluated {
		before := &w.stack[at-1]
		w.scorer.Update(&here.accumulator, &before.accumulator, &before.position, before.turn)
		here.static = search.Score(here.accumulator.Score(here.position.SideToMove()))
		here.evaluated = true
	}
	return here.static
}

// update evaluates the position after the quiet turn that was just played at a
// ply, by its static score that is known already.
func (w *worker) update(at int, static *evaluation.QuietScore) {
	here, next := &w.stack[at], &w.stack[at+1]
	w.scorer.UpdateQuiet(&next.accumulator, &here.accumulator, &here.position, here.turn, *static)
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
