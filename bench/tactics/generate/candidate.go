package main

import (
	"slices"

	"gyre/bench/tactics"
	"gyre/bench/tactics/proof"
	"gyre/position"
)

// Where wins are looked for, in plies before the end of a game, and how hard.
// The bounds on work change which wins are found, not whether they are proven.
const (
	lookBack     = 18        // plies
	nodesToSpend = 3_000_000 // for a question of the solver
)

// candidate is a position with a forced win that may come into the suite.
type candidate struct {
	tactics.Problem
	missed bool // the player of the game did not find it
}

// candidates returns the forced wins of a game, at most one for each number of
// turns: one that its player missed if there is, and of these the one with the
// fewest turns that win.
func candidates(s *proof.Solver, g game) (found [tactics.MostTurns + 1]*candidate) {
	won := make([]int, len(g.positions)+2) // by ply, the turns in which the side to move wins; 0 if not known
	for i := len(g.positions) - 1; i >= max(2*position.RingsPerSide, len(g.positions)-lookBack); i-- {
		most := 3
		if won[i+2] > 0 { // likely longer by a turn
			most = max(3, min(won[i+2]+1, tactics.MostTurns))
		}
		n, ok := shortest(s, &g.positions[i], most)
		if !ok {
			continue
		}
		won[i] = n
		winning := s.WinningTurns(&g.positions[i], n)
		if len(winning) > tactics.MostWinning {
			continue
		}
		c := &candidate{
			Problem: tactics.Problem{Position: g.positions[i], Turns: n, Winning: winning},
			missed:  !slices.Contains(winning, g.turns[i]),
		}
		if found[n] == nil || better(c, found[n]) {
			found[n] = c
		}
	}
	return found
}

// better tells whether a belongs into the suite rather than b.
func better(a, b *candidate) bool {
	if a.missed != b.missed {
		return a.missed
	}
	return len(a.Winning) < len(b.Winning)
}

// shortest returns the least n up to most in which the side to move is proven
// to win, and whether there is one.
func shortest(s *proof.Solver, p *position.Position, most int) (int, bool) {
	for n := 1; n <= most; n++ {
		switch s.TryWins(p, n, nodesToSpend) {
		case proof.Proven:
			return n, true
		case proof.Unknown:
			return 0, false
		}
	}
	return 0, false
}
