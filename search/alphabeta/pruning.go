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
	// Aspiration windows (Slate and Atkin's Chess 4.5, 1977).
	aspirationFrom   = 4  // depth from which a window around the last score is tried
	aspirationWindow = 20 // its half width at first

	// Reverse futility pruning, also called static null move pruning.
	reverseFutilityDepth   = 3  // up to this depth a node is cut if its evaluation is
	reverseFutilityPerTurn = 60 // above beta by so much a turn

	// Futility pruning (Heinz, "Extended Futility Pruning", 1998).
	futilityDepth   = 5  // up to this depth a quiet turn is left out if the evaluation
	futilityPerTurn = 40 // after it is below alpha by so much a turn

	// Late-move reductions (LMR): base + ln depth ln number / rate, as in Stockfish.
	reductionFrom    = 3    // from this turn of a node on
	reductionBase    = 0.4  // turns
	reductionRate    = 1.6  //
	reductionHistory = 6000 // of history are worth a turn less or more

	// Internal iterative reduction (Ed Schröder's Rebel).
	internalReductionFrom = 4 // depth from which a node that the table does not know is reduced

	quiescenceTurns = 3 // turns that take rows off tried at a leaf
	evasionPlies    = 4 // beyond the depth of the iteration, threats to win are still looked at
)

// lateMoveCounts is how many turns are tried at a depth before the quiet ones that
// are left are left out: late-move pruning, also called move-count pruning (Stockfish's
// and Ethereal's LMP).
var lateMoveCounts = [...]int{0, 6, 11, 18, 26, 36}

// reductions holds by how many turns a late one is reduced, by depth and number of
// the turn.
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
	return reductionBase + float64(math.Log(float64(depth))*math.Log(float64(number)))/reductionRate
}

// reduction looks reductions up.
func reduction(depth, number int) int { return int(reductions[min(depth, 63)][min(number, 63)]) }

// lateMovePruned tells whether the quiet turns from the number-th on are left out at
// a node of no width.
func lateMovePruned(depth, number int, improving bool) bool {
	if depth >= len(lateMoveCounts) {
		return false
	}
	late := lateMoveCounts[depth]
	if !improving {
		late = late * 2 / 3
	}
	return number > late
}

// futilityMargin returns how far below alpha the evaluation after a quiet turn must be
// for the turn to be left out at a node: more than can be where none is left out. At the
// last ply nothing: the opponent can have that evaluation at least by taking no row.
func futilityMargin(p *position.Position, depth int, pv bool) search.Score {
	switch {
	case mate.OneRowDecides(p) || p.Pool() <= depth:
		return 2 * search.Infinity
	case depth == 1:
		return 0
	case depth > futilityDepth || pv:
		return 2 * search.Infinity
	}
	return futilityPerTurn * search.Score(depth)
}

// reverseFutility tells whether the evaluation of a node of no width decides it
// alone: it is far above beta, and the opponent threatens no row.
func (w *worker) reverseFutility(at, depth int, static, beta search.Score) bool {
	p := &w.stack[at].position
	return depth <= reverseFutilityDepth && static-reverseFutilityPerTurn*search.Score(depth) >= beta &&
		beta < search.WinThreshold && beta > -search.WinThreshold && !p.Placing() && !p.HasRow(p.SideToMove()) &&
		len(w.completions(p, p.SideToMove().Opponent())) == 0
}
