package openings

import (
	"context"
	"errors"
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
	made   []game.Opening
}

// NewGenerator returns the generator of a recipe, which it checks.
func NewGenerator(r Recipe) (*Generator, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return &Generator{recipe: r, judge: newJudge(r), seen: map[uint64]bool{}}, nil
}

// mostTries is after how many refused candidates in a row it is given up.
const mostTries = 100_000

// Opening returns the opening of a number from 0, the same one each time. All
// openings before it are made first. The error says that the recipe lets hardly any
// pass.
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

// next makes one more opening.
func (g *Generator) next() (game.Opening, error) {
	for range mostTries {
		rng := rand.New(rand.NewPCG(g.recipe.Seed, g.tried))
		g.tried++
		o, end, ok := candidate(g.recipe, rng)
		if !ok {
			continue
		}
		key := symmetricKey(&end)
		if g.seen[key] || !g.judge.even(&end) {
			continue
		}
		g.seen[key] = true
		return o, nil
	}
	return game.Opening{}, errors.New("openings: hardly any candidate passes: the bound is too low, or there are too few moves")
}

// candidate makes random turns. It returns false when the game is over after
// them.
func candidate(r Recipe, rng *rand.Rand) (o game.Opening, end position.Position, ok bool) {
	o.Start = position.Start(r.Rules)
	end = o.Start
	var turns []position.Turn
	for range 2*position.RingsPerSide + r.Moves {
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

// symmetricKey is the same for positions that a symmetry takes to each other.
func symmetricKey(p *position.Position) uint64 {
	key := p.Hash()
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(p)
		key = min(key, image.Hash())
	}
	return key
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
	score := outcome.Info.Score.Centipawns()
	return max(score, -score) <= j.bound
}
