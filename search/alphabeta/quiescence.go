package alphabeta

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/internal/mate"
)

// Quiescence search (the term is Shannon's, 1950): a leaf is worth its evaluation, which
// is standing pat, or better what the turns that take a row off lead to. Flips make rows out of scattered markers, so these turns are
// generated exactly, not guessed from fours. A leaf where the opponent threatens to win
// at once is searched one turn deeper.

// leafWork is what is left to search of a leaf.
type leafWork uint8

const (
	leafDone     leafWork = iota
	leafTakings           // the turns that take rows off, which its picker has
	leafEvasions          // all turns: the opponent threatens to win
)

// standPat returns what a leaf is worth without another turn, and what is left to
// search of it.
func (w *worker) standPat(at int, beta search.Score) (best search.Score, left leafWork) {
	here := &w.stack[at]
	here.pv = here.pv[:0]
	p := &here.position
	if w.visit(at) {
		return 0, leafDone
	}
	if score, over := ended(p, at); over {
		return score, leafDone
	}
	best = w.evaluate(at)
	if at >= search.MaxDepth {
		return best, leafDone
	}
	us := p.SideToMove()
	if p.HasRow(us) {
		return mate.ScoreOpponentsRow(p, at, func(t position.Turn, q *position.Position) search.Score {
			w.scorer.Update(&w.scratch, &here.accumulator, p, t)
			return search.Score(w.scratch.Score(q.SideToMove()))
		}), leafDone
	}
	rowDecides := mate.OneRowDecides(p)
	if best >= beta && !rowDecides {
		return best, leafDone
	}
	completing := w.completions(p, us)
	switch {
	case len(completing) > 0 && mate.OneRowFromWinning(p, us):
		return search.WinIn(at + 1), leafDone
	case rowDecides && w.threatened(p, at):
		return best, leafEvasions
	case best >= beta || len(completing) == 0:
		return best, leafDone
	}
	list := &here.picker.moveList
	list.turns = p.Takings(completing, list.turns[:0])
	list.scoreRowTaking(w.scorer.Evaluator, p, &here.accumulator, entry{})
	return best, leafTakings
}

// threatened tells whether the opponent of the side to move would win with his
// next turn if nothing is done, and the tree is not too deep to look.
func (w *worker) threatened(p *position.Position, at int) bool {
	opponent := p.SideToMove().Opponent()
	return mate.OneRowFromWinning(p, opponent) && at <= w.rootDepth+w.parameters[search.EvasionPlies] && len(w.completions(p, opponent)) > 0
}
