package openings

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gyre/bench/game"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// Generator makes the openings of a recipe, distinct up to the symmetries of the
// board, in an order that never changes. It is for one goroutine.
type Generator struct {
	recipe Recipe
	judge  *judge
	tried  uint64 // candidates so far
	seen   map[uint64]bool
	spent  map[int]bool // numbers of rings after which hardly any other candidate passes
	made   []game.Opening
}

// NewGenerator returns the generator of a recipe, which it checks.
func NewGenerator(r Recipe) (*Generator, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return &Generator{recipe: r, judge: newJudge(r), seen: map[uint64]bool{}, spent: map[int]bool{}}, nil
}

// Close gives the memory of the search back. The generator makes nothing any more.
func (g *Generator) Close() {
	if g.judge != nil {
		g.judge.searcher.Close()
	}
}

// Opening returns the opening of a number from 0, the same one each time. All
// openings before it are made first. The error is a *SpentError.
func (g *Generator) Opening(number int) (game.Opening, error) {
	for len(g.made) <= number {
		o, err := g.next()
		if err != nil {
			return game.Opening{}, err
		}
		g.made = append(g.made, o)
	}
	return g.made[number], nil
}

// All returns all openings that the recipe makes. It is for recipes that make few:
// see Recipe.Few.
func (g *Generator) All() Book {
	for {
		if _, err := g.Opening(len(g.made)); err != nil {
			return g.made
		}
	}
}

// SpentError tells that a recipe makes no more openings.
type SpentError struct {
	Made int // so many it made
}

// Error tells how many there are, and why.
func (e *SpentError) Error() string {
	return fmt.Sprintf("no more openings than %d can be made so: hardly any other candidate passes, for there are too few rings or moves, or the bound is too low", e.Made)
}

// next makes one more opening.
func (g *Generator) next() (game.Opening, error) {
	numbers := g.recipe.Rings.Most - g.recipe.Rings.Least + 1
	draw := rand.New(rand.NewPCG(g.recipe.Seed, ^uint64(len(g.made)))) // never that of a candidate
	for len(g.spent) < numbers {
		rings := g.recipe.Rings.Least
		if numbers > 1 {
			rings += draw.IntN(numbers)
		}
		if g.spent[rings] {
			continue
		}
		if o, ok := g.withRings(rings); ok {
			return o, nil
		}
		g.spent[rings] = true
	}
	return game.Opening{}, &SpentError{Made: len(g.made)}
}

// After so many refused candidates in a row a number of rings is given up. Few rings
// make few openings: two some 600, of which the rarest is one candidate of 1190.
const (
	mostTries    = 100_000
	mostTriesFew = 20_000
)

// withRings makes one more opening with a number of rings, and returns false when
// hardly any candidate passes. Each number has tries of its own, so that how many
// pass does not change how often it comes.
func (g *Generator) withRings(rings int) (game.Opening, bool) {
	tries := mostTries
	if rings <= fewRings {
		tries = mostTriesFew
	}
	for range tries {
		rng := rand.New(rand.NewPCG(g.recipe.Seed, g.tried))
		g.tried++
		o, end, ok := candidate(g.recipe, rings, rng)
		if !ok {
			continue
		}
		key := end.SymmetricHash()
		if g.seen[key] {
			continue
		}
		g.seen[key] = true
		if g.judge.even(&end) {
			return o, true
		}
	}
	return game.Opening{}, false
}

// candidate makes random turns that place a number of rings, and those after them if
// these are all. It returns false when the game is over then.
func candidate(r Recipe, rings int, rng *rand.Rand) (o game.Opening, end position.Position, ok bool) {
	o.Start = position.Start(r.Rules)
	end = o.Start
	var turns []position.Turn
	count := rings
	if rings == mostRings {
		count += r.Moves
	}
	for range count {
		turns = end.Turns(turns[:0])
		if len(turns) == 0 {
			return o, end, false
		}
		t := turns[rng.IntN(len(turns))]
		o.Turns = append(o.Turns, t)
		var child position.Position
		end.Play(&child, t)
		end = child
	}
	return o, end, !end.Over()
}

// judgeHash is the size of its transposition table, in MiB.
const judgeHash = 4

// judge searches positions on one thread, each with an empty transposition table.
type judge struct {
	bound    int
	nodes    uint64
	searcher *alphabeta.Searcher
}

// newJudge returns the judge of a recipe, nil when nothing is to be judged.
func newJudge(r Recipe) *judge {
	if r.Bound == 0 {
		return nil
	}
	return &judge{bound: r.Bound, nodes: r.Nodes, searcher: alphabeta.New(judgeHash)}
}

// even tells whether the search sees no side ahead by more than the bound.
func (j *judge) even(p *position.Position) bool {
	if j == nil {
		return true
	}
	j.searcher.NewGame()
	outcome := j.searcher.Search(context.Background(), *p, search.Limits{Nodes: j.nodes}, func(search.Info) {})
	score := search.ScaleOf(p).Centipawns(outcome.Info.Score)
	return max(score, -score) <= j.bound
}
