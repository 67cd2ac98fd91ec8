package alphabeta

import (
	"sort"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// rootTurn is a turn at the root with what the iterations found of it.
type rootTurn struct {
	turn    position.Turn
	score   search.Score // of this iteration; -Infinity if only shown to be no better
	before  search.Score // of the iteration before; -Infinity if that had none
	static  search.Score // of the position after it, at first sight
	bound   search.Bound
	pv      []position.Turn // principal variation, from the turn itself
	deepest int             // selDepth when it was found
	nodes   uint64          // spent on it in this search
}

// rootTurnsOf appends turns of a position to roots, in the order of the static scores
// after them.
func rootTurnsOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, turns []position.Turn, roots []rootTurn) []rootTurn {
	for _, t := range turns {
		static := staticAfter(e, p, a, t)
		roots = append(roots, rootTurn{
			turn: t, score: static, before: -search.Infinity, static: static, pv: []position.Turn{t},
		})
	}
	sortByScore(roots)
	for i := range roots {
		roots[i].score = -search.Infinity
	}
	return roots
}

// sortByScore puts root turns into the order of their scores, equal ones as
// they were.
func sortByScore(roots []rootTurn) {
	sort.SliceStable(roots, func(i, j int) bool { return roots[i].score > roots[j].score })
}

// staticAfter returns the static score after a turn for the side that makes it.
func staticAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) search.Score {
	var after position.Position
	p.Play(&after, t)
	if after.Removed(p.SideToMove()) >= p.Rules().WinningRings() {
		return search.WinIn(1)
	}
	var accumulator evaluation.Accumulator
	e.Update(&accumulator, a, p, t)
	return -search.Score(accumulator.Score(after.SideToMove()))
}
