package mcts

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
)

// frame is a position with what its evaluation keeps up.
type frame struct {
	position position.Position
	worth    evaluation.Accumulator
}

// play sets a frame to the position after a turn from another.
func (f *frame) play(e *evaluation.Evaluator, from *frame, t position.Turn) {
	from.position.Play(&f.position, t)
	e.Update(&f.worth, &from.worth, &from.position, t)
}

// quietWin is what a position is worth in which the side to move wins with its
// turn: more than any evaluation.
const quietWin = 30000

// quietPlies is how many turns that complete rows may follow each other before
// a position is judged as it stands.
const quietPlies = 1

// quietPly is the memory for one ply of that.
type quietPly struct {
	frame
	turns []position.Turn
}

// quiescence judges positions in which rows can be completed.
type quiescence struct {
	evaluator *evaluation.Evaluator
	plies     [quietPlies + 1]quietPly
}

// resolve returns the worth of the position at a ply for the side to move, which may
// complete rows before it is judged or leave it at that: the minimax value if it lies
// between alpha and beta, and else a bound. It is quietWin only if that side wins with
// its turn. The game must not be over.
func (q *quiescence) resolve(ply, alpha, beta int) int {
	here := &q.plies[ply]
	p := &here.position
	us := p.SideToMove()
	switch {
	case here.winsAtOnce():
		return quietWin
	case p.HasRow(us):
		return int(mate.ScoreOpponentsRow(p, ply, func(_ position.Turn, after *position.Position) search.Score {
			return search.Score(q.evaluator.Evaluate(after))
		}))
	}
	best := here.worth.Score(us)
	if ply == quietPlies || best >= beta {
		return best
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	next := &q.plies[ply+1]
	for _, t := range here.turns {
		next.play(q.evaluator, &here.frame, t)
		worth := 0
		if next.position.Over() {
			worth = quietWin * endFor(&next.position, us).rank()
		} else {
			worth = -q.resolve(ply+1, -beta, -max(alpha, best))
		}
		if best = max(best, worth); best >= beta {
			break
		}
	}
	return best
}

// winsAtOnce tells whether the side to move wins by completing one row. Two at
// once may win where one does not.
func (here *quietPly) winsAtOnce() bool {
	p := &here.position
	us := p.SideToMove()
	if !mate.OneRowFromWinning(p, us) {
		return false
	}
	return p.HasRow(us) || p.CanComplete(us)
}
