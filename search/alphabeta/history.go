package alphabeta

import "gyre/position"

// history learns from the quiet turns that caused a cutoff, for move ordering. It
// keeps a number per ring move that grows when the move cuts and shrinks when it is
// tried in vain (the history heuristic, Schaeffer 1989, with Stockfish's gravity). It
// keeps the same per previous turn (continuation history, Stockfish), and the best
// reply to each turn (the countermove heuristic, Uiterwijk 1992).
type history struct {
	moves         [2][points][points]int16  // by side, from, to
	continuations [points][points]int16     // by the target of the previous turn, and the target
	countermoves  [2][points][points]uint16 // quiet turns fit into 16 bits
}

// points is the length of tables indexed by point. It is a power of two, so a mask
// replaces the check of an index.
const points = 128

// maxHistory bounds the absolute value of the numbers.
const maxHistory = 8192

// score returns the history score of a quiet turn.
func (h *history) score(side position.Side, t, previous position.Turn) int32 {
	return int32(h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)]) +
		int32(h.continuations[previous.To()&(points-1)][t.To()&(points-1)])
}

// countermove returns the turn that last caused a cutoff after the opponent's turn
// previous.
func (h *history) countermove(side position.Side, previous position.Turn) position.Turn {
	return position.Turn(h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)])
}

// update learns from a cutoff at a depth by the last of the tried turns, which were
// all quiet.
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

// adjust moves a number toward a bonus, by less the closer it is to its bound.
func adjust(number *int16, bonus int32) {
	size := max(bonus, -bonus)
	*number += int16(bonus - int32(*number)*size/maxHistory)
}

// age halves all numbers: the last search still counts, but less than this one.
func (h *history) age() {
	for s := range h.moves {
		for from := range h.moves[s] {
			halve(&h.moves[s][from])
		}
	}
	for from := range h.continuations {
		halve(&h.continuations[from])
	}
}

// halve halves numbers. Most of them are all 0, and it is faster to see that than to halve them: age
// took almost a fifth of the time of self-play with 300 nodes.
func halve(numbers *[points]int16) {
	if *numbers == [points]int16{} {
		return
	}
	for i := range numbers {
		numbers[i] /= 2
	}
}

func (h *history) clear() { *h = history{} }
