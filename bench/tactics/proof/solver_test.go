package proof

import (
	"math/rand/v2"
	"testing"

	"gyre/position"
)

// plainWins is the definition, without ordering, memo or shortcuts: whether the side to move wins
// within a number of plies.
func plainWins(p *position.Position, plies int) bool {
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if plainLoses(&child, plies-1) {
			return true
		}
	}
	return false
}

// plainLoses reports whether the side to move has lost, or loses within a number of plies.
func plainLoses(p *position.Position, plies int) bool {
	if p.Over() || plies == 0 {
		return p.Result() == position.WonBy(p.SideToMove().Opponent())
	}
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if child.Over() && child.Result() != position.WonBy(p.SideToMove().Opponent()) {
			return false
		}
		if !child.Over() && (plies == 1 || !plainWins(&child, plies-1)) {
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
		wins, losses := [5]int{}, [5]int{}
		for _, p := range lastPositions(games, 8, rules) {
			for plies := 1; plies <= 3; plies++ {
				want := !p.Over() && plainWins(&p, plies)
				if got := s.TryWinsWithin(&p, plies, 1<<40) == Proven; got != want {
					t.Errorf("%v: wins within %d plies is %v, want %v: %v", rules, plies, got, want, &p)
				}
				if want {
					wins[plies]++
				}
			}
			for plies := range 3 {
				want := plainLoses(&p, plies)
				if got := s.TryLosesWithin(&p, plies, 1<<40) == Proven; got != want {
					t.Errorf("%v: loses within %d plies is %v, want %v: %v", rules, plies, got, want, &p)
				}
				if want {
					losses[plies]++
				}
			}
			if got, want := s.Wins(&p, 1), s.TryWinsWithin(&p, 2, 1<<40) == Proven; got != want {
				t.Errorf("%v: wins in a turn is %v, within two plies %v: %v", rules, got, want, &p)
			}
		}
		t.Logf("%v: positions won within 1 to 3 plies: %v, lost within 0 to 2: %v", rules, wins[1:4], losses[:3])
		if wins[1] == 0 || wins[2] == wins[1] && rules == position.Standard || wins[3] <= wins[2] || losses[0] == 0 || losses[2] <= losses[1] {
			t.Errorf("%v: too few results for a comparison: %v, %v", rules, wins, losses)
		}
	}
}
