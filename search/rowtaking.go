package search

import "gyre/position"

// The turns that take a row off come in groups: the same ring move and row, and
// a choice of five rings to pay with. They are rated by the static worth of what
// they lead to. It is computed in full for the first of a group; the others
// differ from it by what the rings are worth where they stand.

// rateCompleting rates the turns of the stage, which all take a row off.
func (k *picker) rateCompleting() {
	k.scores, k.next = k.scores[:0], 0
	var group position.Turn
	var base int32
	for _, t := range k.turns {
		last := t.Removal(t.Removals() - 1)
		if g := t.WithoutLastRing(); g != group {
			group = g
			base = int32(k.worker.staticAfter(k.node, t)) + k.ringWorth(last.Ring)
		}
		score := base - k.ringWorth(last.Ring)
		if k.known.sameTurn(t) {
			score = tableFirst
		}
		k.scores = append(k.scores, score)
	}
}

// ringWorth is what the windows lose for the side to move when a ring goes.
func (k *picker) ringWorth(at position.Point) int32 {
	worth := int32(k.node.windows.RingWorth(at))
	if k.node.position.SideToMove() == position.Black {
		return -worth
	}
	return worth
}

// staticAfter returns the static worth of a turn for the side that makes it.
func (w *worker) staticAfter(here *ply, t position.Turn) Score {
	here.position.Play(&w.scratch.position, t)
	if w.scratch.position.Removed(here.position.SideToMove()) >= here.position.Rules().WinningRings() {
		return Win
	}
	w.scratch.windows.Update(&here.windows, &here.position, &w.scratch.position)
	return -Score(w.scratch.windows.Score(&w.scratch.position))
}
