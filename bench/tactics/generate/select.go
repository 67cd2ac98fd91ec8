package main

import (
	"fmt"
	"io"
	"slices"

	"gyre/bench/tactics"
	"gyre/bench/tactics/proof"
	"gyre/position"
)

// quota is the number of positions in the suite, by rules and by the number of turns to win.
var quota = [2][tactics.MaxTurns + 1]int{
	position.Standard: {1: 30, 2: 60, 3: 60, 4: 48, 5: 18},
	position.Blitz:    {1: 10, 2: 20, 3: 20, 4: 16, 5: 6},
}

// perGame is the maximum number of positions from one game. Forced wins of a game are often
// steps of the same combination.
const perGame = 2

// selection is the suite under construction.
type selection struct {
	chosen [2][tactics.MaxTurns + 1][]tactics.Problem // by rules and turns
	seen   map[string]bool                            // by canonical text
}

// choose selects positions from games until every quota is met, and writes its progress.
func choose(games []game, progress io.Writer) *selection {
	s := &selection{seen: map[string]bool{}}
	solver := proof.NewSolver()
	for i, g := range games {
		rules := g.positions[0].Rules()
		if s.full(rules) {
			continue
		}
		found := candidates(solver, g)
		for range perGame {
			s.take(rules, &found)
		}
		fmt.Fprintf(progress, "game %d of %d: %v\n", i+1, len(games), s)
	}
	return s
}

// full reports whether all quotas of the rules are met.
func (s *selection) full(rules position.Rules) bool {
	for n, want := range quota[rules] {
		if len(s.chosen[rules][n]) < want {
			return false
		}
	}
	return true
}

// take adds one of the positions found in a game and removes it from found. It takes the
// number of turns whose quota is filled the least.
func (s *selection) take(rules position.Rules, found *[tactics.MaxTurns + 1]*candidate) {
	best, lack := 0, 0.0
	for n, c := range found {
		want := quota[rules][n]
		if c == nil || s.seen[tactics.Canonical(&c.Position)] {
			continue
		}
		if l := 1 - float64(len(s.chosen[rules][n]))/float64(want); l > lack {
			best, lack = n, l
		}
	}
	if best == 0 {
		return
	}
	c := found[best]
	found[best] = nil
	s.seen[tactics.Canonical(&c.Position)] = true
	s.chosen[rules][best] = append(s.chosen[rules][best], c.Problem)
}

// String returns the number of chosen positions, by rules and turns.
func (s *selection) String() string {
	text := ""
	for rules := range quota {
		text += fmt.Sprintf("%v", position.Rules(rules))
		for n := 1; n <= tactics.MaxTurns; n++ {
			text += fmt.Sprintf(" %d", len(s.chosen[rules][n]))
		}
		text += "; "
	}
	return text[:len(text)-2]
}

// write writes the suite, ordered by number of turns and then by rules.
func (s *selection) write(out io.Writer) error {
	var all []tactics.Problem
	for n := range tactics.MaxTurns + 1 {
		for rules := range quota {
			all = append(all, s.chosen[rules][n]...)
		}
	}
	return tactics.Write(out, all)
}

// Limits of the search for wins. They decide which wins are found; each is still proven.
const (
	lookBack     = 18        // plies before the end of the game
	nodesToSpend = 3_000_000 // for each question to the solver
)

// candidate is a position with a forced win.
type candidate struct {
	tactics.Problem
	missed bool // whether the player missed it
}

// candidates returns the forced wins of a game, at most one for each number of turns. It
// prefers wins that the player missed, and among them those with fewer winning turns.
func candidates(s *proof.Solver, g game) (found [tactics.MaxTurns + 1]*candidate) {
	won := make([]int, len(g.positions)+2) // by ply, the turns to win for the side to move; 0 if unknown
	for i := len(g.positions) - 1; i >= max(2*position.RingsPerSide, len(g.positions)-lookBack); i-- {
		most := 3
		if won[i+2] > 0 { // one turn more is likely
			most = max(3, min(won[i+2]+1, tactics.MaxTurns))
		}
		n, ok := shortest(s, &g.positions[i], most)
		if !ok {
			continue
		}
		won[i] = n
		winning := s.WinningTurns(&g.positions[i], n)
		if len(winning) > tactics.MaxWinning {
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

// better reports whether a should be chosen over b.
func better(a, b *candidate) bool {
	if a.missed != b.missed {
		return a.missed
	}
	return len(a.Winning) < len(b.Winning)
}

// shortest returns the smallest n up to most in which the side to move provably wins, and
// whether there is one.
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
