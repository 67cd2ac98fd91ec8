package compose

import (
	"errors"
	"fmt"
)

// Recipe is what puzzles are made by.
type Recipe struct {
	Seed    uint64
	Puzzles int // wanted
	Games   int // after so many it ends with the puzzles that there are
	// Nodes are those of a search that decides whether a turn is right: one of all turns
	// and one of all but the right one.
	Nodes uint64
	Lead  int // thousandths by which the right turn leads then
	// Again are those of the searches, by puzzles.Judge.Recheck, that choose among what is
	// found so; 0 for none. What they choose is searched with [Recipe.Confirm] nodes, too.
	Again uint64
	Hold  int // thousandths by which the right turn leads still
}

// Default is the recipe of the set.
var Default = Recipe{Seed: 1, Puzzles: 1600, Games: 20_000, Nodes: 10_000, Lead: 300, Again: 100_000, Hold: 300}

// Confirm is the number of nodes of the last searches: ten times those that choose.
func (r *Recipe) Confirm() uint64 { return 10 * r.Again }

// Check returns what is wrong with the recipe, nil if nothing.
func (r *Recipe) Check() error {
	switch {
	case r.Puzzles < 1:
		return errors.New("no puzzles are wanted")
	case r.Games < 1:
		return errors.New("puzzles need games")
	case r.Nodes < fewest:
		return fmt.Errorf("%d nodes of a search: not at least %d", r.Nodes, fewest)
	}
	for _, lead := range []int{r.Lead, r.Hold} {
		if lead < 1 || lead > 1000 {
			return fmt.Errorf("a lead of %d thousandths: not from 1 to 1000", lead)
		}
	}
	return nil
}
