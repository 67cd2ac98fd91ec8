package position

import "math/bits"

// Each point of a line is vacant, under a ring or under a marker, and these states
// alone decide where a ring on the line can move. The state of a line is therefore
// kept as a base-3 number (its index, one digit per point, lowest place first), and
// this table holds the answer by place and index. Flipping a marker does not change
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

// targetsOffset returns the offset of the entries for one place on lines of a length. A short
// line is the longest line with rings on the points beyond its end: no ring passes them.
func targetsOffset(length, place int) uint32 {
	offset := uint32(place) * power3[longestLine]
	for beyond := length; beyond < longestLine; beyond++ {
		offset += ringDigit * power3[beyond]
	}
	return offset
}

// lineTargets is what a ring can do along a line: one entry of targetSets.
type lineTargets uint16

// The parts of a lineTargets: the number of places that the ring can reach, with room for the sum
// over three lines; these places, one bit each; and whether the ring leaves five markers.
const (
	targetCount = 1<<placesShift - 1
	placesShift = 5
	placesMask  = 1<<longestLine - 1
	fiveShift   = placesShift + longestLine
)

// places returns the set of places on the line that the ring can reach.
func (t lineTargets) places() uint16 { return uint16(t) >> placesShift & placesMask }

// leavesFive reports whether the ring leaves five markers of any color in a row on
// this line when it moves away along another line.
func (t lineTargets) leavesFive() bool { return t>>fiveShift != 0 }

// targetSets holds what a ring can do along its line. The index is the offset of the ring's place
// plus the index of the line. A third of the entries are of lines with a ring at the place. They
// are filled at program start, and take 1.1 MB.
var targetSets [longestLine * 59049]lineTargets

// The points on one side of a ring do not change where it can move on the other side.
func init() {
	below, above := sights()
	for place := range longestLine {
		begin := targetsOffset(longestLine, place) + ringDigit*power3[place]
		low := below[place]
		for high, up := range above[longestLine-1-place] {
			sets := targetSets[begin+uint32(high)*power3[place+1]:][:len(low)]
			up += (8 - longestRun) * oneMarker // a longer run below makes it at least 8
			for i, down := range low {
				both := down + up
				sets[i] = lineTargets(both) | lineTargets(both>>(runShift+3)&1)<<fiveShift
			}
		}
	}
}

// sight is what a ring sees on one side of it: its targets there as a lineTargets, above them the
// length of the run of markers next to it, up to longestRun, and whether the point next to it is
// vacant. A ring moves over vacant points, then over one run of markers to the first vacant point
// behind it, and never over a ring.
type sight uint32

const (
	runShift         = 16
	longestRun       = RowLength - 1 // a row, with the marker that the ring leaves
	oneMarker  sight = 1 << runShift
	vacantNext sight = 1 << 31
)

// seen returns the sight of nothing but a vacant point.
func seen(place int) sight { return vacantNext | 1<<(placesShift+place) | 1 }

// sights returns what a ring sees of the points below it and above it, by their number and their
// index. The lowest of the points below has place 0, the highest of those above the last place of
// the line.
func sights() (below, above [longestLine][]sight) {
	below[0], above[0] = make([]sight, 1), make([]sight, 1)
	for points := 1; points < longestLine; points++ {
		fewer := power3[points-1] // contents of all points but the nearest
		below[points], above[points] = make([]sight, 3*fewer), make([]sight, 3*fewer)
		for rest := range fewer {
			low, high := below[points-1][rest], above[points-1][rest]
			below[points][vacantDigit*fewer+rest] = low.pastVacant(points - 1)
			below[points][markerDigit*fewer+rest] = low.pastMarker(points - 2)
			above[points][vacantDigit+3*rest] = high.pastVacant(longestLine - points)
			above[points][markerDigit+3*rest] = high.pastMarker(longestLine - points + 1)
		}
	}
	return below, above
}

// pastVacant returns the sight from one point farther away, if the point between is vacant and
// has the given place.
func (s sight) pastVacant(place int) sight { return seen(place) + s&(oneMarker-1) }

// pastMarker returns the sight from one point farther away, if there is a marker between and the
// point behind it has the given place.
func (s sight) pastMarker(place int) sight {
	if s&vacantNext != 0 {
		s = seen(place) &^ vacantNext
	}
	if s>>runShift < longestRun {
		s += oneMarker
	}
	return s
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
			n += p.mobilityOf(Point(half<<6 + bits.TrailingZeros64(b)))
		}
	}
	return n
}

// mobilityOf returns the number of moves of the ring at a point.
func (p *Position) mobilityOf(at Point) int {
	refs := &lineRefs[at&(padded-1)]
	sum := uint32(p.targetsOn(&refs[0], 0)) + uint32(p.targetsOn(&refs[1], 1)) + uint32(p.targetsOn(&refs[2], 2))
	return int(sum & targetCount)
}

// CanMove reports whether s can move a ring.
func (p *Position) CanMove(s Side) bool { return p.Mobility(s) > 0 }

// targetsOn returns the entry of targetSets for a place on a line.
func (p *Position) targetsOn(ref *lineRef, d Direction) lineTargets {
	return targetSets[ref.offset+uint32(p.lines[d][ref.line%lineSlots])]
}
