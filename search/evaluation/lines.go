package evaluation

import "gyre/position"

// A line of the board in a machine word: the state of each of its points for
// White, three bits a point, the first point lowest. Where the line has no more
// points the bits are all set, which is no state: beyond the edge. So each six of
// a line is 18 bits in a row of its word, its code, and a point goes from one state
// to another by the exclusive or of both. A code stands for the window that its
// first five points are, too; where its last point is beyond the edge, for that
// alone. So a line has as many codes as windows.
const (
	pointBits  = 3
	beyond     = 1<<pointBits - 1
	linePoints = 10 // of the longest line

	codeBits = pointBits * SixPoints
	codeMask = 1<<codeBits - 1
	codes    = 1 << codeBits
)

// boardLines is the number of lines on the board.
const boardLines = 33

// The word of a line with the five points to either side of it that are beyond
// its edge: every point then has six codes, and those that stand for nothing hold
// a point beyond the edge among their first five.
const (
	marginBits = pointBits * (SixPoints - 1)
	after      = (1<<marginBits - 1) << (pointBits * linePoints) // of a line
	margins    = after<<marginBits | (1<<marginBits - 1)
)

// place is where a point stands on one of its lines.
type place struct {
	line  uint8 // 0..32
	shift uint8 // of the point's bits in the word of the line
}

// around returns the eleven points of a line of which the one at a place is the
// middle one: the six codes that hold it.
func around(word uint32, at place) uint64 {
	return (uint64(word)<<marginBits | margins) >> (at.shift & 63)
}

// places are where each point stands on its three lines. For others than the
// points of the board it is nowhere in particular.
//
// emptyLines are the words of the lines without a piece.
var places, emptyLines = func() (at [128][position.Directions]place, empty [boardLines]uint32) {
	next := uint8(0)
	for d := range at[0] {
		for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
			first := b.First()
			if _, before := neighbour(first, d, -1); before {
				continue // not the first of its line
			}
			empty[next] = 1<<(pointBits*linePoints) - 1
			shift := uint8(0)
			for p, more := first, true; more; p, more = neighbour(p, d, 1) {
				at[p][d] = place{line: next, shift: shift}
				empty[next] &^= beyond << shift
				shift += pointBits
			}
			next++
		}
	}
	return at, empty
}()

// neighbour returns the point next to another along a direction, and whether
// the board has it.
func neighbour(p position.Point, d, step int) (position.Point, bool) {
	column, number := p.Column(), p.Number()
	switch position.Direction(d) {
	case position.AlongColumn:
		return position.PointAt(column, number+step)
	case position.AlongNumber:
		return position.PointAt(column+step, number)
	}
	return position.PointAt(column+step, number+step)
}

// codeOf returns the bits that so many points have in a code, by their index for
// White.
func codeOf(index, points int) (code int) {
	for i, state := range digitsOf(index, points) {
		code |= state << (pointBits * i)
	}
	return code
}
