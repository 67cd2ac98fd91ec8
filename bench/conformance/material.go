package conformance

import (
	_ "embed" // for the text of the positions
	"math/rand/v2"
	"slices"
	"sync"

	"gyre/bench"
	"gyre/position"
)

// positionsText is the file of the positions: see [bench.ParsePositions] for its form.
//
//go:embed positions.txt
var positionsText string

// allPositions returns the positions that engines are asked about.
var allPositions = sync.OnceValues(func() ([]bench.Position, error) { return bench.ParsePositions(positionsText) })

// onPositions is a check made on each of the positions of some rules.
func onPositions(rules position.Rules, check func(s *session, p position.Position) error) func(s *session) error {
	return func(s *session) error {
		all, err := allPositions()
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.Position.Rules() != rules {
				continue
			}
			if err := check(s, p.Position); err != nil {
				return err
			}
		}
		return nil
	}
}

// The games that are played, by their seeds.
const (
	games     = 5
	mostTurns = 400 // of a game: more than any can have
)

// onGames is a check made on games of random turns, each played to its end.
func onGames(rules position.Rules, check func(s *session, game []position.Turn) error) func(s *session) error {
	return func(s *session) error {
		for seed := range uint64(games) {
			if err := check(s, randomGame(rules, seed)); err != nil {
				return err
			}
		}
		return nil
	}
}

// randomGame plays a game of random turns.
func randomGame(rules position.Rules, seed uint64) (game []position.Turn) {
	rng := rand.New(rand.NewPCG(seed, uint64(rules)))
	for p := position.Start(rules); !p.Over(); p = after(p, game[len(game)-1]) {
		turns := p.Turns(nil)
		game = append(game, turns[rng.IntN(len(turns))])
	}
	return game
}

// someTurns returns at most so many turns of a position: half of them those that
// take off most rows, the others from all over the list.
func someTurns(p *position.Position, most int) []position.Turn {
	all := p.Turns(nil)
	if len(all) <= most {
		return all
	}
	slices.SortStableFunc(all, func(a, b position.Turn) int { return b.Removals() - a.Removals() })
	some, rest, left := slices.Clone(all[:most/2]), all[most/2:], most-most/2
	for i := range left {
		some = append(some, rest[i*len(rest)/left])
	}
	return some
}
