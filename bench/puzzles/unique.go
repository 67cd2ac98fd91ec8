package puzzles

import (
	"context"
	"fmt"

	"gyre/position"
)

// Lead is how far the best turn of a position is ahead of every other answer.
type Lead struct {
	Right  Worth
	Others Worth // Best is None where there is no other answer
}

// Chance is the lead in thousandths; 0 where there is no other answer, for then there
// is nothing to find.
func (l *Lead) Chance() int {
	if l.Others.Best == position.None {
		return 0
	}
	return l.Right.Chance - l.Others.Chance
}

// Lead looks for the best turn of a position and the best of those that are not the
// same answer, each with so many nodes.
func (j *Judge) Lead(ctx context.Context, p *position.Position, nodes uint64) (l Lead, err error) {
	if l.Right, err = j.Weigh(ctx, p, nil, nodes); err != nil {
		return l, err
	}
	_, others := Split(p, l.Right.Best, false)
	if len(others) > 0 {
		l.Others, err = j.Weigh(ctx, p, others, nodes)
	}
	return l, err
}

// Recheck searches a puzzle anew, its right turn and the others with so many nodes
// each. Wrong says what is wrong: another turn that is as good but for less than so many
// thousandths; nil if nothing. Err is the context's.
func (j *Judge) Recheck(ctx context.Context, z *Puzzle, nodes uint64, least int) (wrong, err error) {
	same, others := Split(&z.Position, z.Solution[0], z.Theme == RightRing)
	if len(others) == 0 {
		return fmt.Errorf("%v: there is no other turn", z), nil
	}
	var l Lead
	if l.Right, err = j.weighUntilProven(ctx, &z.Position, same, nodes); err != nil {
		return nil, err
	}
	if l.Others, err = j.weighUntilProven(ctx, &z.Position, others, nodes); err != nil {
		return nil, err
	}
	if l.Chance() < least {
		return fmt.Errorf("%v: %v has a chance of %.1f %%, and %v of %.1f %%", z, z.Solution[0], float64(l.Right.Chance)/10,
			l.Others.Best, float64(l.Others.Chance)/10), nil
	}
	return nil, nil
}
