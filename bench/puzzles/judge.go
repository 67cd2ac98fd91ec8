package puzzles

import (
	"context"
	"fmt"

	"gyre/position"
	"gyre/search"
)

// Tolerance is the margin, in thousandths of a point, by which the right turn must lead
// when a puzzle is checked.
const Tolerance = 100

// Searcher is the searcher of a [Judge]: a single-threaded one, such as package alphabeta's,
// that can clear its state cheaply before a search of few nodes.
type Searcher interface {
	search.Searcher
	NewGameFor(nodes uint64)
}

// Judge evaluates turns by searching. It must not be used from several goroutines. Its
// searcher is cleared before each question, so that answers are reproducible.
type Judge struct {
	Searcher Searcher
}

// Worth is the result of searching some turns of a position.
type Worth struct {
	Best   position.Turn
	Chance int // of the side to move after Best: 0 to 1000
	Score  search.Score
}

// Weigh searches the given turns of p, or all turns if none are given, with the given
// number of nodes. It returns an error only if ctx is done.
func (j *Judge) Weigh(ctx context.Context, p *position.Position, turns []position.Turn, nodes uint64) (Worth, error) {
	j.Searcher.NewGameFor(nodes)
	out := j.Searcher.Search(ctx, *p, search.Limits{Nodes: nodes, SearchTurns: turns}, func(search.Info) {})
	if ctx.Err() != nil {
		return Worth{}, context.Cause(ctx)
	}
	return worthOf(p, out.Best, out.Info.Score), nil
}

// weighUntilProven is Weigh, but ends as soon as the search has proven the result. The
// search continues for a moment after it is stopped; the first proof counts.
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

// worthOf returns the result of a search of p.
func worthOf(p *position.Position, best position.Turn, score search.Score) Worth {
	return Worth{Best: best, Chance: ChanceOf(p, score), Score: score}
}

// ChanceOf converts the score of a search of p to a chance.
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

// Win searches for a win in at most most turns of the side to move, among the given turns
// or all, with the given number of nodes. It returns the turns of the shortest win, with
// the loser's longest resistance, or nil if no win was proven.
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

// Lead compares the best turn of a position with all other answers.
type Lead struct {
	Right  Worth
	Others Worth // Best is None if there is no other answer
}

// Chance returns the lead in thousandths. It is 0 if there is no other answer, because then
// there is nothing to solve.
func (l *Lead) Chance() int {
	if l.Others.Best == position.None {
		return 0
	}
	return l.Right.Chance - l.Others.Chance
}

// Lead finds the best turn of p and the best turn that is a different answer, with the
// given number of nodes for each.
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

// Recheck searches a puzzle again, with the given number of nodes for the right turn and as
// many for the others. If another turn comes within least thousandths of the right one,
// wrong says so; otherwise wrong is nil. It returns an err only if ctx is done.
func (j *Judge) Recheck(ctx context.Context, z *Puzzle, nodes uint64, least int) (wrong, err error) {
	same, others := Split(&z.Position, z.Solution[0], z.Theme == RightRing)
	if len(others) == 0 {
		return fmt.Errorf("%v: the position has no other turn", z), nil
	}
	var l Lead
	if l.Right, err = j.weighUntilProven(ctx, &z.Position, same, nodes); err != nil {
		return nil, err
	}
	if l.Others, err = j.weighUntilProven(ctx, &z.Position, others, nodes); err != nil {
		return nil, err
	}
	if l.Chance() < least {
		return fmt.Errorf("%v: %v has a chance of %.1f%%, but %v has %.1f%%", z, z.Solution[0], float64(l.Right.Chance)/10,
			l.Others.Best, float64(l.Others.Chance)/10), nil
	}
	return nil, nil
}
