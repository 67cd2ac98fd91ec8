package proof

import "gyre/position"

// MostTurns is the largest n for which a Solver can be asked.
const MostTurns = 8

// Solver proves and refutes forced wins. It keeps what it learns from one
// question to the next. It is not safe for use by several goroutines; make
// each its own with [NewSolver].
type Solver struct {
	memo   memo
	plies  [2 * MostTurns]ply
	worth  history
	nodes  uint64
	budget uint64 // nodes at which to give up; 0 without
}

// ply is the memory for one ply of the tree.
type ply struct {
	turns   []position.Turn
	child   position.Position
	refuter position.Turn // the reply that refuted last at this ply
}

// NewSolver returns a solver that has learned nothing yet.
func NewSolver() *Solver { return &Solver{memo: newMemo()} }

// Nodes returns how many positions the solver has looked at in all.
func (s *Solver) Nodes() uint64 { return s.nodes }

// Verdict is the answer of a solver.
type Verdict uint8

// The verdicts.
const (
	Refuted Verdict = iota // exhaustive search has found no forced win within n turns
	Proven                 // there is one
	Unknown                // the budget of nodes was spent first
)

// Wins tells whether the side to move has a forced win within n of its own
// turns, n being at most [MostTurns].
func (s *Solver) Wins(p *position.Position, n int) bool {
	s.budget = 0
	return n > 0 && !p.Over() && s.wins(p, n, 0)
}

// TryWins is [Solver.Wins] within a budget of nodes.
func (s *Solver) TryWins(p *position.Position, n int, nodes uint64) Verdict {
	s.budget = s.nodes + nodes
	won := n > 0 && !p.Over() && s.wins(p, n, 0)
	switch {
	case s.spent():
		return Unknown
	case won:
		return Proven
	}
	return Refuted
}

// Shortest returns the least n up to most in which the side to move wins, and
// whether there is one.
func (s *Solver) Shortest(p *position.Position, most int) (n int, won bool) {
	for n = 1; n <= most; n++ {
		if s.Wins(p, n) {
			return n, true
		}
	}
	return 0, false
}

// WinningTurns returns all turns of the side to move after which it still wins
// within n turns, this one included, in the order of [position.Position.Turns].
func (s *Solver) WinningTurns(p *position.Position, n int) (winning []position.Turn) {
	s.budget = 0
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		if s.loses(&child, n-1, 1) {
			winning = append(winning, t)
		}
	}
	return winning
}

// spent tells whether to give up. What is answered from then on means nothing
// and is not kept.
func (s *Solver) spent() bool { return s.budget > 0 && s.nodes >= s.budget }

// wins tells whether the side to move wins within n turns, at least one, a
// game that is not over: the OR nodes.
func (s *Solver) wins(p *position.Position, n, depth int) bool {
	if n == 1 {
		return s.winsNow(p, depth)
	}
	if answer, known := s.memo.find(p, n); known {
		return answer
	}
	won := s.wins(p, n-1, depth) || s.winsBySome(p, n, depth)
	if !s.spent() {
		s.memo.keep(p, n, won)
	}
	return won
}

// winsBySome tells whether some turn of the side to move wins within n turns.
func (s *Solver) winsBySome(p *position.Position, n, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	side := p.SideToMove()
	s.worth.order(here.turns, side)
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		won := s.loses(&here.child, n-1, depth+1)
		if s.spent() {
			return false
		}
		if won {
			s.worth.reward(side, t, n)
			return true
		}
	}
	return false
}
