// Package sample is the format of the files that the evaluation is learned
// from: positions of the engine's own games, each with what a search said of it
// and how its game ended.
//
//	sample.go  Sample: one position, and its 34 bytes
//	points.go  the board in 26 bytes
//	about.go   About: what made a file
//	header.go  the beginning of a file
//	block.go   one game in a file
//	reader.go  Reader, and how it goes on after damage
//
// A file is a header and then blocks, one for each game, in any order. Numbers
// are little endian.
//
//	header  "gyre samples 1\n", the length of the text (4 bytes), the xxh3
//	        checksum of the text (8), the text: what made the file, a line
//	        "name: value" each
//	block   a mark (4 bytes), the xxh3 checksum of the rest of the block (8),
//	        the number of the game (4), the length of the records (4), the
//	        records, 34 bytes each
//
// A block is whole or it does not count: what is damaged, or was cut off when a
// program died, is told and passed over, and reading goes on at the next mark
// that begins a whole block.
package sample

import (
	"encoding/binary"
	"fmt"

	"gyre/position"
)

// Sample is a position with what is known of it. The game is not over there.
type Sample struct {
	Position position.Position
	// Score is the search's for the side to move, in centipawns: ±MostScore
	// where the search proved the end of the game.
	Score  int16
	Result int8   // of the game for the side to move: -1 lost, 0 drawn, 1 won
	Ply    uint8  // turns of the game before the position
	Game   uint32 // number of its game in the file
}

// MostScore bounds scores. Proven ends have it, whatever their distance.
const MostScore = 20000

// Size is the length of a sample in bytes.
const Size = 34

// The layout of a sample: the points, then these.
const (
	stateAt = pointsSize // the sides' state: see state
	plyAt   = stateAt + 1
	scoreAt = plyAt + 1
	gameAt  = scoreAt + 2
)

// Append appends the sample's bytes to dst.
func (s *Sample) Append(dst []byte) []byte {
	pieces := s.Position.Pieces()
	dst = appendPoints(dst, &pieces)
	dst = append(dst, state(&pieces, s.Result), s.Ply)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(s.Score))
	return binary.LittleEndian.AppendUint32(dst, s.Game)
}

// Decode reads the sample of Size bytes. The error says what of it cannot be.
func Decode(record []byte) (s Sample, err error) {
	if len(record) != Size {
		return s, fmt.Errorf("%d bytes instead of %d", len(record), Size)
	}
	var pieces position.Pieces
	if err := readPoints(record[:pointsSize], &pieces); err != nil {
		return s, err
	}
	s.Result = readState(record[stateAt], &pieces)
	if s.Position, err = pieces.Position(); err != nil {
		return s, err
	}
	s.Ply = record[plyAt]
	s.Score = int16(binary.LittleEndian.Uint16(record[scoreAt:]))
	s.Game = binary.LittleEndian.Uint32(record[gameAt:])
	return s, s.check()
}

// check tells what of a sample cannot be.
func (s *Sample) check() error {
	switch {
	case s.Score < -MostScore || s.Score > MostScore:
		return fmt.Errorf("score %d: beyond %d", s.Score, MostScore)
	case s.Result < -1 || s.Result > 1:
		return fmt.Errorf("result %d: not -1, 0 or 1", s.Result)
	case s.Position.Over():
		return fmt.Errorf("the game is over in %v", &s.Position)
	}
	return nil
}

// The bits of the byte of the sides' state.
const (
	sideShift    = 0 // side to move, 1 bit
	rulesShift   = 1 // rules, 1 bit
	removedShift = 2 // rings removed by white, then by black, 2 bits each
	resultShift  = 6 // result + 1, 2 bits
)

// state packs the sides' state. More than 3 rings are never removed.
func state(c *position.Pieces, result int8) byte {
	return byte(c.SideToMove)<<sideShift | byte(c.Rules)<<rulesShift |
		byte(c.Removed[position.White])<<removedShift | byte(c.Removed[position.Black])<<(removedShift+2) |
		byte(result+1)<<resultShift
}

// readState undoes state.
func readState(b byte, c *position.Pieces) (result int8) {
	c.SideToMove, c.Rules = position.Side(b>>sideShift&1), position.Rules(b>>rulesShift&1)
	c.Removed[position.White] = int(b >> removedShift & 3)
	c.Removed[position.Black] = int(b >> (removedShift + 2) & 3)
	return int8(b>>resultShift&3) - 1
}

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
