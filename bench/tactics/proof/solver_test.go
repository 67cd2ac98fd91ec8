package proof

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// plainWins is the definition, without ordering, memo or shortcuts.
func plainWins(p *position.Position, n int) bool {
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if plainLoses(&child, n-1) {
			return true
		}
	}
	return false
}

// plainLoses reports whether the side to move loses within n turns of its opponent.
func plainLoses(p *position.Position, n int) bool {
	if p.Over() {
		return p.Result() == position.WhiteWins+position.Result(p.SideToMove().Opponent())
	}
	if n == 0 {
		return false
	}
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if child.Over() {
			if child.Result() != position.WhiteWins+position.Result(p.SideToMove().Opponent()) {
				return false
			}
			continue
		}
		if !plainWins(&child, n) {
			return false
		}
	}
	return true
}

// lastPositions returns the positions of the last plies of random games.
func lastPositions(games, plies int, rules position.Rules) (all []position.Position) {
	rng := rand.New(rand.NewPCG(7, uint64(rules)))
	for range games {
		var game []position.Position
		p := position.Start(rules)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			p = p.After(turns[rng.IntN(len(turns))])
			game = append(game, p)
		}
		all = append(all, game[max(0, len(game)-plies):]...)
	}
	return all
}

// TestAgainstDefinition compares the solver with the definition on the ends of random games.
// One solver handles all of them.
func TestAgainstDefinition(t *testing.T) {
	games := 150
	if testing.Short() {
		games = 30
	}
	for _, rules := range []position.Rules{position.Standard, position.Blitz} {
		s := NewSolver()
		wins := [3]int{}
		for _, p := range lastPositions(games, 8, rules) {
			for n := 1; n <= 2; n++ {
				want := plainWins(&p, n)
				if got := s.Wins(&p, n); got != want {
					t.Errorf("%v: wins within %d is %v, want %v: %v", rules, n, got, want, &p)
				}
				if want {
					wins[n]++
				}
			}
		}
		t.Logf("%v: %d positions won within 1, %d within 2", rules, wins[1], wins[2])
		if wins[1] == 0 || wins[2] <= wins[1] {
			t.Errorf("%v: too few wins for a comparison: %v", rules, wins)
		}
	}
}
