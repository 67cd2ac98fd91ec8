package compose

import (
	"context"

	"gyre/bench/puzzles"
	"gyre/position"
)

const (
	mostTurns   = 3  // of the solver in a solution that is no win
	proofFactor = 10 // nodes of a proof for one of a search
)

// solve sets the solution of a puzzle and, if a win is proven, in how many turns.
func (c *composer) solve(ctx context.Context, z *puzzles.Puzzle, found *candidate) error {
	if plies, proven := found.lead.Right.Score.Mate(); proven && plies > 0 {
		win, err := c.judge.Win(ctx, &z.Position, nil, puzzles.MostMate, c.recipe.Nodes*proofFactor)
		if err != nil {
			return err
		}
		if len(win) > 0 && puzzles.Same(win[0], found.lead.Right.Best, found.strict) {
			z.Mate = (len(win) + 1) / 2
			z.Solution, err = c.onlyWins(ctx, z.Position, win)
			return err
		}
	}
	var err error
	z.Solution, err = c.onlyTurns(ctx, z.Position, found.lead.Right.Best)
	return err
}

// onlyWins cuts a win off before the first turn of the winner, but for its last, for
// which another that wins as soon is there.
func (c *composer) onlyWins(ctx context.Context, p position.Position, win []position.Turn) ([]position.Turn, error) {
	for i, t := range win {
		if left := (len(win) - i + 1) / 2; i > 0 && i%2 == 0 && left > 1 {
			_, others := puzzles.Split(&p, t, false)
			other, err := c.judge.Win(ctx, &p, others, left, c.recipe.Nodes*proofFactor)
			if err != nil {
				return nil, err
			}
			if len(other) > 0 {
				return win[:i-1], nil
			}
		}
		p = after(&p, t)
	}
	return win, nil
}

// onlyTurns goes on from the right turn with the best reply and the next right turn, as
// long as that is the only one and the game goes on.
func (c *composer) onlyTurns(ctx context.Context, p position.Position, right position.Turn) ([]position.Turn, error) {
	solution := []position.Turn{right}
	p = after(&p, right)
	for len(solution) < 2*mostTurns-1 && !p.Over() {
		reply, err := c.judge.Weigh(ctx, &p, nil, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		p = after(&p, reply.Best)
		if p.Over() {
			break
		}
		next, err := c.judge.Lead(ctx, &p, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		child := after(&p, next.Right.Best)
		if next.Chance() < c.recipe.Lead || child.Over() {
			break
		}
		solution = append(solution, reply.Best, next.Right.Best)
		p = child
	}
	return solution, nil
}
