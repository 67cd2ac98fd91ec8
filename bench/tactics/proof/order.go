package proof

import "gyre/position"

// history counts how often turns have decided a node, by side and by the two
// points of the ring move.
type history [2][128][128]int32

// reward counts that t decided a node with n turns to go.
func (h *history) reward(side position.Side, t position.Turn, n int) {
	h[side][t.From()][t.To()] += int32(n * n)
}

// weight is what a turn is sorted by: first those that take most rings
// off, then by history.
func (h *history) weight(t position.Turn, side position.Side) int64 {
	return int64(t.Removals())<<40 + int64(h[side][t.From()][t.To()])
}

// order sorts turns by falling weight, and leaves those of equal weight as
// they were.
func (h *history) order(turns []position.Turn, side position.Side) {
	var room [256]int64
	weights := room[:0]
	for i, t := range turns {
		w := h.weight(t, side)
		weights = append(weights, w)
		j := i
		for ; j > 0 && weights[j-1] < w; j-- {
			turns[j], weights[j] = turns[j-1], weights[j-1]
		}
		turns[j], weights[j] = t, w
	}
}
