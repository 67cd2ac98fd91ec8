package evaluation

import "gyre/position"

// A line of the board in a machine word: the state of each of its points for
// White, three bits a point, the first point lowest. Where the line has no more
// points the bits are all set, which is no state: beyond the edge. So each window
// of a line is 15 bits in a row of its word, its code, and a point goes from one
// state to another by the exclusive or of both.
const (
	pointBits  = 3
	beyond     = 1<<pointBits - 1
	linePoints = 10 // of the longest line

	windowBits  = pointBits * position.RowLength
	windowMask  = 1<<windowBits - 1
	windowCodes = 1 << windowBits
)

// boardLines is the number of lines on the board.
const boardLines = 33

// The word of a line with the four points to either side of it that are beyond
// its edge: every point then has five windows, and those that are none hold a
// point beyond the edge.
const (
	marginBits = pointBits * (position.RowLength - 1)
	margins    = (1<<marginBits - 1) | (1<<marginBits-1)<<(marginBits+pointBits*linePoints)
)

// place is where a point stands on one of its lines.
type place struct {
	line  uint8 // 0..32
	shift uint8 // of the point's bits in the word of the line
}

// around returns the nine points of a line of which the one at a place is the
// middle one: the five windows that hold it.
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

// windowOf returns the index, for White, of the window with a code: its 15
// bits. A window beyond the edge has none.
func windowOf(code int) (index int, ok bool) {
	var d digits
	for i := range d {
		d[i] = code >> (pointBits * i) & beyond
		if d[i] >= states {
			return 0, false
		}
	}
	return d.index(), true
}
