package compose

import (
	"context"
	"math/rand/v2"

	"gyre/position"
	"gyre/search"
)

// How games are played: by levels of strength, mostly by the standard rules, each
// with some rings placed by chance, so that no two go alike.
const (
	weakest, strongest = 500, 2100 // rating of a side
	ringsByChance      = 6         // the first of the ten
	blitzEvery         = 5         // one game in so many is blitz
)

// game plays the game of a number and returns its positions before each turn, and after
// those the positions that slips would have led to.
func (c *composer) game(ctx context.Context, number int) ([]position.Position, error) {
	rng := rand.New(rand.NewPCG(c.recipe.Seed, uint64(number)))
	rules := position.Standard
	if number%blitzEvery == blitzEvery-1 {
		rules = position.Blitz
	}
	c.judge.Searcher.NewGame()
	var players [2]search.Searcher
	for side := range players {
		players[side] = search.LimitStrength(c.judge.Searcher, weakest+rng.IntN(strongest-weakest+1), rng.Uint64())
	}
	p := position.Start(rules)
	var positions, slips []position.Position
	for !p.Over() {
		positions = append(positions, p)
		var turn position.Turn
		if len(positions) <= ringsByChance {
			turns := p.Turns(nil)
			turn = turns[rng.IntN(len(turns))]
		} else {
			turn = players[p.SideToMove()].Search(ctx, p, search.Limits{}, func(search.Info) {}).Best
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if slip, ok := slipAt(&p, rng); ok {
			slips = append(slips, slip)
		}
		p = after(&p, turn)
	}
	return append(positions, slips...), nil
}

// slipAt returns the position after a turn drawn from those that make a row for the other
// side, which players seldom do and people do, and whether there is any.
func slipAt(p *position.Position, rng *rand.Rand) (slip position.Position, ok bool) {
	if p.Placing() {
		return slip, false
	}
	count := 0
	for _, t := range p.Turns(nil) {
		child := after(p, t)
		if child.Over() || !child.HasRow(child.SideToMove()) {
			continue
		}
		if count++; rng.IntN(count) == 0 {
			slip = child
		}
	}
	return slip, count > 0
}

// after returns the position after a legal turn.
func after(p *position.Position, t position.Turn) (child position.Position) {
	p.Play(&child, t)
	return child
}
