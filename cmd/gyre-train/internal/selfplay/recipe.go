// Package selfplay has the engine play itself for samples to learn from.
//
//	recipe.go   Recipe: all that the games depend on, but for the engine
//	player.go   Player: one game after the other
//	opening.go  how each begins; Late: positions of earlier games to begin from
//	run.go      Run: many games on several threads, handed on in order
//	file.go     Open: the file of a run, begun or gone on with
//
// A game depends on the recipe, its number and the engine, and on nothing else:
// neither on the games before it, nor on how many are played at once. So a run
// that was broken off goes on as if nothing had been, and a file that has more
// games than another of the same recipe begins with the same games.
package selfplay

import (
	"errors"
	"fmt"
	"strconv"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
)

// Recipe is what games are made by.
type Recipe struct {
	Seed  uint64
	Rules position.Rules
	// Nodes are those of each search; PlacingNodes while rings are placed.
	Nodes, PlacingNodes uint64
	// Hash is the searcher's memory in MiB. It is emptied before each game.
	Hash int
	// RandomTurns is the largest number of random turns after the rings are
	// placed. A game makes any number of them up to it, equally likely.
	RandomTurns int
	// Late are positions to begin from; nil to begin from the start.
	Late *Late
	// Bound is the highest score, in centipawns, that one side may be ahead by
	// after the opening; where it is more, another opening is made.
	Bound int
	// Slips is the chance that a turn after the opening is a random one, so that
	// games do not all go along the engine's own paths. Such a position is not
	// recorded.
	Slips float64
}

// Default is the recipe of the engine's evaluation but for the seed.
var Default = Recipe{Seed: 1, Nodes: 5000, PlacingNodes: 500, Hash: 8, RandomTurns: 8, Bound: 300, Slips: 0.02}

// The bounds of recipes.
const (
	mostRandomTurns = 40   // games are hardly over after so many
	mostHash        = 4096 // MiB
)

// Check returns what is wrong with the recipe, nil if nothing.
func (r *Recipe) Check() error {
	switch {
	case r.Nodes == 0 || r.PlacingNodes == 0:
		return errors.New("a turn needs nodes to search")
	case r.Hash < 1 || r.Hash > mostHash:
		return fmt.Errorf("%d MiB of memory: not from 1 to %d", r.Hash, mostHash)
	case r.RandomTurns < 0 || r.RandomTurns > mostRandomTurns:
		return fmt.Errorf("up to %d random turns: not from 0 to %d", r.RandomTurns, mostRandomTurns)
	case r.Bound < 1:
		return fmt.Errorf("bound %d: not positive", r.Bound)
	case !(r.Slips >= 0 && r.Slips < 1):
		return fmt.Errorf("chance %g of a slip: not from 0 to below 1", r.Slips)
	}
	return nil
}

// About returns the recipe as it stands in the header of a file.
func (r *Recipe) About() sample.About {
	return sample.About{
		{Name: "rules", Value: r.Rules.String()},
		{Name: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		{Name: "nodes a turn", Value: strconv.FormatUint(r.Nodes, 10)},
		{Name: "nodes a ring placed", Value: strconv.FormatUint(r.PlacingNodes, 10)},
		{Name: "hash", Value: fmt.Sprintf("%d MiB", r.Hash)},
		{Name: "openings", Value: fmt.Sprintf("%s; no side ahead by more than %d", r.openings(), r.Bound)},
		{Name: "slips", Value: strconv.FormatFloat(r.Slips, 'g', -1, 64)},
	}
}

// openings says how games begin.
func (r *Recipe) openings() string {
	if r.Late != nil {
		return r.Late.String()
	}
	return fmt.Sprintf("rings at random in half of the games, else each at random or by the engine; 0 to %d random turns", r.RandomTurns)
}
