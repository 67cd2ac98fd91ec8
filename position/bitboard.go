package position

import "math/bits"

// Point is a point of the board as its place on the padded board of 11 by 11:
// column x 11 + number - 1, with column a = 0. Of the values 0..120 only
// [PointCount] are on the board.
type Point uint8

// padded is the length of tables indexed by Point.
const padded = 128

// The distance on the padded board of a step along each direction.
const (
	strideColumn = 1
	strideNumber = 11
	strideThird  = 12
)

// Bitboard is a set of points: bit p of the 128 is [Point] p. Columns are 11
// bits apart, so that on the padded board a step along each of the three line
// directions is a shift by the same distance everywhere, and a shift never
// carries a point of the board to another point that is not its neighbour: a
// gap lies between any two columns.
type Bitboard struct {
	Lo, Hi uint64 // points 0..63 and 64..127
}

// And returns the points in both sets.
func (b Bitboard) And(c Bitboard) Bitboard { return Bitboard{b.Lo & c.Lo, b.Hi & c.Hi} }

// Or returns the points in either set.
func (b Bitboard) Or(c Bitboard) Bitboard { return Bitboard{b.Lo | c.Lo, b.Hi | c.Hi} }

// Xor returns the points in just one of the sets.
func (b Bitboard) Xor(c Bitboard) Bitboard { return Bitboard{b.Lo ^ c.Lo, b.Hi ^ c.Hi} }

// AndNot returns the points of b that are not in c.
func (b Bitboard) AndNot(c Bitboard) Bitboard { return Bitboard{b.Lo &^ c.Lo, b.Hi &^ c.Hi} }

// IsEmpty tells whether no point is in the set.
func (b Bitboard) IsEmpty() bool { return b.Lo|b.Hi == 0 }

// Meets tells whether the sets have a point in common.
func (b Bitboard) Meets(c Bitboard) bool { return b.Lo&c.Lo|b.Hi&c.Hi != 0 }

// Contains tells whether every point of c is in b.
func (b Bitboard) Contains(c Bitboard) bool { return c.AndNot(b).IsEmpty() }

// Count returns the number of points in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// Has tells whether p is in the set.
func (b Bitboard) Has(p Point) bool {
	return (b.Lo>>p|b.Hi>>(p-64))&1 != 0
}

// First returns the lowest point of a set that is not empty.
func (b Bitboard) First() Point {
	if b.Lo != 0 {
		return Point(bits.TrailingZeros64(b.Lo))
	}
	return Point(64 + bits.TrailingZeros64(b.Hi))
}

// WithoutFirst returns the set without its lowest point. Together with First
// it visits a set:
//
//	for ; !b.IsEmpty(); b = b.WithoutFirst() { p := b.First(); ... }
func (b Bitboard) WithoutFirst() Bitboard {
	if b.Lo != 0 {
		return Bitboard{b.Lo & (b.Lo - 1), b.Hi}
	}
	return Bitboard{0, b.Hi & (b.Hi - 1)}
}

// Points appends the points of the set to dst, lowest first.
func (b Bitboard) Points(dst []Point) []Point {
	for ; !b.IsEmpty(); b = b.WithoutFirst() {
		dst = append(dst, b.First())
	}
	return dst
}

// pointSet is the set of p alone.
func pointSet(p Point) Bitboard {
	return Bitboard{1 << p, 1 << (p - 64)}
}

// up moves every point n places up the padded board, n below 128.
func (b Bitboard) up(n uint8) Bitboard {
	return Bitboard{b.Lo << n, b.Hi<<n | b.Lo>>(64-n) | b.Lo<<(n-64)}
}

// down moves every point n places down the padded board, 0 < n < 64.
func (b Bitboard) down(n uint) Bitboard {
	return Bitboard{b.Lo>>(n&63) | b.Hi<<((64-n)&63), b.Hi >> (n & 63)}
}

// fivesAlong returns the first points (the lowest of each) of all runs of five
// points of b that follow each other at the distance stride.
func (b Bitboard) fivesAlong(stride uint) Bitboard {
	pairs := b.And(b.down(stride))
	fours := pairs.And(pairs.down(2 * stride))
	return fours.And(b.down(4 * stride))
}

// inFives returns the points of b that are in a run of five.
func (b Bitboard) inFives() (points Bitboard) {
	for _, stride := range strides {
		firsts := b.fivesAlong(uint(stride))
		pairs := firsts.Or(firsts.up(stride))
		fours := pairs.Or(pairs.up(2 * stride))
		points = points.Or(fours).Or(firsts.up(4 * stride))
	}
	return points
}

// hasFive tells whether five points of b stand next to each other on a line.
func (b Bitboard) hasFive() bool {
	return b.anyFive(strideColumn)|b.anyFive(strideNumber)|b.anyFive(strideThird) != 0
}

// anyFive returns a word that is zero if fivesAlong is empty. It is small
// enough to be inlined, and its shifts are then by constants.
func (b Bitboard) anyFive(stride uint) uint64 {
	lo, hi := b.Lo&(b.Lo>>stride|b.Hi<<(64-stride)), b.Hi&(b.Hi>>stride)
	return lo&(lo>>(2*stride)|hi<<(64-2*stride))&(b.Lo>>(4*stride)|b.Hi<<(64-4*stride)) |
		hi&(hi>>(2*stride))&(b.Hi>>(4*stride))
}
