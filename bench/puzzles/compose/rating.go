package compose

import (
	"context"
	"math"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/search"
)

// trials are the levels that try a puzzle and how often each tries. A level defined by nodes
// varies only with the symmetry of the board that it sees; other levels draw random numbers
// from a seed.
var trials = []struct{ elo, times int }{
	{300, 4}, {600, 4}, {900, 4}, {1200, 4}, {1515, 4}, {1700, 3}, {1900, 3}, {2100, 3}, {2300, 3}, {2500, 3}, {2700, 3},
}

// certain is the number of consecutive levels that must find the turn in all tries before the
// stronger levels are assumed to find it.
const certain = 3

// views are the symmetries under which the tries of a level see the board.
var views = [...]position.Symmetry{0, 2, 7, 10}

// rate returns the rating of a player who finds the first turn half the time.
func (c *composer) rate(ctx context.Context, z *puzzles.Puzzle) (int, error) {
	var tries []try
	sure := 0
	for _, trial := range trials {
		missed := false
		for i := range trial.times {
			found := sure == certain
			if !found {
				var err error
				if found, err = c.finds(ctx, z, trial.elo, i); err != nil {
					return 0, err
				}
			}
			missed = missed || !found
			tries = append(tries, try{trial.elo, found})
		}
		if sure = min(sure+1, certain); missed {
			sure = 0
		}
	}
	return fit(tries), nil
}

// finds reports whether a level finds the first turn of a puzzle.
func (c *composer) finds(ctx context.Context, z *puzzles.Puzzle, elo, try int) (bool, error) {
	view := views[try]
	level := search.LimitStrength(c.judge.Searcher, elo, c.recipe.Seed+uint64(try))
	level.NewGame()
	turn := level.Search(ctx, view.Position(&z.Position), search.Limits{}, func(search.Info) {}).Best
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return puzzles.Same(view.Inverse().Turn(turn), z.Solution[0], z.Theme == puzzles.RightRing), nil
}

// try is the outcome of one try by a player with rating elo.
type try struct {
	elo   int
	found bool
}

// fit returns the maximum-likelihood rating, a multiple of 10 from 0 to puzzles.MaxRating. A
// player of rating E finds the turn of a puzzle of rating R as often as it beats a player of
// rating R: 1 / (1 + 10^((R-E)/400)). Two extra tries keep the result within bounds: a
// player of 0 fails, and a player of puzzles.MaxRating succeeds.
func fit(tries []try) int {
	tries = append(tries, try{0, false}, try{puzzles.MaxRating, true})
	found := 0.0
	for _, t := range tries {
		if t.found {
			found++
		}
	}
	// At the maximum the expected number of finds equals the observed number. It decreases
	// with the rating.
	least, most := 0, puzzles.MaxRating/10
	for least < most {
		middle := (least + most) / 2
		if expectedFound(tries, 10*middle) > found {
			least = middle + 1
		} else {
			most = middle
		}
	}
	return 10 * least
}

// expectedFound returns the expected number of finds among the tries.
func expectedFound(tries []try, rating int) (sum float64) {
	for _, t := range tries {
		sum += 1 / (1 + math.Pow(10, float64(rating-t.elo)/400))
	}
	return sum
}
