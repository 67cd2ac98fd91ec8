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
	below, above := sights()
	for _, length := range lineLengths {
		for place := range length {
			begin := targetsOffset(length, place) + ringDigit*power3[place]
			low := below[place]
			for high, up := range above[length-1-place] {
				up := up.clear&targetBits>>(longestLine-length) | up.clear&^targetBits
				at := begin + uint32(high)*power3[place+1]
				counts, sets := targetCounts[at:][:len(low)], targetSets[at:][:len(low)]
				for i := range low {
					both := low[i].clear | up
					sets[i] = both
					counts[i] = uint8(bits.OnesCount16(both.places()))
				}
			}
		}
	}
}

// sight is what a ring sees on one side. It moves over vacant points, then over one run of markers
// to the first vacant point behind it, and never over a ring.
type sight struct {
	clear   lineTargets
	jumping lineTargets // if the ring has already passed a marker
}

// sights returns what a ring sees of the points below it and above it, by their number and their
// index. The lowest of the points below has place 0, the highest of those above the last place of
// the longest line.
func sights() (below, above [longestLine][]sight) {
	below[0], above[0] = make([]sight, 1), make([]sight, 1)
	for points := 1; points < longestLine; points++ {
		fewer := power3[points-1] // contents of all points but the nearest
		below[points], above[points] = make([]sight, 3*fewer), make([]sight, 3*fewer)
		for digit := range uint32(3) {
			for rest := range fewer {
				below[points][digit*fewer+rest] = below[points-1][rest].past(digit, points-1, belowShift)
				above[points][digit+3*rest] = above[points-1][rest].past(digit, longestLine-points, aboveShift)
			}
		}
	}
	return below, above
}

// past returns the sight from one point farther away, which has the given place and digit.
// shift is that of the run of markers.
func (s sight) past(digit uint32, place, shift int) sight {
	switch digit {
	case vacantDigit:
		return sight{1<<place | s.clear&targetBits, 1 << place}
	case markerDigit:
		if s.jumping>>shift&longestSeen < longestSeen {
			s.jumping += 1 << shift
		}
		return sight{s.jumping, s.jumping}
	}
	return sight{} // a ring
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
