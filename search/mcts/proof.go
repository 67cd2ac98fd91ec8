package mcts

import (
	"gyre/position"
	"gyre/search"
)

// proof is what is known for certain of a position: how its game ends when
// both sides play as well as they can, told for the side that made the turn
// leading to it, and in how many turns at most. Zero is nothing known.
//
// The lowest 14 bits are the turns. They are a bound: a win found may hide a
// quicker one, and a loss may come sooner than the bound, but never later. For
// a position whose turns were listed wins in up to 2 turns and losses in up to
// 3 are exact, since listing them finds each turn that ends the game. (A win
// may take an even number of turns: the last marker can be the opponent's.)
type proof uint16

// The ends that can be proven.
const (
	unproven proof = 0
	drawn    proof = 1 << proofShift
	lost     proof = 2 << proofShift
	won      proof = 3 << proofShift
)

const (
	proofShift = 14
	turnsMask  = 1<<proofShift - 1
	exactWin   = 2 // turns
)

// end returns drawn, lost, won or unproven.
func (p proof) end() proof { return p &^ turnsMask }

// turns returns how many turns the game lasts at most.
func (p proof) turns() int { return int(p & turnsMask) }

// rank is 1 for a win, -1 for a loss, and else 0.
func (p proof) rank() int {
	switch p.end() {
	case won:
		return 1
	case lost:
		return -1
	}
	return 0
}

// chance returns the chance of a position that is proven.
func (p proof) chance() chance {
	switch p.end() {
	case won:
		return certain
	case lost:
		return hopeless
	}
	return even
}

// score returns the score of a proven position for the side that leads to it,
// counted from the position before, and whether the bound is exact.
func (p proof) score() (search.Score, search.Bound) {
	plies := min(p.turns()+1, 2*search.MaxDepth)
	switch p.end() {
	case won:
		if plies <= exactWin {
			return search.WinIn(plies), search.Exact
		}
		return search.WinIn(plies), search.Lower
	case lost:
		if plies <= exactWin+1 {
			return search.LossIn(plies), search.Exact
		}
		return search.LossIn(plies), search.Upper
	}
	return 0, search.Exact
}

// endFor returns what the end of a game that is over is for a side.
func endFor(p *position.Position, s position.Side) proof {
	ours, theirs := p.Removed(s), p.Removed(s.Opponent())
	switch {
	case ours > theirs:
		return won
	case ours < theirs:
		return lost
	}
	return drawn
}
