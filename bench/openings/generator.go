package openings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"gyre/bench/game"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
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

// Rings is how many of the rings of both sides are placed at random: each number
// from Least to Most with the same chance.
type Rings struct {
	Least, Most int
}

// mostRings is how many rings there are to place.
const mostRings = 2 * position.RingsPerSide

// AllRings has no ring placed by the engines.
var AllRings = Rings{mostRings, mostRings}

// Check returns what is wrong with the numbers, nil if nothing.
func (r Rings) Check() error {
	if r.Least < 0 || r.Most > mostRings || r.Least > r.Most {
		return fmt.Errorf("%v rings at random: not a number or a range from 0 to %d", r, mostRings)
	}
	return nil
}

// String returns the number, or the range as in `0-10`.
func (r Rings) String() string {
	if r.Least == r.Most {
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d-%d", r.Least, r.Most)
}

// MarshalText returns String. It never fails.
func (r Rings) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Rings) UnmarshalText(text []byte) error {
	first, second, both := strings.Cut(string(text), "-")
	if !both {
		second = first
	}
	least, err1 := strconv.Atoi(first)
	most, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil {
		return errors.New("not a number, nor two with a - between")
	}
	read := Rings{least, most}
	if err := read.Check(); err != nil {
		return err
	}
	*r = read
	return nil
}

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
