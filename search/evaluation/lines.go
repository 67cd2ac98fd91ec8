package evaluation

import "gyre/position"

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
	line  uint8 // 0..32
	shift uint8 // of the point's bits in the word of the line
}

// around returns eleven points of a line, the one at a place in their middle:
// the six codes that hold it.
func around(word uint32, at place) uint64 {
	return (uint64(word)<<marginBits | margins) >> (at.shift & 63)
}

// places are where each point of the board stands on its three lines. Other
// points have no place.
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

// codeOf returns the code of so many points by their index for White. The bits
// of points that the index says nothing of are clear.
func codeOf(index, points int) (code int) {
	for i, state := range digitsOf(index, points) {
		code |= state << (pointBits * i)
	}
	return code
}
