package evaluation

import "gyre/position"

// ScoreRowTaking appends to dst the static score after each of some turns of a position
// that take rows off, for the side that makes the turn, computed incrementally from the
// position's accumulator: what [Accumulator.Score] says of the child with its sign changed.
//
// Turns that differ in the last ring alone are best given one after the other, as
// [position.Position.Turns] lists them: all but that ring is computed once.
func (e *Evaluator) ScoreRowTaking(a *Accumulator, before *position.Position, turns []position.Turn, dst []int) []int {
	us := before.SideToMove() & 1
	group := position.None
	var with Accumulator // after the turns of the group, but with the ring that they remove last
	for _, t := range turns {
		ring := t.Removal(t.Removals() - 1).Ring
		if g := t.WithoutLastRing(); g != group {
			group = g
			e.Update(&with, a, before, t)
			with.changeRing(&e.worths[with.stage], ring, us)
		}
		after := with.sum + e.gainOfRing(&with, ring, us)
		dst = append(dst, -after.score(us^1))
	}
	return dst
}

// gainOfRing returns by how much the sum changes if a ring of a side comes to a vacant
// point, or goes from where it stands, all else alike.
func (e *Evaluator) gainOfRing(a *Accumulator, at position.Point, side position.Side) (gain pair) {
	worths := &e.worths[a.stage]
	for _, place := range &places[at&127] {
		gain += worths.gain(a, place, ringState[side])
	}
	return gain
}
