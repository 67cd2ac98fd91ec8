package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/mate"
)

// What the search leaves out or looks at less deeply, by the numbers of
// [search.Parameters].

// numbers are the parameters of a search, and the tables made of them.
type numbers struct {
	parameters search.Parameters
	reductions [64][64]int8 // by how many turns a late one is reduced, by depth and number of the turn
	lateMoves  [2][6]int    // before the quiet turns left are left out, if the evaluation has not improved and if it has, by depth
}

// numbersOf returns the numbers of a search by its parameters.
func numbersOf(p *search.Parameters) (n numbers) {
	n.parameters = *p
	for depth := 1; depth < 64; depth++ {
		for number := 1; number < 64; number++ {
			n.reductions[depth][number] = int8(lateReduction(p, depth, number))
		}
	}
	for depth := 1; depth < len(n.lateMoves[0]); depth++ {
		count := p[search.LateMoves1+search.Parameter(depth-1)]
		n.lateMoves[0][depth] = count * p[search.LateMovesUnimproved] / 100
		n.lateMoves[1][depth] = count
	}
	return n
}

// lateReduction returns by how many turns a late one is reduced, before that is cut to
// a whole number. The last bit of math.Log, which differs between architectures, cuts
// none to another by the default parameters: nothing lies that near to a whole number.
func lateReduction(p *search.Parameters, depth, number int) float64 {
	return float64(p[search.ReductionBase])/100 + float64(math.Log(float64(depth))*math.Log(float64(number)))/(float64(p[search.ReductionRate])/100)
}

// reduction looks up by how many turns a late one is reduced.
func (n *numbers) reduction(depth, number int) int {
	return int(n.reductions[min(depth, 63)][min(number, 63)])
}

// lateMovePruned reports whether the turns from the number-th on, if that is quiet, are left
// out at a node of no width.
func (n *numbers) lateMovePruned(depth, number int, improving bool) bool {
	if depth >= len(n.lateMoves[0]) {
		return false
	}
	late := n.lateMoves[0][depth]
	if improving {
		late = n.lateMoves[1][depth]
	}
	return number > late
}

// futilityMargin returns how far below alpha the evaluation after a quiet turn must be
// for the turn to be left out at a node: more than can be where none is left out. At the
// last ply nothing: the opponent can have that evaluation at least by taking no row.
func (n *numbers) futilityMargin(p *position.Position, depth int, pv bool) search.Score {
	switch {
	case mate.OneRowDecides(p) || p.Pool() <= depth:
		return 2 * search.Infinity
	case depth == 1:
		return 0
	case depth > n.parameters[search.FutilityDepth] || pv:
		return 2 * search.Infinity
	}
	return search.Score(n.parameters[search.FutilityPerTurn] * depth)
}

// reverseFutility reports whether the evaluation of a node of no width decides it
// alone: it is far above beta, and the opponent threatens no row.
func (w *worker) reverseFutility(at, depth int, static, beta search.Score) bool {
	p := &w.stack[at].position
	return depth <= w.parameters[search.ReverseFutilityDepth] && static-search.Score(w.parameters[search.ReverseFutilityPerTurn]*depth) >= beta &&
		beta < search.WinThreshold && beta > -search.WinThreshold && !p.Placing() && !p.HasRow(p.SideToMove()) &&
		len(w.completions(p, p.SideToMove().Opponent())) == 0
}
