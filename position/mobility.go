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
	for half, b := range [2]uint64{p.rings[s&1].Lo, p.rings[s&1].Hi} {
		for ; b != 0; b &= b - 1 {
			refs := &lineRefs[(half<<6+bits.TrailingZeros64(b))&(padded-1)]
			n += p.countOn(&refs[0], 0) + p.countOn(&refs[1], 1) + p.countOn(&refs[2], 2)
		}
	}
	return n
}

// mobilityOf returns the number of moves of the ring at a point.
func (p *Position) mobilityOf(at Point) int {
	refs := &lineRefs[at&(padded-1)]
	return p.countOn(&refs[0], 0) + p.countOn(&refs[1], 1) + p.countOn(&refs[2], 2)
}

// countOn returns the number of targets along one line of the ring at its place.
func (p *Position) countOn(ref *lineRef, d Direction) int {
	return int(targetCounts[ref.offset+uint32(p.lines[d][ref.line%lineSlots])])
}

// CanMove tells whether any ring of a side can move.
func (p *Position) CanMove(s Side) bool { return p.Mobility(s) > 0 }

// targetsOn returns the entry of targetSets for a place of a line.
func (p *Position) targetsOn(ref *lineRef, d Direction) lineTargets {
	return targetSets[ref.offset+uint32(p.lines[d][ref.line%lineSlots])]
}
