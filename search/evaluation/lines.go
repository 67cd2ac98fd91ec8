package evaluation

import (
	"slices"

	"gyre/position"
)

// A line of the board is a machine word: the state of each of its points for White,
// three bits per point, the first point lowest. After the last point all bits are
// set, which stands for beyond the edge. Any six adjacent points of a line are 18
// bits of its word, their code. XOR changes the state of a point.
//
// A code stands for the patterns that start at its first point: a six, and shorter
// ones. A line has one code per five, so the longest line has six codes. Its last
// code, whose sixth point is beyond the edge, also stands for the shorter patterns
// that start at its later points. A line of four points has no five. Its points are
// shifted by one within the word: its only code starts beyond the edge, which sets it
// apart from the codes of longer lines.
const (
	pointBits  = 3
	beyond     = 1<<pointBits - 1
	linePoints = 10 // of the longest line

	codePoints = 6
	codeBits   = pointBits * codePoints
	codeMask   = 1<<codeBits - 1
	codes      = 1 << codeBits
)

// boardLines is the number of lines on the board.
const boardLines = 33

// The word of a line with five points beyond the edge on both sides. Every point is
// then in six codes. Codes that do not count have a point beyond the edge among their
// first five, and value 0.
const (
	marginBits = pointBits * (codePoints - 1)
	pastEnd    = (1<<marginBits - 1) << (pointBits * linePoints) // the points after the last one of a line
	margins    = pastEnd<<marginBits | (1<<marginBits - 1)
)

// linePosition is the position of a point on one of its lines.
type linePosition struct {
	line   uint8 // 0..32
	number uint8 // of the point on the line, from 0, or from 1 on a line of four points
	shift  uint8 // of its bits in the word of the line
}

// window returns the eleven points of a line around a position: the six codes that
// contain it.
func window(word uint32, at linePosition) uint64 {
	return (uint64(word)<<marginBits | margins) >> (at.shift & 63)
}

// The lines are sorted by length, longest first. These are the numbers of lines with
// at least six, five, four and three codes. The last six lines have fewer than five
// points.
const (
	withSixCodes   = 6
	withFiveCodes  = 15
	withFourCodes  = 21
	withThreeCodes = 27
)

// linePositions holds the positions of each point on its three lines, by direction. Here
// and elsewhere, masks such as at&127, shift&31 and side&1 change nothing: they spare the
// compiler a check of the index or of the shift.
//
// emptyLines holds the words of the lines without a piece.
var linePositions, emptyLines = func() (at [128][position.Directions]linePosition, empty [boardLines]uint32) {
	for line, points := range linesByLength() {
		empty[line] = 1<<(pointBits*linePoints) - 1
		d, _ := position.DirectionOf(points[0], points[1])
		for number, p := range points {
			if len(points) < codePoints-1 {
				number++
			}
			shift := uint8(pointBits * number)
			at[p][d] = linePosition{line: uint8(line), number: uint8(number), shift: shift}
			empty[line] &^= beyond << shift
		}
	}
	return at, empty
}()

// linesByLength returns the points of each line of the board, longest lines first.
func linesByLength() (lines [][]position.Point) {
	for d := range position.Directions {
		for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
			if _, before := neighbor(b.First(), d, -1); before {
				continue // not the first of its line
			}
			var points []position.Point
			for p, more := b.First(), true; more; p, more = neighbor(p, d, 1) {
				points = append(points, p)
			}
			lines = append(lines, points)
		}
	}
	slices.SortStableFunc(lines, func(a, b []position.Point) int { return len(b) - len(a) })
	return lines
}

// lineNumbers holds the numbers of the points of each line, first point first.
var lineNumbers = func() (all [boardLines][]uint8) {
	for number, at := range boardPoints {
		for _, on := range &linePositions[at] {
			all[on.line] = append(all[on.line], uint8(number))
		}
	}
	return all
}()

// otherDirections holds the other two directions of each direction.
var otherDirections = [position.Directions][2]uint8{{1, 2}, {0, 2}, {0, 1}}

// othersAt holds the positions of a point on its other two lines, by one of its lines
// and its shift there.
var othersAt = func() (all [boardLines][32][2]linePosition) {
	for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
		three := &linePositions[b.First()]
		for d, others := range &otherDirections {
			at := three[d]
			all[at.line][at.shift] = [2]linePosition{three[others[0]], three[others[1]]}
		}
	}
	return all
}()

// lineChange is a line with the lowest bit of each changed point set.
type lineChange struct {
	line uint8
	ones uint32
}

// rowChanges holds the lines that the points of a row change: one along it, and two
// that cross it at each point.
var rowChanges = func() (all [position.RowCount][1 + 2*position.RowLength]lineChange) {
	for row := range position.Row(position.RowCount) {
		var ones [boardLines]uint32
		for b := row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
			for _, on := range &linePositions[b.First()] {
				ones[on.line] |= 1 << on.shift
			}
		}
		changes := all[row][:0]
		for line, points := range ones {
			if points != 0 {
				changes = append(changes, lineChange{uint8(line), points})
			}
		}
	}
	return all
}()

// The states of a point with a ring and with a marker, for White, by their side.
var (
	ringState   = [2]uint32{ownRing, theirRing}
	markerState = [2]uint32{ownMarker, theirMarker}
)
