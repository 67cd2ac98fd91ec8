package evaluation

import (
	"slices"

	"gyre/position"
)

// A line of the board is a machine word: the state of each of its points for
// White, three bits a point, the first point lowest. Where the line has no more
// points the bits are all set, which is no state: beyond the edge. So any six
// points in a row on a line are 18 bits of its word, their code, and a point goes
// from one state to another by the exclusive or of both.
//
// A code stands for every pattern that begins with its first point and is on the
// board: a six, and the five that its first five points are, also where its last
// point is beyond the edge. So the longest line has six codes, as many as fives.
const (
	pointBits  = 3
	beyond     = 1<<pointBits - 1
	linePoints = 10 // of the longest line

	codePoints = 6
	codeBits   = pointBits * codePoints
	codeMask   = 1<<codeBits - 1
	codes      = 1 << codeBits
	codesALine = 6 // that begin a five on the longest line; as many hold a point
)

// boardLines is the number of lines on the board.
const boardLines = 33

// The word of a line with the five points to either side of it that are beyond
// its edge: every point then has six codes, and those that stand for nothing hold
// a point beyond the edge among their first five.
const (
	marginBits = pointBits * (codePoints - 1)
	after      = (1<<marginBits - 1) << (pointBits * linePoints) // of a line
	margins    = after<<marginBits | (1<<marginBits - 1)
)

// place is where a point stands on one of its lines.
type place struct {
	line   uint8 // 0..32
	number uint8 // of the point on the line, from 0
	shift  uint8 // of its bits in the word of the line
}

// around returns eleven points of a line, the one at a place in their middle:
// the six codes that hold it.
func around(word uint32, at place) uint64 {
	return (uint64(word)<<marginBits | margins) >> (at.shift & 63)
}

// The lines come in the order of their lengths, the longest first. These are the numbers
// of those with as many codes that begin a five, and more; the last six have none.
const (
	linesOfSix   = 6
	linesOfFive  = 15
	linesOfFour  = 21
	linesOfThree = 27
)

// places are where each point of the board stands on its three lines. Other
// points have no place.
//
// emptyLines are the words of the lines without a piece.
var places, emptyLines = func() (at [128][position.Directions]place, empty [boardLines]uint32) {
	for line, points := range linesByLength() {
		empty[line] = 1<<(pointBits*linePoints) - 1
		d, _ := position.DirectionOf(points[0], points[1])
		for number, p := range points {
			shift := uint8(pointBits * number)
			at[p][d] = place{line: uint8(line), number: uint8(number), shift: shift}
			empty[line] &^= beyond << shift
		}
	}
	return at, empty
}()

// linesByLength returns the points of the lines of the board, the longest lines first.
func linesByLength() (lines [][]position.Point) {
	for d := range position.Directions {
		for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
			if _, before := neighbour(b.First(), d, -1); before {
				continue // not the first of its line
			}
			var points []position.Point
			for p, more := b.First(), true; more; p, more = neighbour(p, d, 1) {
				points = append(points, p)
			}
			lines = append(lines, points)
		}
	}
	slices.SortStableFunc(lines, func(a, b []position.Point) int { return len(b) - len(a) })
	return lines
}

// lineChange is a line, with a one at each of its points that change.
type lineChange struct {
	line uint8
	ones uint32
}

// rowChanges are the lines that the points of a row are on: one along it, and two that
// cross it at each point.
var rowChanges = func() (all [position.RowCount][1 + 2*position.RowLength]lineChange) {
	for row := range position.Row(position.RowCount) {
		var ones [boardLines]uint32
		for b := row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
			for _, place := range &places[b.First()] {
				ones[place.line] |= 1 << place.shift
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

// codeOf returns the code of so many points by their index for White. The bits
// of points that the index says nothing of are clear.
func codeOf(index, points int) (code int) {
	for i, state := range digitsOf(index, points) {
		code |= state << (pointBits * i)
	}
	return code
}
