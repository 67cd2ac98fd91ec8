package sample

import (
	"encoding/binary"
	"fmt"

	"gyre/position"
)

// A point is a digit in base 5: 0 vacant, then a ring and a marker of each
// side. 27 digits fit in a word of 64 bits, so the 85 points, in the order of
// their numbers, take three words and four digits in two bytes more; the first
// point of each is its lowest digit.
const (
	pointStates = 5
	wordPoints  = 27
	words       = position.PointCount / wordPoints
	restPoints  = position.PointCount - words*wordPoints
	pointsSize  = 8*words + 2
)

// digitOf is the digit of a side's ring; that of its marker is one more.
func digitOf(side position.Side) uint64 { return 1 + 2*uint64(side) }

// ordered are the points of the board in the order of their numbers.
var ordered = position.Board().Points(nil)

// appendPoints appends what stands on the board.
func appendPoints(dst []byte, c *position.Pieces) []byte {
	var digits [128]uint64 // by point
	for side := range position.Side(2) {
		for b := c.Rings[side]; !b.IsEmpty(); b = b.WithoutFirst() {
			digits[b.First()] = digitOf(side)
		}
		for b := c.Markers[side]; !b.IsEmpty(); b = b.WithoutFirst() {
			digits[b.First()] = digitOf(side) + 1
		}
	}
	for i := range words {
		dst = binary.LittleEndian.AppendUint64(dst, number(&digits, ordered[i*wordPoints:(i+1)*wordPoints]))
	}
	return binary.LittleEndian.AppendUint16(dst, uint16(number(&digits, ordered[words*wordPoints:])))
}

// number is the number that the digits of some points make.
func number(digits *[128]uint64, points []position.Point) (n uint64) {
	for i := len(points) - 1; i >= 0; i-- {
		n = n*pointStates + digits[points[i]]
	}
	return n
}

// readPoints undoes appendPoints.
func readPoints(b []byte, c *position.Pieces) error {
	var sets [pointStates]position.Bitboard
	for i := range words {
		if rest := place(&sets, binary.LittleEndian.Uint64(b[8*i:]), ordered[i*wordPoints:(i+1)*wordPoints]); rest != 0 {
			return fmt.Errorf("word %d of the points is no number of %d digits", i, wordPoints)
		}
	}
	if rest := place(&sets, uint64(binary.LittleEndian.Uint16(b[8*words:])), ordered[words*wordPoints:]); rest != 0 {
		return fmt.Errorf("the last word of the points is no number of %d digits", restPoints)
	}
	for side := range position.Side(2) {
		c.Rings[side], c.Markers[side] = sets[digitOf(side)], sets[digitOf(side)+1]
	}
	return nil
}

// place puts each point into the set of its digit, and returns what is left of
// the number.
func place(sets *[pointStates]position.Bitboard, n uint64, points []position.Point) (rest uint64) {
	for _, p := range points {
		set := &sets[n%pointStates]
		set.Lo |= 1 << p
		set.Hi |= 1 << (p - 64)
		n /= pointStates
	}
	return n
}
