package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search"
)

// Searcher is what a player needs of a searcher. After NewGame a search with a
// limit of nodes has to do the same work every time.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Player plays games by a recipe. It is for one goroutine.
type Player struct {
	recipe   *Recipe
	searcher Searcher
	turns    []position.Turn // memory for lists
}

// NewPlayer returns a player with a searcher of its own.
func NewPlayer(r *Recipe, s Searcher) *Player { return &Player{recipe: r, searcher: s} }

// mostTries is how many openings in a row may be decided before Game gives up.
const mostTries = 1000

// Game plays the game of a number, the same one each time. The error is the
// context's, or says that the recipe lets hardly any opening pass.
func (p *Player) Game(ctx context.Context, number uint32) (*sample.Game, error) {
	rng := source(p.recipe, uint64(number))
	p.searcher.NewGame()
	for range mostTries {
		g, err := p.try(ctx, number, rng)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, fmt.Errorf("game %d: none of %d openings is even enough: the bound is too low", number, mostTries)
}

// source returns the source of all that is random in the game of a number.
func source(r *Recipe, number uint64) *rand.Rand { return rand.New(rand.NewPCG(r.Seed, number)) }

// try plays a game with one opening. It returns nil if the opening is decided.
func (p *Player) try(ctx context.Context, number uint32, rng *rand.Rand) (*sample.Game, error) {
	g := &sample.Game{Number: number}
	plan := newOpening(p.recipe, rng)
	judged := false
	here := plan.start
	for ply := plan.first; !here.Over(); ply++ {
		begun := ply >= plan.end
		var turn position.Turn
		if begun && rng.Float64() < p.recipe.Slips || !begun && plan.random(ply) {
			turn = p.randomTurn(&here, rng)
		} else {
			best, score, err := p.search(ctx, &here)
			if err != nil {
				return nil, err
			}
			if begun && !judged && max(score, -score) > int16(min(p.recipe.Bound, sample.MostScore)) {
				return nil, nil
			}
			judged = judged || begun
			g.Samples = append(g.Samples, sample.Sample{Position: here, Score: score, Ply: uint8(ply), Game: number})
			turn = best
		}
		var child position.Position
		here.Play(&child, turn)
		here = child
	}
	if !judged { // it was over before the engine had a turn
		return nil, nil
	}
	setResults(g, here.Result())
	return g, nil
}

// randomTurn returns any turn, each equally likely.
func (p *Player) randomTurn(here *position.Position, rng *rand.Rand) position.Turn {
	p.turns = here.Turns(p.turns[:0])
	return p.turns[rng.IntN(len(p.turns))]
}

// search returns the engine's turn and its score for the side to move.
func (p *Player) search(ctx context.Context, here *position.Position) (position.Turn, int16, error) {
	limits := search.Limits{Nodes: p.recipe.Nodes}
	if here.Placing() {
		limits.Nodes = p.recipe.PlacingNodes
	}
	out := p.searcher.Search(ctx, *here, limits, func(search.Info) {})
	if ctx.Err() != nil {
		return position.None, 0, context.Cause(ctx)
	}
	return out.Best, clamped(out.Info.Score), nil
}

// clamped is a search's score as samples have it: no evaluation is worth more
// than a proven end.
func clamped(score search.Score) int16 {
	return int16(max(-sample.MostScore, min(sample.MostScore, score)))
}

// setResults gives all samples the result of their game.
func setResults(g *sample.Game, r position.Result) {
	for i := range g.Samples {
		s := &g.Samples[i]
		switch {
		case r == position.Draw:
			s.Result = 0
		case (r == position.WhiteWins) == (s.Position.SideToMove() == position.White):
			s.Result = 1
		default:
			s.Result = -1
		}
	}
}
