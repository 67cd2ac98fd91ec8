package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/mate"
)

// What the search leaves out or looks at less deeply, with all margins in one
// place. Depths are in turns, margins in centipawns.
const (
	aspirationFrom   = 4  // depth from which a window around the last score is tried
	aspirationWindow = 20 // its half width at first

	staticCutDepth  = 3  // reverse futility: up to this depth a node is cut if
	staticCutMargin = 60 // its evaluation is above beta by so much a turn

	hopelessDepth  = 5  // futility: up to this depth a quiet turn is left out if the
	hopelessMargin = 40 // evaluation after it is below alpha by so much a turn

	lateFrom     = 3    // reductions: from this turn of a node on
	lateBase     = 0.4  // base + ln depth ln number / rate turns
	lateRate     = 1.6  //
	historyATurn = 6000 // of history are worth a turn less or more

	reduceUnknownFrom = 4 // depth from which a node that the table does not know is reduced

	quiescenceTurns = 3 // turns that take rows off tried at a leaf
	evasionPlies    = 4 // beyond the depth of the iteration, threats to win are still looked at
)

// lateTurns is how many turns are tried at a depth before the quiet ones that
// are left are left out.
var lateTurns = [...]int{0, 6, 11, 18, 26, 36}

// reductions holds by how many turns a late one is reduced, by depth and
// number of the turn.
var reductions = func() (r [64][64]int8) {
	for depth := 1; depth < 64; depth++ {
		for number := 1; number < 64; number++ {
			r[depth][number] = int8(lateReduction(depth, number))
		}
	}
	return r
}()

// lateReduction returns by how many turns a late one is reduced, before that is cut to
// a whole number. The last bit of math.Log, which differs between architectures, cuts
// none to another: nothing lies that near to a whole number.
func lateReduction(depth, number int) float64 {
	return lateBase + float64(math.Log(float64(depth))*math.Log(float64(number)))/lateRate
}

// reduction looks reductions up.
func reduction(depth, number int) int { return int(reductions[min(depth, 63)][min(number, 63)]) }

// leaveOut tells whether the quiet turns from the number-th on are left out at
// a node of no width.
func leaveOut(depth, number int, improving bool) bool {
	if depth >= len(lateTurns) {
		return false
	}
	late := lateTurns[depth]
	if !improving {
		late = late * 2 / 3
	}
	return number > late
}

// slack returns how far below alpha the evaluation after a quiet turn must be for
// the turn to be left out at a node: more than can be where none is left out. At the
// last ply nothing: the opponent can have that evaluation at least by taking no
// row.
func (w *worker) slack(p *position.Position, depth int, pv bool) search.Score {
	us := p.SideToMove()
	switch {
	case mate.OneRowFromWinning(p, us) || mate.OneRowFromWinning(p, us.Opponent()) || p.Pool() <= depth:
		return 2 * search.Infinity
	case depth == 1:
		return 0
	case depth > hopelessDepth || pv:
		return 2 * search.Infinity
	}
	return hopelessMargin * search.Score(depth)
}

// cutByStatic tells whether the evaluation of a node of no width decides it
// alone: it is far above beta, and the opponent threatens no row.
func (w *worker) cutByStatic(at, depth int, static, beta search.Score) bool {
	p := &w.stack[at].position
	return depth <= staticCutDepth && static-staticCutMargin*search.Score(depth) >= beta &&
		beta < search.WinThreshold && beta > -search.WinThreshold && !p.Placing() && !p.HasRow(p.SideToMove()) &&
		len(w.completions(p, p.SideToMove().Opponent())) == 0
}
