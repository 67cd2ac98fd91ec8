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
	for p.Placing() {
		p.placeRing(p.randomVacant(rng))
		p.side ^= 1
		turns++
	}
	passed := false
	for fives := p.AllMarkers().hasFive(); !p.decided(); fives = p.AllMarkers().hasFive() {
		if fives && p.takeRandomRows(rng) {
			turns++
			break
		}
		if p.onBoard == MarkersInGame {
			break
		}
		from, to, ok := p.randomMove(rng)
		if !ok && passed {
			break
		}
		if ok {
			p.moveRing(from, to)
			if p.AllMarkers().hasFive() && p.takeRandomRows(rng) {
				turns++
				break
			}
		}
		passed = !ok
		p.side ^= 1
		turns++
	}
	p.hash = p.hashFromScratch()
	return p.Result(), turns
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
	moves := p.Mobility(p.side)
	if moves == 0 {
		return 0, 0, false
	}
	n := below(rng, moves)
	for rings := p.rings[p.side]; ; rings = rings.WithoutFirst() {
		from = rings.First()
		for d := range Direction(Directions) {
			ref := &lineRefs[from&(padded-1)][d]
			places := p.targetsOn(ref, d).places()
			here := bits.OnesCount16(places)
			if n >= here {
				n -= here
				continue
			}
			for range n {
				places &= places - 1
			}
			place := Point(bits.TrailingZeros16(places))
			return from, from + (place-Point(ref.place))*Point(strides[d]), true
		}
	}
}

// below returns a random number from 0 to n-1.
func below(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}
