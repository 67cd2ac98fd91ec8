package position

import "math/bits"

// A line's points are each vacant, under a ring or under a marker, and that
// alone decides where a ring on the line can go. So the state of a line is
// kept as a number in base 3 (its index, a digit a point, the lowest place
// first), and these tables hold the answer by place and index. Flipping a
// marker changes no index.
const (
	vacantDigit = 0
	ringDigit   = 1
	markerDigit = 2
)

// longestLine is the number of points of the longest line.
const longestLine = 10

// power3 are the powers of three.
var power3 = func() (p [longestLine + 1]uint32) {
	p[0] = 1
	for i := range longestLine {
		p[i+1] = 3 * p[i]
	}
	return p
}()

// targetsOffset is where the entries for a place of lines of a length begin.
// There are 3^length of them for each place of each length that lines have.
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

// lineLengths are the lengths that lines have.
var lineLengths = [...]int{4, 7, 8, 9, 10}

// targetsSize is the number of entries of the tables.
const targetsSize = 4*81 + 7*2187 + 8*6561 + 9*19683 + 10*59049

// lineTargets are the bits of an entry of targetSets.
type lineTargets uint16

// The parts of a lineTargets: the places where the ring can go, a bit each,
// and the lengths of the runs of markers that touch the ring, up to 7.
const (
	targetBits  = 1<<longestLine - 1
	belowShift  = longestLine
	aboveShift  = belowShift + 3
	longestSeen = 7
)

// places returns the set of places that the ring can reach on the line.
func (t lineTargets) places() uint16 { return uint16(t) & targetBits }

// leavesFive tells whether the ring leaves five markers in a row of either
// colour on this line, if it goes away along another line.
func (t lineTargets) leavesFive() bool {
	return t>>belowShift&longestSeen+t>>aboveShift >= RowLength-1
}

// targetCounts and targetSets hold, at the offset of a place and the index of
// its line, in how many places and in which a ring at the place can end its
// move. They are filled once, before anything reads them: 0.8 and 1.7 MB.
var (
	targetCounts [targetsSize]uint8
	targetSets   [targetsSize]lineTargets
)

func init() {
	for _, length := range lineLengths {
		var digits [longestLine]uint8
		for index := range power3[length] {
			for place := range length {
				if digits[place] == ringDigit {
					at := targetsOffset(length, place) + index
					targetSets[at] = scanLine(digits[:length], place)
					targetCounts[at] = uint8(bits.OnesCount16(targetSets[at].places()))
				}
			}
			for place := 0; place < length; place++ { // count on in base 3
				if digits[place]++; digits[place] <= markerDigit {
					break
				}
				digits[place] = vacantDigit
			}
		}
	}
}

// scanLine follows the rule of moving a ring along a line, both ways.
func scanLine(digits []uint8, place int) lineTargets {
	set, below := scanWay(digits, place, -1)
	up, above := scanWay(digits, place, +1)
	return set | up | below<<belowShift | above<<aboveShift
}

// scanWay returns the places that a ring reaches one way: straight over vacant
// points, then over one run of markers to the first vacant point behind it,
// never over a ring; and the length of the run of markers next to the ring.
func scanWay(digits []uint8, place, step int) (set, run lineTargets) {
	jumped := lineTargets(0)
	for at := place + step; at >= 0 && at < len(digits) && digits[at] != ringDigit; at += step {
		if digits[at] == markerDigit {
			jumped++
			if at == place+step*int(jumped) {
				run = min(jumped, longestSeen)
			}
			continue
		}
		set |= 1 << at
		if jumped > 0 {
			break
		}
	}
	return set, run
}

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
