package proof

import (
	"slices"

	"gyre/position"
)

// loses tells whether the side to move loses within n further turns of its
// opponent, whatever it does: the AND nodes.
//
// A reply that holds out longest is likeliest to refute. So the replies are
// sieved: first those that lose in one turn drop out, which is cheap to find,
// then those that lose in two, and so on; the first that is left after n
// refutes.
func (s *Solver) loses(p *position.Position, n, depth int) bool {
	if p.Over() {
		return p.Result() == winFor(p.SideToMove().Opponent())
	}
	if n == 0 {
		return false
	}
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	if slices.Contains(here.turns, here.refuter) && !s.losesBy(p, here.refuter, n, depth) {
		return false
	}
	s.worth.order(here.turns, p.SideToMove())
	left := here.turns
	for k := 1; k <= n; k++ {
		kept := left[:0]
		for _, t := range left {
			if s.losesBy(p, t, k, depth) {
				continue
			}
			if s.spent() {
				return false
			}
			if k == n {
				here.refuter = t
				s.worth.reward(p.SideToMove(), t, n)
				return false
			}
			kept = append(kept, t)
		}
		left = kept
	}
	return true
}

// losesBy tells whether the side to move loses within n turns of its opponent
// after the reply t.
func (s *Solver) losesBy(p *position.Position, t position.Turn, n, depth int) bool {
	s.nodes++
	child := &s.plies[depth].child
	p.Play(child, t)
	if child.Over() {
		return child.Result() == winFor(p.SideToMove().Opponent())
	}
	return s.wins(child, n, depth+1)
}

// winFor is the result in which a side has won.
func winFor(side position.Side) position.Result {
	return position.WhiteWins + position.Result(side)
}
