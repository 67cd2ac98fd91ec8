package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
)

// tuning holds the parameters of a search, and tables that are derived from them.
type tuning struct {
	parameters      search.Parameters
	reductions      [64][64]int8    // reductions of late turns in turns, by depth and move count
	crossingMargins [5]search.Score // how far crossings may change in a turn, by the rings removed in all
	lateMoves       [2][6]int       // turns before late-move pruning starts, if the evaluation has not improved and if it has, by depth
}

// newTuning derives the tables from the parameters. Crossings never change if the
// evaluator has no net.
func newTuning(p *search.Parameters, e *evaluation.Evaluator) (s tuning) {
	s.parameters = *p
	if e.HasNet() {
		for removed := range s.crossingMargins {
			s.crossingMargins[removed] = search.Score(p[search.CrossingMargin0+search.Parameter(removed)])
		}
	}
	for depth := 1; depth < len(s.reductions); depth++ {
		for moveCount := 1; moveCount < len(s.reductions[depth]); moveCount++ {
			s.reductions[depth][moveCount] = int8(baseReduction(p, depth, moveCount))
		}
	}
	for depth := 1; depth < len(s.lateMoves[0]); depth++ {
		count := p[search.LateMoves1+search.Parameter(depth-1)]
		s.lateMoves[0][depth] = count * p[search.LateMovesUnimproved] / 100
		s.lateMoves[1][depth] = count
	}
	return s
}

// crossingMargin returns how far the crossings of a position may differ from those of the
// position before.
func (s *tuning) crossingMargin(p *position.Position) search.Score {
	return s.crossingMargins[min(p.Removed(position.White)+p.Removed(position.Black), len(s.crossingMargins)-1)]
}

// baseReduction returns the reduction of a late turn by depth and move count alone, before
// it is truncated to an integer. math.Log may differ in its last bit between architectures. With the
// default parameters no value is close enough to an integer for that to matter.
func baseReduction(p *search.Parameters, depth, moveCount int) float64 {
	return float64(p[search.ReductionBase])/100 + math.Log(float64(depth))*math.Log(float64(moveCount))/(float64(p[search.ReductionRate])/100)
}

// lateMoveReduction returns by how many turns the first search of the turn just played at a
// ply is reduced.
func (w *worker) lateMoveReduction(ply, depth, moveCount int, pv, improving bool) int {
	if depth < 2 || moveCount < w.parameters[search.ReductionFrom] {
		return 0
	}
	reduction := int(w.reductions[min(depth, len(w.reductions)-1)][min(moveCount, len(w.reductions)-1)])
	if here := &w.stack[ply]; here.turn.Quiet() {
		reduction -= int(w.history.score(here.position.SideToMove(), here.turn, here.picker.previous) / int32(w.parameters[search.ReductionHistory]))
	}
	if pv {
		reduction--
	}
	if !improving {
		reduction++
	}
	return max(0, min(reduction, depth-1))
}

// lateMovePruned reports whether late-move pruning skips the remaining turns of a node, given
// how many were tried, including this one, which must be quiet. With an open window it skips
// as few as if the evaluation had improved.
func (s *tuning) lateMovePruned(depth, moveCount int, pv, improving bool) bool {
	limits := &s.lateMoves[0]
	if pv || improving {
		limits = &s.lateMoves[1]
	}
	return depth < len(limits) && moveCount > limits[depth]
}

// futilityMargin returns how far below alpha the evaluation after a quiet turn must
// be for the search to skip the turn. It returns an unreachable margin if the search
// must not skip turns at this node. At the last ply the margin is only that of the
// crossings: the opponent can get at least that evaluation by standing pat.
func (s *tuning) futilityMargin(p *position.Position, depth int, pv bool) search.Score {
	switch {
	case mate.OneRowDecides(p) || p.Pool() <= depth: // a row or the last marker may end the game
		return 2 * search.Infinity
	case depth == 1:
		return s.crossingMargin(p)
	case depth > s.parameters[search.FutilityDepth] || pv:
		return 2 * search.Infinity
	}
	return search.Score(s.parameters[search.FutilityPerTurn] * depth)
}

// reverseFutility reports whether the evaluation alone decides a zero-window node: it
// is far above beta, and the opponent does not threaten a row. It does not decide placings, or
// nodes whose side to move must first remove a row.
func (w *worker) reverseFutility(ply, depth int, beta search.Score) bool {
	if depth > w.parameters[search.ReverseFutilityDepth] || beta >= search.WinThreshold || beta <= -search.WinThreshold {
		return false
	}
	p := &w.stack[ply].position
	limit := beta + search.Score(w.parameters[search.ReverseFutilityPerTurn]*depth)
	return w.evaluateFully(ply, limit, limit) >= limit && !p.Placing() && !p.HasRow(p.SideToMove()) &&
		!p.CanComplete(p.SideToMove().Opponent())
}

// mayBeSingular reports whether to find out if the table's turn of a node is singular,
// that is, much better than the others. The table must have searched it almost to the
// depth of the node. Lines are not extended beyond twice the depth of the iteration.
func (w *worker) mayBeSingular(ply, depth int, entry tableEntry) bool {
	return depth >= w.parameters[search.SingularFrom] && ply < 2*w.rootDepth &&
		entry.turn != position.None && entry.bound != search.Upper && entry.depth >= depth-3 &&
		-search.WinThreshold < entry.score && entry.score < search.WinThreshold &&
		!w.stack[ply].position.Placing()
}

// verifySingular searches the turns of a node other than the table's to half its depth. The
// table's turn is singular if none of them reaches a target below its score. If one of them
// does, and the target is no less than beta, the node is cut and returns the target (multi-cut).
func (w *worker) verifySingular(ply, depth int, beta search.Score, pv bool, entry tableEntry) (singular bool, score search.Score, cut bool) {
	target := max(entry.score-search.Score(2*depth), 1-search.WinThreshold)
	score = w.search(ply, depth/2, target-1, target, entry.turn)
	switch {
	case w.limits.Stopped():
		return false, 0, true
	case score < target:
		return true, 0, false
	}
	return false, target, target >= beta && !pv
}
