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

// Mobility returns the number of moves that the rings of a side have: a look-up
// for each of the three lines through each ring.
func (p *Position) Mobility(s Side) int {
	n := 0
	for half, b := range [2]uint64{p.rings[s&1].Lo, p.rings[s&1].Hi} {
		for ; b != 0; b &= b - 1 {
			refs := &lineRefs[(half<<6+bits.TrailingZeros64(b))&(padded-1)]
			n += int(targetCounts[refs[AlongColumn].offset+uint32(p.lines[AlongColumn][refs[AlongColumn].line%lineSlots])]) +
				int(targetCounts[refs[AlongNumber].offset+uint32(p.lines[AlongNumber][refs[AlongNumber].line%lineSlots])]) +
				int(targetCounts[refs[AlongThird].offset+uint32(p.lines[AlongThird][refs[AlongThird].line%lineSlots])])
		}
	}
	return n
}

// mobilityOf returns the number of moves of the ring at a point.
func (p *Position) mobilityOf(at Point) int {
	n := 0
	for d := range Direction(Directions) {
		ref := &lineRefs[at&(padded-1)][d]
		n += int(targetCounts[ref.offset+uint32(p.lines[d][ref.line%lineSlots])])
	}
	return n
}

// CanMove tells whether any ring of a side can move.
func (p *Position) CanMove(s Side) bool { return p.Mobility(s) > 0 }

// targetsOn returns the entry of targetSets for a place of a line.
func (p *Position) targetsOn(ref *lineRef, d Direction) lineTargets {
	return targetSets[ref.offset+uint32(p.lines[d][ref.line%lineSlots])]
}
