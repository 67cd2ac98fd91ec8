package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
)

// The pruning and reductions of the search, controlled by [search.Parameters].

// params holds the parameters of a search and tables derived from them.
type params struct {
	parameters search.Parameters
	reductions [64][64]int8    // reductions of late turns in turns, by depth and number of the turn
	margins    [5]search.Score // how far crossings may change in a turn, by the rings removed in all
	lateMoves  [2][6]int       // turns before late-move pruning starts, if the evaluation has not improved and if it has, by depth
}

// newParams derives the tables from the parameters. Crossings never change if the
// evaluator has no net.
func newParams(p *search.Parameters, e *evaluation.Evaluator) (s params) {
	s.parameters = *p
	if e.HasNet() {
		for removed := range s.margins {
			s.margins[removed] = search.Score(p[search.CrossingMargin0+search.Parameter(removed)])
		}
	}
	for depth := 1; depth < 64; depth++ {
		for number := 1; number < 64; number++ {
			s.reductions[depth][number] = int8(lateReduction(p, depth, number))
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
func (s *params) crossingMargin(p *position.Position) search.Score {
	return s.margins[min(p.Removed(position.White)+p.Removed(position.Black), len(s.margins)-1)]
}

// lateReduction returns the reduction of a late turn before it is truncated to an
// integer. math.Log may differ in its last bit between architectures. With the
// default parameters no value is close enough to an integer for that to matter.
func lateReduction(p *search.Parameters, depth, number int) float64 {
	return float64(p[search.ReductionBase])/100 + float64(math.Log(float64(depth))*math.Log(float64(number)))/(float64(p[search.ReductionRate])/100)
}

// reduction returns the reduction of a late turn in turns.
func (s *params) reduction(depth, number int) int {
	return int(s.reductions[min(depth, 63)][min(number, 63)])
}

// lateMovePruned reports whether late-move pruning skips the turns of a zero-window
// node from the given number on, if the turn with this number is quiet.
func (s *params) lateMovePruned(depth, number int, improving bool) bool {
	if depth >= len(s.lateMoves[0]) {
		return false
	}
	late := s.lateMoves[0][depth]
	if improving {
		late = s.lateMoves[1][depth]
	}
	return number > late
}

// futilityMargin returns how far below alpha the evaluation after a quiet turn must
// be for the search to skip the turn. It returns an unreachable margin if the search
// must not skip turns at this node. At the last ply the margin is only that of the
// crossings: the opponent can get at least that evaluation by standing pat.
func (s *params) futilityMargin(p *position.Position, depth int, pv bool) search.Score {
	switch {
	case mate.OneRowDecides(p) || p.Pool() <= depth:
		return 2 * search.Infinity
	case depth == 1:
		return s.crossingMargin(p)
	case depth > s.parameters[search.FutilityDepth] || pv:
		return 2 * search.Infinity
	}
	return search.Score(s.parameters[search.FutilityPerTurn] * depth)
}

// reverseFutility reports whether the evaluation alone decides a zero-window node: it
// is far above beta, and the opponent does not threaten a row.
func (w *worker) reverseFutility(at, depth int, beta search.Score) bool {
	if depth > w.parameters[search.ReverseFutilityDepth] || beta >= search.WinThreshold || beta <= -search.WinThreshold {
		return false
	}
	p := &w.stack[at].position
	limit := beta + search.Score(w.parameters[search.ReverseFutilityPerTurn]*depth)
	return w.refine(at, limit, limit) >= limit && !p.Placing() && !p.HasRow(p.SideToMove()) &&
		len(w.completions(p, p.SideToMove().Opponent())) == 0
}
