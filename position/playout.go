package position

import (
	"math/bits"
	"math/rand/v2"
)

// Playout plays on from p with random steps until the game is over, changing p
// to its end, and returns the result. Every step is uniformly random among
// those legal: the point of a ring placed, the ring move, a row to take off, a
// ring to pay for it. The number of turns made is returned too.
func (p *Position) Playout(rng *rand.PCG) (Result, int) {
	turns := 0
	if p.Over() {
		return p.Result(), turns
	}
	for p.Placing() {
		p.placeRing(p.randomVacant(rng))
		p.passOn()
		turns++
	}
	fives := p.AllMarkers().hasFive() // false only if no side has a row
	for ; ; turns++ {
		removed := p.removed[p.side]
		if fives && p.takeRandomRows(rng) {
			break
		}
		if p.onBoard == MarkersInGame {
			return p.Result(), turns
		}
		if from, to, ok := p.randomMove(rng); ok {
			p.moveRing(from, to)
			fives = p.AllMarkers().hasFive()
			if fives && p.takeRandomRows(rng) {
				break
			}
		} else if !p.CanMove(p.side.Opponent()) {
			if p.removed[p.side] == removed {
				return p.Result(), turns
			}
			break // the turn was its removals
		}
		p.passOn()
	}
	p.passOn()
	return p.Result(), turns + 1
}

// takeRandomRows takes rows of the side to move off, with random rings, until
// none is left, and tells whether that won the game.
func (p *Position) takeRandomRows(rng *rand.PCG) bool {
	for p.HasRow(p.side) {
		var list [mostRows]Row
		rows := p.Rows(p.side, list[:0])
		row := rows[below(rng, len(rows))]
		rings := p.rings[p.side]
		for range below(rng, rings.Count()) {
			rings = rings.WithoutFirst()
		}
		p.remove(Removal{Row: row, Ring: rings.First()})
		if p.decided() {
			return true
		}
	}
	return false
}

// randomVacant returns a random vacant point.
func (p *Position) randomVacant(rng *rand.PCG) Point {
	vacant := p.Vacant()
	for {
		if at := Point(rng.Uint64() & (padded - 1)); vacant.Has(at) {
			return at
		}
	}
}

// randomMove returns a random ring move of the side to move, and whether there
// is one.
func (p *Position) randomMove(rng *rand.PCG) (from, to Point, ok bool) {
	var rings [RingsPerSide]Point
	var moves [RingsPerSide]int
	total, i := 0, 0
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		rings[i] = b.First()
		moves[i] = p.mobilityOf(rings[i])
		total += moves[i]
		i++
	}
	if total == 0 {
		return 0, 0, false
	}
	n := below(rng, total)
	for i = 0; n >= moves[i]; i++ {
		n -= moves[i]
	}
	return rings[i], p.nthTarget(rings[i], n), true
}

// nthTarget returns the n-th target of the ring at a point, n from 0 and below
// its mobility.
func (p *Position) nthTarget(from Point, n int) Point {
	for d := range Direction(Directions) {
		ref := &lineRefs[from&(padded-1)][d]
		places := p.targetsOn(ref, d).places()
		if here := bits.OnesCount16(places); n >= here {
			n -= here
			continue
		}
		for range n {
			places &= places - 1
		}
		return from + (Point(bits.TrailingZeros16(places))-Point(ref.place))*Point(strides[d])
	}
	return from
}

// below returns a random number from 0 to n-1.
func below(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}
