package alphabeta

import (
	"gyre/position"
	"gyre/search"
)

// The turns that take a row off come in groups: the same ring move and row, and
// a choice of five rings to pay with. They are rated by what the patterns are
// worth after them. That is computed for the first of a group, unless there is
// only one group; the others differ from it by what the rings are worth where
// they stand.

// rateCompleting rates the turns of the stage, which all take a row off.
func (k *picker) rateCompleting() {
	k.ranks, k.next = k.ranks[:0], 0
	if len(k.turns) == 0 {
		return
	}
	prices := k.ringPrices()
	var base int32
	group := k.turns[0].WithoutLastRing()
	if k.turns[len(k.turns)-1].WithoutLastRing() != group {
		group = position.None // there are several: compare them
	}
	for i, t := range k.turns {
		price := prices.of(t.Removal(t.Removals() - 1).Ring)
		if g := t.WithoutLastRing(); g != group {
			group = g
			base = k.worker.patternsAfter(k.node, t) + price
		}
		score := base - price
		if k.known.sameTurn(t) {
			score = tableFirst
		}
		k.ranks = append(k.ranks, rankOf(score, i))
	}
}

// ringPrices is what the patterns lose for the side to move when one of its
// rings goes and the turn is the opponent's. A ring that has just moved is not
// among them, and costs nothing.
type ringPrices struct {
	rings  [position.RingsPerSide]position.Point
	prices [position.RingsPerSide]int32
}

// ringPrices returns the prices of the rings of the side to move.
func (k *picker) ringPrices() (r ringPrices) {
	p := &k.node.position
	i := 0
	for b := p.Rings(p.SideToMove()); !b.IsEmpty(); b = b.WithoutFirst() {
		r.rings[i] = b.First()
		r.prices[i] = -int32(k.worker.evaluator.RingWorth(&k.node.accumulator, r.rings[i], p.SideToMove().Opponent()))
		i++
	}
	return r
}

// of returns the price of the ring at a point.
func (r *ringPrices) of(at position.Point) int32 {
	for i, ring := range r.rings {
		if ring == at {
			return r.prices[i]
		}
	}
	return 0
}

// aWin rates a turn that wins above all others.
const aWin = 1 << 20

// patternsAfter rates a turn that takes rows off by the patterns and the rings
// removed after it, without making the board.
func (w *worker) patternsAfter(here *ply, t position.Turn) int32 {
	us := here.position.SideToMove()
	them := us.Opponent()
	removed := here.position.Removed(us) + t.Removals()
	if removed >= here.position.Rules().WinningRings() {
		return aWin
	}
	w.evaluator.Update(&w.scratch.accumulator, &here.accumulator, &here.position, t)
	return -int32(w.scratch.accumulator.Worth(them) + w.evaluator.Removed(here.position.Removed(them), removed))
}

// staticAfter returns the static worth of a turn for the side that makes it.
func (w *worker) staticAfter(here *ply, t position.Turn) search.Score {
	here.position.Play(&w.scratch.position, t)
	if w.scratch.position.Removed(here.position.SideToMove()) >= here.position.Rules().WinningRings() {
		return search.WinIn(1)
	}
	w.evaluator.Update(&w.scratch.accumulator, &here.accumulator, &here.position, t)
	return -search.Score(w.evaluator.Score(&w.scratch.accumulator, &w.scratch.position))
}
