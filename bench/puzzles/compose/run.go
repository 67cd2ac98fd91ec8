package compose

import (
	"context"

	"gyre/bench/puzzles"
	"gyre/position"
)

const (
	perGame = 4 // puzzles of a game at most
	apart   = 3 // turns between two of them at least, which are else often stages of one
)

// composer makes puzzles.
type composer struct {
	recipe *Recipe
	judge  puzzles.Judge
	set    *selection
}

// Progress is how far a run is.
type Progress struct {
	Games, Puzzles int
	Kept           int    // of the puzzles, those that it began with
	Themes         string // how many of each theme
}

// Run grows a set of puzzles, which may be empty, with a searcher of one thread. Those of
// the set that hold, by the recipe's last searches, stay as they are and come first.
// Then it plays games with the searcher, the same that judges, and adds the puzzles
// found in them, in the order of the games, until the themes have the puzzles that they
// should have or the games are played. Progress is told after each puzzle and each game,
// from the calling goroutine. The error is the context's, or says what is wrong with the
// recipe.
func Run(ctx context.Context, recipe Recipe, set []puzzles.Puzzle, searcher puzzles.Searcher, tell func(Progress)) ([]puzzles.Puzzle, error) {
	if err := recipe.Check(); err != nil {
		return nil, err
	}
	c := &composer{recipe: &recipe, judge: puzzles.Judge{Searcher: searcher}, set: newSelection(recipe.Puzzles)}
	kept := 0
	told := func(games int) { tell(Progress{games, len(c.set.chosen), kept, c.set.String()}) }
	for i := 0; i < len(set) && !c.set.whole(); i++ {
		holds, err := c.holds(ctx, &set[i])
		if err != nil {
			return nil, err
		}
		if holds {
			c.set.add(&set[i])
			kept++
		}
		told(0)
	}
	for number := 0; number < recipe.Games && !c.set.whole(); number++ {
		positions, err := c.game(ctx, number)
		if err != nil {
			return nil, err
		}
		if err := c.search(ctx, positions, func() { told(number) }); err != nil {
			return nil, err
		}
		told(number + 1)
	}
	return c.set.chosen, nil
}

// search looks for puzzles among the positions of a game.
func (c *composer) search(ctx context.Context, positions []position.Position, taken func()) error {
	found := 0
	for i := 0; i < len(positions) && found < perGame && !c.set.whole(); i++ {
		z, err := c.puzzle(ctx, &positions[i])
		if err != nil {
			return err
		}
		if z != nil {
			c.set.add(z)
			found++
			taken()
			i += apart - 1
		}
	}
	return nil
}

// puzzle makes a puzzle of a position; nil if it makes none that the set lacks.
func (c *composer) puzzle(ctx context.Context, p *position.Position) (*puzzles.Puzzle, error) {
	if p.Placing() || !c.set.mayWant(p) {
		return nil, nil
	}
	found, ok, err := c.lead(ctx, p, c.set.wants)
	if err != nil || !ok {
		return nil, err
	}
	z := &puzzles.Puzzle{ID: puzzles.IDOf(p), Position: *p}
	if c.set.seen[z.ID] {
		return nil, nil
	}
	if err := c.solve(ctx, z, &found); err != nil {
		return nil, err
	}
	if z.Theme, ok = c.set.theme(z, found.strict); !ok {
		return nil, nil
	}
	if z.Rating, err = c.rate(ctx, z); err != nil {
		return nil, err
	}
	// A win may be too long for the solution to show, or by another ring.
	if !c.set.hasRoom(z) || z.Check() != nil {
		return nil, nil
	}
	if holds, err := c.holds(ctx, z); !holds || err != nil {
		return nil, err
	}
	return z, nil
}

// holds tells whether the first turn of a puzzle is still the only right one by the
// searches that choose, and by those that confirm, if the recipe has any.
func (c *composer) holds(ctx context.Context, z *puzzles.Puzzle) (bool, error) {
	if c.recipe.Again == 0 {
		return true, nil
	}
	for _, nodes := range []uint64{c.recipe.Again, c.recipe.Confirm()} {
		if wrong, err := c.judge.Recheck(ctx, z, nodes, c.recipe.Hold); wrong != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}
