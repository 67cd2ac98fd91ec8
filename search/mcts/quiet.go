package mcts

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/internal/mate"
)

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

// resolve returns the worth of the position at a ply of e.quiet for the side to
// move, which may complete rows before it is judged or leave it at that: the
// minimax value if it lies between alpha and beta, and else a bound. It is
// quietWin only if that side wins with its turn. The game must not be over.
func (e *explorer) resolve(ply, alpha, beta int) int {
	here := &e.quiet[ply]
	p := &here.position
	us := p.SideToMove()
	switch {
	case here.winsAtOnce():
		return quietWin
	case p.HasRow(us):
		return int(mate.ScoreOpponentsRow(p, ply, func(_ position.Turn, q *position.Position) search.Score {
			return search.Score(e.evaluator.Evaluate(q))
		}))
	}
	best := e.evaluator.Score(&here.worth, p)
	if ply == quietPlies || best >= beta {
		return best
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	next := &e.quiet[ply+1]
	for _, t := range here.turns {
		e.play(&next.frame, &here.frame, t)
		worth := 0
		if next.position.Over() {
			worth = quietWin * endFor(&next.position, us).rank()
		} else {
			worth = -e.resolve(ply+1, -beta, -max(alpha, best))
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
	if p.HasRow(us) {
		return true
	}
	here.turns = p.Completions(us, here.turns[:0])
	return len(here.turns) > 0
}
