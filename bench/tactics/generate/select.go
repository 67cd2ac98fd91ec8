package main

import (
	"fmt"
	"io"

	"gyre/bench/tactics"
	"gyre/bench/tactics/proof"
	"gyre/position"
)

// quota is how many positions the suite wants, by rules and by the number of
// turns in which they are won.
var quota = [2][tactics.MostTurns + 1]int{
	position.Standard: {1: 30, 2: 60, 3: 60, 4: 48, 5: 18},
	position.Blitz:    {1: 10, 2: 20, 3: 20, 4: 16, 5: 6},
}

// perGame is how many positions a game gives at most: its forced wins are
// often stages of the same one.
const perGame = 2

// selection is the suite in the making.
type selection struct {
	chosen [2][tactics.MostTurns + 1][]tactics.Problem // by rules and turns
	seen   map[string]bool                             // by canonical text
}

// choose goes through the games until every quota is met, and tells progress.
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

// full tells whether the suite has all it wants of some rules.
func (s *selection) full(rules position.Rules) bool {
	for n, want := range quota[rules] {
		if len(s.chosen[rules][n]) < want {
			return false
		}
	}
	return true
}

// take chooses one of the positions found in a game, of the number of turns of
// which the suite lacks the greatest share, and takes it out of found.
func (s *selection) take(rules position.Rules, found *[tactics.MostTurns + 1]*candidate) {
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

// String returns how many positions are chosen, by rules and turns.
func (s *selection) String() string {
	text := ""
	for rules := range quota {
		text += fmt.Sprintf("%v", position.Rules(rules))
		for n := 1; n <= tactics.MostTurns; n++ {
			text += fmt.Sprintf(" %d", len(s.chosen[rules][n]))
		}
		text += "; "
	}
	return text[:len(text)-2]
}

// write writes the suite, by number of turns and then by rules.
func (s *selection) write(out io.Writer) error {
	var all []tactics.Problem
	for n := range tactics.MostTurns + 1 {
		for rules := range quota {
			all = append(all, s.chosen[rules][n]...)
		}
	}
	return tactics.Write(out, all)
}
