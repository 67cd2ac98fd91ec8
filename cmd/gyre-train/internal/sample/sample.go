// Package sample defines the file format of training samples: positions from the engine's own
// games, with a search score and the game's result. It also computes [Statistics] of samples.
//
// [Reader] reads files, and [AppendHeader] and [AppendGame] write them. A file is a header
// followed by blocks, one for each game, in any order. Numbers are little endian.
//
//	header  "gyre samples 1\n", the length of the text (4 bytes), the xxh3
//	        checksum of the text (8), the text: provenance, one line
//	        "name: value" each
//	block   a mark (4 bytes), the xxh3 checksum of the rest of the block (8),
//	        the number of the game (4), the length of the records (4), the
//	        records, 34 bytes each
//
// Damaged or incomplete blocks are reported and skipped. Reading resumes at the next mark that
// begins a valid block.
//
// A single sample is encoded in sample.go, files in file.go.
package sample

import (
	"encoding/binary"
	"fmt"

	"gyre/position"
)

// Sample is a position in which the game is not over, with its score and result.
type Sample struct {
	Position position.Position
	// Score is the search's score for the side to move in centipawns, or ±MaxScore if the
	// search proved the result.
	Score  int16
	Result int8   // of the game for the side to move: -1 loss, 0 draw, 1 win
	Ply    uint8  // number of turns before the position
	Game   uint32 // number of the game in the file
}

// MaxScore is the maximum score, and the score of every proven win.
const MaxScore = 20000

// Size is the length of a sample in bytes.
const Size = 34

// The layout of a sample after the points.
const (
	stateAt = pointsSize // the sides' state: see state
	plyAt   = stateAt + 1
	scoreAt = plyAt + 1
	gameAt  = scoreAt + 2
)

// Append appends the encoded sample to dst.
func (s *Sample) Append(dst []byte) []byte {
	pieces := s.Position.Pieces()
	dst = appendPoints(dst, &pieces)
	dst = append(dst, state(&pieces, s.Result), s.Ply)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(s.Score))
	return binary.LittleEndian.AppendUint32(dst, s.Game)
}

// Decode decodes a sample of Size bytes. It returns an error if the sample is impossible.
func Decode(record []byte) (s Sample, err error) {
	if len(record) != Size {
		return s, fmt.Errorf("%d bytes, want %d", len(record), Size)
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

// check reports what is impossible about a sample, or nil.
func (s *Sample) check() error {
	switch {
	case s.Score < -MaxScore || s.Score > MaxScore:
		return fmt.Errorf("score %d: must be within ±%d", s.Score, MaxScore)
	case s.Result < -1 || s.Result > 1:
		return fmt.Errorf("result %d: must be -1, 0 or 1", s.Result)
	case s.Position.Over():
		return fmt.Errorf("the game is over in %v", &s.Position)
	}
	return nil
}

// The bits of the state byte.
const (
	sideShift    = 0 // side to move, 1 bit
	rulesShift   = 1 // rules, 1 bit
	removedShift = 2 // removed rings of White, then of Black, 2 bits each
	resultShift  = 6 // result + 1, 2 bits
)

// state encodes the sides' state. At most 3 rings are removed.
func state(c *position.Pieces, result int8) byte {
	return byte(c.SideToMove)<<sideShift | byte(c.Rules)<<rulesShift |
		byte(c.Removed[position.White])<<removedShift | byte(c.Removed[position.Black])<<(removedShift+2) |
		byte(result+1)<<resultShift
}

// readState is the inverse of state.
func readState(b byte, c *position.Pieces) (result int8) {
	c.SideToMove, c.Rules = position.Side(b>>sideShift&1), position.Rules(b>>rulesShift&1)
	c.Removed[position.White] = int(b >> removedShift & 3)
	c.Removed[position.Black] = int(b >> (removedShift + 2) & 3)
	return int8(b>>resultShift&3) - 1
}

// A point is a digit in base 5: 0 for vacant, then a ring and a marker of each side. A 64-bit
// word holds 27 digits. So the 85 points, in the order of their numbers, take three words and
// four digits in two more bytes. The first point of each is the lowest digit.
const (
	pointStates = 5
	wordPoints  = 27
	words       = position.PointCount / wordPoints
	restPoints  = position.PointCount - words*wordPoints
	pointsSize  = 8*words + 2
)

// digitOf returns the digit of a side's ring. The digit of its marker is one higher.
func digitOf(side position.Side) uint64 { return 1 + 2*uint64(side) }

// ordered lists the points of the board in the order of their numbers.
var ordered = position.Board().Points(nil)

// appendPoints appends the encoded pieces on the board.
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

// number combines the digits of points into a number.
func number(digits *[128]uint64, points []position.Point) (n uint64) {
	for i := len(points) - 1; i >= 0; i-- {
		n = n*pointStates + digits[points[i]]
	}
	return n
}

// readPoints is the inverse of appendPoints.
func readPoints(b []byte, c *position.Pieces) error {
	var sets [pointStates]position.Bitboard
	for i := range words {
		if rest := place(&sets, binary.LittleEndian.Uint64(b[8*i:]), ordered[i*wordPoints:(i+1)*wordPoints]); rest != 0 {
			return fmt.Errorf("points: word %d is out of range", i)
		}
	}
	if rest := place(&sets, uint64(binary.LittleEndian.Uint16(b[8*words:])), ordered[words*wordPoints:]); rest != 0 {
		return fmt.Errorf("points: the last word is out of range")
	}
	for side := range position.Side(2) {
		c.Rings[side], c.Markers[side] = sets[digitOf(side)], sets[digitOf(side)+1]
	}
	return nil
}

// place adds each point to the set of its digit and returns the remaining number.
func place(sets *[pointStates]position.Bitboard, n uint64, points []position.Point) (rest uint64) {
	for _, p := range points {
		set := &sets[n%pointStates]
		set.Lo |= 1 << p
		set.Hi |= 1 << (p - 64)
		n /= pointStates
	}
	return n
}
