package mate

import (
	"gyre/position"
	"gyre/search/internal/timemanager"
)

// prover searches for a win in so many turns of the side to move and nothing
// else: every turn of both sides, nothing left out, so that its no is a proof
// too. A win is any end of the game with more rings removed.
type prover struct {
	limits *timemanager.Manager
	nodes  uint64
	check  uint64 // at how many nodes to look at the limits again
	known  proofs
	plies  []provePly
}

// provePly is the memory of one ply.
type provePly struct {
	child position.Position
	turns []position.Turn
}

// loses tells whether the side to move has lost, or loses within n turns of its
// opponent whatever it does.
func (p *prover) loses(q *position.Position, n, at int) bool {
	if p.visit() {
		return false
	}
	here := &p.plies[at]
	here.turns = q.Turns(here.turns[:0])
	if len(here.turns) == 0 {
		return wins(q, q.SideToMove().Opponent())
	}
	if n == 0 {
		return false
	}
	for _, t := range here.turns {
		q.Play(&here.child, t)
		if !p.wins(&here.child, n, at+1) {
			return false
		}
	}
	return true
}

// wins tells whether the side to move has won, or wins within n of its turns.
func (p *prover) wins(q *position.Position, n, at int) bool {
	if p.visit() {
		return false
	}
	known := p.known.find(q.Hash())
	if known.wins > 0 && int(known.wins) <= n || int(known.misses) >= n {
		return known.wins > 0 && int(known.wins) <= n
	}
	won := p.findWin(q, n, at)
	if p.limits.Stopped() {
		return won
	}
	if won {
		known.wins = int8(n)
	} else {
		known.misses = int8(n)
	}
	p.known.keep(known)
	return won
}

// findWin tries the turns of the side that is to win, those that take rows off
// first.
func (p *prover) findWin(q *position.Position, n, at int) bool {
	here := &p.plies[at]
	here.turns = q.CompletingTurns(here.turns[:0])
	rows := len(here.turns)
	if rows > 0 && OneRowFromWinning(q, q.SideToMove()) {
		return true
	}
	here.turns = q.Turns(here.turns)
	if rows == len(here.turns) {
		return wins(q, q.SideToMove())
	}
	for i, t := range here.turns {
		if i >= rows && t.Removals() > 0 {
			continue // tried among the first
		}
		q.Play(&here.child, t)
		if p.loses(&here.child, n-1, at+1) {
			return true
		}
	}
	return false
}

// wins tells whether a game that is over is won by a side.
func wins(q *position.Position, s position.Side) bool { return q.Removed(s) > q.Removed(s.Opponent()) }

// visit counts a node, and tells whether to give up.
func (p *prover) visit() (stop bool) {
	if p.limits.Stopped() {
		return true
	}
	p.nodes++
	if p.nodes >= p.check {
		p.check = p.limits.Check(p.nodes)
	}
	return p.limits.Stopped()
}
