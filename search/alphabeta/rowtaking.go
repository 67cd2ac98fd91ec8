package alphabeta

import (
	"gyre/position"
	"gyre/search/evaluation"
)

// The turns that take a row off come in groups: the same ring move and row, and
// a choice of five rings to pay with. They are scored by what the patterns are
// worth after them. It is computed for the first of a group, unless there is only
// one group; the others differ from it by what the rings are worth where they
// stand.

// tableFirst is the move score of the table's turn.
const tableFirst = 1 << 30

// winFirst is the move score of a turn that wins.
const winFirst = 1 << 20

// scoreRowTaking scores the turns of a list, which all take a row off, by the position
// and its accumulator. The turn that the table knows comes first.
func (l *moveList) scoreRowTaking(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, known entry) {
	l.resetScores()
	if len(l.turns) == 0 {
		return
	}
	prices := ringPricesOf(e, p, a)
	var base int32
	group := l.turns[0].WithoutLastRing()
	if l.turns[len(l.turns)-1].WithoutLastRing() != group {
		group = position.None // there are several: compare them
	}
	for _, t := range l.turns {
		price := prices.of(t.Removal(t.Removals() - 1).Ring)
		if g := t.WithoutLastRing(); g != group {
			group = g
			base = scoreAfter(e, p, a, t) + price
		}
		score := base - price
		if known.sameTurn(t) {
			score = tableFirst
		}
		l.addScore(score)
	}
}

// ringPrices is what the patterns lose for the side to move when one of its
// rings goes and the turn is the opponent's. A ring that has just moved is not
// among them, and costs nothing.
type ringPrices struct {
	rings  [position.RingsPerSide]position.Point
	prices [position.RingsPerSide]int32
}

// ringPricesOf returns the prices of the rings of the side to move.
func ringPricesOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator) (r ringPrices) {
	i := 0
	for b := p.Rings(p.SideToMove()); !b.IsEmpty(); b = b.WithoutFirst() {
		r.rings[i] = b.First()
		r.prices[i] = int32(e.RingPrice(a, p, r.rings[i]))
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

// scoreAfter scores a turn by the static score after it, which takes no board.
func scoreAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) int32 {
	us := p.SideToMove()
	if p.Removed(us)+t.Removals() >= p.Rules().WinningRings() {
		return winFirst
	}
	var after evaluation.Accumulator
	e.Update(&after, a, p, t)
	return -int32(after.Score(us.Opponent()))
}
