package position

import "math/bits"

// Targets returns the points where a ring at the given point can end its move.
func (p *Position) Targets(from Point) (targets Bitboard) {
	for d := range Direction(Directions) {
		ref := &lineRefs[from&(padded-1)][d]
		first := from - Point(ref.place)*Point(strides[d])
		for places := p.targetsOn(ref, d).places(); places != 0; places &= places - 1 {
			targets = targets.Or(pointSet(first + Point(bits.TrailingZeros16(places))*Point(strides[d])))
		}
	}
	return targets
}

// Mobility returns the number of moves that the rings of a side have.
func (p *Position) Mobility(s Side) int {
	n := 0
	rings := p.rings[s&1]
	for b := rings.Lo; b != 0; b &= b - 1 {
		n += p.mobilityOf(Point(bits.TrailingZeros64(b)))
	}
	for b := rings.Hi; b != 0; b &= b - 1 {
		n += p.mobilityOf(Point(64 + bits.TrailingZeros64(b)))
	}
	return n
}

// mobilityOf returns the number of moves of the ring at a point: a look-up for
// each of the three lines.
func (p *Position) mobilityOf(at Point) int {
	refs := &lineRefs[at&(padded-1)]
	column := targetCounts[refs[AlongColumn].offset+uint32(p.lines[AlongColumn][refs[AlongColumn].line%lineSlots])]
	number := targetCounts[refs[AlongNumber].offset+uint32(p.lines[AlongNumber][refs[AlongNumber].line%lineSlots])]
	third := targetCounts[refs[AlongThird].offset+uint32(p.lines[AlongThird][refs[AlongThird].line%lineSlots])]
	return int(column) + int(number) + int(third)
}

// CanMove tells whether any ring of a side can move.
func (p *Position) CanMove(s Side) bool { return p.Mobility(s) > 0 }

// targetsOn returns the entry of targetSets for a place of a line.
func (p *Position) targetsOn(ref *lineRef, d Direction) lineTargets {
	return targetSets[ref.offset+uint32(p.lines[d][ref.line%lineSlots])]
}
