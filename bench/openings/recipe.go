package openings

import (
	"errors"
	"fmt"

	"gyre/position"
)

// Recipe is what random openings are made by. The same recipe makes the same
// openings on any machine, as long as the alpha-beta search and its weights stay
// the same: the search ends after a number of nodes, so time plays no part. With a
// Bound of 0 there is no search, and only the random numbers decide.
type Recipe struct {
	Seed  uint64
	Rules position.Rules
	// Rings are those placed at random; the engines place the others.
	Rings Rings
	// Moves is the number of random turns after the rings are placed, in openings
	// that place them all.
	Moves int
	// Bound is the highest score, in centipawns as the protocol has them, that
	// one side may be ahead by, after a search of Nodes; 0 lets all pass.
	Bound int
	Nodes uint64
}

// Default is a recipe that does for matches.
var Default = Recipe{Seed: 1, Rings: AllRings, Moves: 4, Bound: 50, Nodes: 2000}

// mostMoves bounds Moves: hardly a game is over after so many.
const mostMoves = 20

// Check returns what is wrong with the recipe, nil if nothing.
func (r Recipe) Check() error {
	if err := r.Rings.Check(); err != nil {
		return err
	}
	switch {
	case r.Moves < 0 || r.Moves > mostMoves:
		return fmt.Errorf("%d moves after the rings are placed: not from 0 to %d", r.Moves, mostMoves)
	case r.Bound < 0:
		return fmt.Errorf("bound %d: negative", r.Bound)
	case r.Bound > 0 && r.Nodes == 0:
		return errors.New("a bound needs nodes to search")
	}
	return nil
}

// fewRings is up to how many rings there are few openings.
const fewRings = 2

// Few tells whether the recipe makes some hundred openings at most.
func (r Recipe) Few() bool { return r.Rings.Most <= fewRings }

// String returns the recipe in words.
func (r Recipe) String() string {
	text := fmt.Sprintf("seed %d: ", r.Seed)
	switch {
	case r.Rings == AllRings:
		text += fmt.Sprintf("rings at random, then %d moves", r.Moves)
	case r.Rings.Most == mostRings:
		text += fmt.Sprintf("%v rings at random, after all of them %d moves", r.Rings, r.Moves)
	default:
		text += fmt.Sprintf("%v rings at random", r.Rings)
	}
	if r.Bound > 0 {
		text += fmt.Sprintf(", no side ahead by more than %d after %d nodes", r.Bound, r.Nodes)
	}
	if r.Rules != position.Standard {
		text += ", " + r.Rules.String()
	}
	return text
}
