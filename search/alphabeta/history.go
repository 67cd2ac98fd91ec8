package alphabeta

import "gyre/position"

// history is what the order of quiet turns learns from those that made a cut:
// for each ring move a number that goes up when it cuts and down when it is
// tried in vain (the history heuristic, Schaeffer 1989, with the gravity of
// Stockfish), the same by the turn before (continuation history, Stockfish), and
// for each turn the best reply to it (the countermove heuristic, Uiterwijk 1992).
type history struct {
	moves         [2][points][points]int16  // by side, from, to
	continuations [points][points]int16     // by the target of the turn before, and the target
	countermoves  [2][points][points]uint16 // quiet turns, which have no higher bits
}

// points is the length of tables by point.
const points = 128

// mostHistory bounds the numbers.
const mostHistory = 8192

// score returns how promising a quiet turn is.
func (h *history) score(side position.Side, t, previous position.Turn) int32 {
	return int32(h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)]) +
		int32(h.continuations[previous.To()&(points-1)][t.To()&(points-1)])
}

// countermove returns the turn that last cut after a turn of the opponent of side.
func (h *history) countermove(side position.Side, previous position.Turn) position.Turn {
	return position.Turn(h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)])
}

// update learns from a cut at a depth: by the last of the tried turns, which
// were all quiet.
func (h *history) update(side position.Side, tried []position.Turn, previous position.Turn, depth int) {
	bonus := int32(min(16*depth*depth+32*depth, 1600))
	for i, t := range tried {
		sign := int32(-1)
		if i == len(tried)-1 {
			sign = 1
		}
		adjust(&h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)], sign*bonus)
		adjust(&h.continuations[previous.To()&(points-1)][t.To()&(points-1)], sign*bonus)
	}
	h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)] = uint16(tried[len(tried)-1])
}

// adjust moves a number towards a bonus, the less the nearer it is to its bound.
func adjust(number *int16, bonus int32) {
	size := max(bonus, -bonus)
	*number += int16(bonus - int32(*number)*size/mostHistory)
}

// age halves all numbers: what was learned in the last search still counts, but
// less than what this one learns.
func (h *history) age() {
	for s := range h.moves {
		for from := range h.moves[s] {
			for to := range h.moves[s][from] {
				h.moves[s][from][to] /= 2
			}
		}
	}
	for from := range h.continuations {
		for to := range h.continuations[from] {
			h.continuations[from][to] /= 2
		}
	}
}

// clear forgets all.
func (h *history) clear() { *h = history{} }
