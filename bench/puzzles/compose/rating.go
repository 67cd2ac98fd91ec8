package compose

import (
	"context"
	"math"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/search"
)

// trials are the levels that try a puzzle, by rating, with how often each does. A level
// with a number of nodes is always the same, but for the symmetry that it sees the
// board in; one without draws chance from a seed.
var trials = []struct{ elo, times int }{
	{300, 4}, {600, 4}, {900, 4}, {1200, 4}, {1515, 4}, {1700, 3}, {1900, 3}, {2100, 3}, {2300, 3}, {2500, 3}, {2700, 3},
}

// surely is after how many levels one after the other, all of whose tries found the turn,
// the stronger ones are taken to find it too.
const surely = 3

// views are the symmetries that a level sees the board in, one after the other: turned
// and mirrored.
var views = [...]position.Symmetry{0, 2, 7, 10}

// rate returns the rating of a puzzle: that at which a player finds its first turn half
// the time.
func (c *composer) rate(ctx context.Context, z *puzzles.Puzzle) (int, error) {
	var tries []try
	sure := 0
	for _, trial := range trials {
		missed := false
		for i := range trial.times {
			found := sure == surely
			if !found {
				var err error
				if found, err = c.finds(ctx, z, trial.elo, i); err != nil {
					return 0, err
				}
			}
			missed = missed || !found
			tries = append(tries, try{trial.elo, found})
		}
		if sure = min(sure+1, surely); missed {
			sure = 0
		}
	}
	return fit(tries), nil
}

// finds tells whether a level finds the first turn of a puzzle at a try.
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

// try is one of a player's of so much Elo, and whether it found the turn.
type try struct {
	elo   int
	found bool
}

// fit returns the rating that the tries are likeliest with, in tens from 0 to
// puzzles.MostRating, where a player of rating E finds the turn of a puzzle of rating R
// as often as it beats a player of rating R: 1 / (1 + 10^((R-E)/400)). Two more tries,
// of a player of 0 who fails and one of the most who does not, keep it within bounds.
func fit(tries []try) int {
	tries = append(tries, try{0, false}, try{puzzles.MostRating, true})
	found := 0.0
	for _, t := range tries {
		if t.found {
			found++
		}
	}
	// At the likeliest rating as many are expected to be found as were; the higher the
	// rating, the fewer.
	least, most := 0, puzzles.MostRating/10
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

// expectedFound returns how many of the tries find the turn of a puzzle of a rating.
func expectedFound(tries []try, rating int) (sum float64) {
	for _, t := range tries {
		sum += 1 / (1 + math.Pow(10, float64(rating-t.elo)/400))
	}
	return sum
}
