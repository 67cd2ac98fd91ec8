package position

import "math/bits"

// Each point of a line is vacant, under a ring or under a marker, and these states
// alone decide where a ring on the line can move. The state of a line is therefore
// kept as a base-3 number (its index, one digit per point, lowest place first), and
// these tables hold the answer by place and index. Flipping a marker does not change
// an index.
const (
	vacantDigit = 0
	ringDigit   = 1
	markerDigit = 2
)

// longestLine is the number of points on the longest line.
const longestLine = 10

// power3 are the powers of three.
var power3 = func() (p [longestLine + 1]uint32) {
	p[0] = 1
	for i := range longestLine {
		p[i+1] = 3 * p[i]
	}
	return p
}()

// targetsOffset returns the offset of the entries for one place on lines of a length.
// Each place on each length has 3^length entries.
func targetsOffset(length, place int) uint32 {
	offset := uint32(0)
	for _, l := range lineLengths {
		if l == length {
			break
		}
		offset += uint32(l) * power3[l]
	}
	return offset + uint32(place)*power3[length]
}

// lineLengths holds the lengths of the board's lines.
var lineLengths = [...]int{4, 7, 8, 9, 10}

// targetsSize is the number of entries of the tables.
const targetsSize = 4*81 + 7*2187 + 8*6561 + 9*19683 + 10*59049

// lineTargets is one entry of targetSets.
type lineTargets uint16

// The parts of a lineTargets: the places that the ring can reach, one bit each, and
// the lengths of the runs of markers next to the ring, up to 7.
const (
	targetBits  = 1<<longestLine - 1
	belowShift  = longestLine
	aboveShift  = belowShift + 3
	longestSeen = 7
)

// places returns the set of places on the line that the ring can reach.
func (t lineTargets) places() uint16 { return uint16(t) & targetBits }

// leavesFive reports whether the ring leaves five markers of any color in a row on
// this line when it moves away along another line.
func (t lineTargets) leavesFive() bool {
	return t>>belowShift&longestSeen+t>>aboveShift >= RowLength-1
}

// targetCounts and targetSets hold the number and the set of places that a ring can
// reach along its line. The index is the offset of the ring's place plus the index of
// the line. They take 0.8 and 1.7 MB and are filled at program start.
var (
	targetCounts [targetsSize]uint8
	targetSets   [targetsSize]lineTargets
)

// The points on one side of a ring do not change where it can move on the other side.
func init() {
	var below, above [longestLine][]lineTargets // by the number of points there, and their index
	for points := range below {
		below[points] = make([]lineTargets, power3[points])
		above[points] = make([]lineTargets, power3[points])
		for index := range power3[points] {
			below[points][index] = targetsBelow(points, index)
			above[points][index] = targetsAbove(points, index)
		}
	}
	for _, length := range lineLengths {
		for place := range length {
			begin := targetsOffset(length, place) + ringDigit*power3[place]
			for high, up := range above[length-1-place] {
				up = up&targetBits<<place | up&^targetBits
				at := begin + uint32(high)*power3[place+1]
				counts := targetCounts[at:][:power3[place]]
				sets := targetSets[at:][:power3[place]]
				for low, down := range below[place] {
					sets[low] = down | up
					counts[low] = uint8(bits.OnesCount16((down | up).places()))
				}
			}
		}
	}
}

// targetsBelow returns the entry of a ring that has points only below it. index is that of these
// points, which have the places from 0.
func targetsBelow(points int, index uint32) lineTargets {
	var r ray
	for place := points - 1; place >= 0 && r.pass(place, index/power3[place]%3); place-- {
	}
	return r.places | min(r.run, longestSeen)<<belowShift
}

// targetsAbove returns the entry of a ring at place 0 that has points only above it. index is that of
// these points.
func targetsAbove(points int, index uint32) lineTargets {
	var r ray
	for i := 0; i < points && r.pass(i+1, index%3); i++ {
		index /= 3
	}
	return r.places | min(r.run, longestSeen)<<aboveShift
}

// ray is a ring's path in one direction. A ring moves over vacant points, then over one run of
// markers to the first vacant point behind it, and never over a ring.
type ray struct {
	places lineTargets // that the ring reaches
	run    lineTargets // the length of the run of markers next to the ring
	jumps  bool        // whether it has passed markers
}

// pass adds the next place and reports whether the ray continues behind it.
func (r *ray) pass(place int, digit uint32) bool {
	switch digit {
	case vacantDigit:
		r.places |= 1 << place
		return !r.jumps
	case markerDigit:
		if r.places == 0 {
			r.run++
		}
		r.jumps = true
	}
	return digit != ringDigit
}

// Targets returns the points that the ring at from can move to.
func (p *Position) Targets(from Point) (targets Bitboard) {
	for d := range Direction(Directions) {
		ref := &lineRefs[from&(padded-1)][d]
		first := from - Point(ref.place)*Point(strides[d])
		for places := p.targetsOn(ref, d).places(); places != 0; places &= places - 1 {
			targets = targets.Or(BitboardOf(first + Point(bits.TrailingZeros16(places))*Point(strides[d])))
		}
	}
	return targets
}

// Mobility returns the number of ring moves of s.
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

// countOn returns the number of targets along one line of a ring.
func (p *Position) countOn(ref *lineRef, d Direction) int {
	return int(targetCounts[ref.offset+uint32(p.lines[d][ref.line%lineSlots])])
}

// CanMove reports whether s can move a ring.
func (p *Position) CanMove(s Side) bool { return p.Mobility(s) > 0 }

// targetsOn returns the entry of targetSets for a place on a line.
func (p *Position) targetsOn(ref *lineRef, d Direction) lineTargets {
	return targetSets[ref.offset+uint32(p.lines[d][ref.line%lineSlots])]
}
