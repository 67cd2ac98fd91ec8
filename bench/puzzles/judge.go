package puzzles

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
)

// Tolerance is by how much the right turn has to lead where a puzzle is checked, in
// thousandths of a point.
const Tolerance = 100

// Searcher is what a judge needs: a searcher of one thread, such as that of package
// alphabeta, that can forget what it knows cheaply where few nodes follow.
type Searcher interface {
	search.Searcher
	NewGameFor(nodes uint64)
}

// Judge tells what turns are worth. It is for one goroutine. Its searcher forgets what
// it knows before each question, so that the answer is always the same.
type Judge struct {
	Searcher Searcher
}

// Worth is what a search makes of some turns of a position.
type Worth struct {
	Best   position.Turn
	Chance int // of the side to move after Best: 0..1000
	Score  search.Score
}

// Weigh searches some turns of a position, all if there are none, with so many nodes.
// The error is the context's.
func (j *Judge) Weigh(ctx context.Context, p *position.Position, turns []position.Turn, nodes uint64) (Worth, error) {
	j.Searcher.NewGameFor(nodes)
	out := j.Searcher.Search(ctx, *p, search.Limits{Nodes: nodes, SearchTurns: turns}, func(search.Info) {})
	if ctx.Err() != nil {
		return Worth{}, context.Cause(ctx)
	}
	return worthOf(p, out.Best, out.Info.Score), nil
}

// weighUntilProven is Weigh that ends as soon as the search has proven the end. A search
// goes on a little after it is told to end: what it proves first counts.
func (j *Judge) weighUntilProven(ctx context.Context, p *position.Position, turns []position.Turn, nodes uint64) (w Worth, err error) {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	proven := false
	j.Searcher.NewGameFor(nodes)
	out := j.Searcher.Search(searching, *p, search.Limits{Nodes: nodes, SearchTurns: turns}, func(i search.Info) {
		if _, ended := i.Score.Mate(); !proven && ended && i.Bound == search.Exact {
			proven = true
			w = worthOf(p, i.PV[0], i.Score)
			stop()
		}
	})
	if ctx.Err() != nil {
		return Worth{}, context.Cause(ctx)
	}
	if !proven {
		w = worthOf(p, out.Best, out.Info.Score)
	}
	return w, nil
}

// worthOf returns what a search of p makes of its best turn.
func worthOf(p *position.Position, best position.Turn, score search.Score) Worth {
	return Worth{Best: best, Chance: ChanceOf(p, score), Score: score}
}

// ChanceOf returns the chance that a score of a search of p stands for.
func ChanceOf(p *position.Position, score search.Score) int {
	if plies, proven := score.Mate(); proven {
		if plies > 0 {
			return 1000
		}
		return 0
	}
	win, draw, _ := search.ScaleOf(p).WDL(score)
	return win + draw/2
}

// Win looks for a win in at most so many turns of the side to move, among some turns
// or all, with so many nodes. It returns the turns of the shortest, both sides' and
// the loser's as long as any; none if it has proven no win.
func (j *Judge) Win(ctx context.Context, p *position.Position, turns []position.Turn, most int, nodes uint64) ([]position.Turn, error) {
	out := j.Searcher.Search(ctx, *p, search.Limits{Mate: most, Nodes: nodes, SearchTurns: turns}, func(search.Info) {})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	plies, proven := out.Info.Score.Mate()
	if !proven || plies <= 0 || plies > 2*most-1 || len(out.Info.PV) != plies {
		return nil, nil
	}
	return out.Info.PV, nil
}

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
