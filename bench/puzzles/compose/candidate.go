package compose

import (
	"context"

	"gyre/bench/puzzles"
	"gyre/position"
)

// stage is a search of a position: it has to show a lead, or the position is no
// puzzle. Cheap stages come first and are content with less.
type stage struct {
	nodes uint64
	lead  int // thousandths
}

// fewest is how many nodes tell anything.
const fewest = 300

// stages are those of the recipe.
func (r *Recipe) stages() []stage {
	return []stage{{max(r.Nodes/25, fewest), r.Lead * 11 / 20}, {max(r.Nodes/5, fewest), r.Lead * 3 / 4}, {r.Nodes, r.Lead}}
}

// leastChance is what the right turn promises at least, in thousandths: nobody likes
// to find the turn that loses slowest.
const leastChance = 350

// candidate is a position with one right turn.
type candidate struct {
	position position.Position
	lead     puzzles.Lead
	// strict tells that the ring that pays counts: every other is worse by the lead wanted.
	strict bool
}

// lead puts a position through the stages, and tells whether it comes through. wanted
// tells whether a turn, with its proven end or without, could be of a theme that lacks
// puzzles.
func (c *composer) lead(ctx context.Context, p *position.Position, wanted func(*position.Position, position.Turn, bool) bool) (found candidate, ok bool, err error) {
	found.position = *p
	for _, s := range c.recipe.stages() {
		l, err := c.judge.Lead(ctx, p, s.nodes)
		if err != nil || l.Chance() < s.lead || l.Right.Chance < leastChance {
			return found, false, err
		}
		plies, proven := l.Right.Score.Mate()
		if !wanted(p, l.Right.Best, proven && plies > 0) {
			return found, false, nil
		}
		found.lead = l
	}
	found.strict, err = c.ringCounts(ctx, &found)
	return found, err == nil, err
}

// ringCounts tells whether every other ring pays too much.
func (c *composer) ringCounts(ctx context.Context, found *candidate) (bool, error) {
	others := puzzles.OtherRings(&found.position, found.lead.Right.Best)
	if len(others) == 0 {
		return false, nil
	}
	w, err := c.judge.Weigh(ctx, &found.position, others, c.recipe.Nodes)
	return w.Chance <= found.lead.Right.Chance-c.recipe.Lead, err
}
