package fit

import (
	"encoding/binary"
	"slices"

	"gyre/position"
	"gyre/search/evaluation"
)

// Example is a position to learn from, with what is known about it. All is from
// the side to move.
type Example struct {
	Board       evaluation.Board
	Rules       position.Rules
	Own, Theirs int // rings removed
	Score       int // of a search, in centipawns: ±evaluation.Bound where it proved the end
	Result      int // of the game: -1 a loss, 0 a draw, 1 a win; or NoResult
	Source      int // from 0, below MostSources: scores of one mean other chances than those of another
}

// MostSources is how many sources of examples there can be.
const MostSources = 256 / evaluation.BoardStates

// NoResult is the result of an example whose game says nothing of it.
const NoResult = 2

// NewExample returns the example of a position.
func NewExample(p *position.Position, score, result int) *Example {
	us := p.SideToMove()
	return &Example{Board: evaluation.BoardOf(p, us), Rules: p.Rules(), Own: p.Removed(us), Theirs: p.Removed(us.Opponent()), Score: score, Result: result}
}

// stage returns the stage of the example.
func (e *Example) stage() evaluation.Stage {
	return evaluation.StageBy(e.Rules, e.Own, e.Theirs, e.Board.Markers())
}

// Features returns the example as weights see it.
func (e *Example) Features() *evaluation.Features {
	f := &evaluation.Features{}
	f.Set(&e.Board, e.stage(), e.Own, e.Theirs)
	return f
}

// An example takes recordBytes on disk and in memory:
//
//	 0..28  the states of the 85 points, three to a byte in base 5, the first lowest;
//	        the last byte has one point, and 5 x the source
//	29      own rings removed + 3 x theirs + 9 x (result + 1) + 36 x rules
//	30..31  score, little-endian, in two's complement
//
// The indexes of the patterns are not stored: they follow from the points.
const (
	statesAt    = 0
	sourceAt    = 28
	removedAt   = 29
	scoreAt     = 30
	recordBytes = 32
)

// record is an example in short.
type record [recordBytes]byte

// pack returns the record of an example.
func (e *Example) pack() (r record) {
	for i := 0; i < len(e.Board); i += 3 {
		packed := byte(0)
		for _, state := range slices.Backward(e.Board[i:min(i+3, len(e.Board))]) {
			packed = packed*evaluation.BoardStates + state
		}
		r[statesAt+i/3] = packed
	}
	r[sourceAt] += byte(evaluation.BoardStates * e.Source)
	r[removedAt] = byte(e.Own + 3*e.Theirs + 9*(e.Result+1) + 36*int(e.Rules))
	binary.LittleEndian.PutUint16(r[scoreAt:], uint16(int16(e.Score)))
	return r
}

// unpackedStates are the states of three points by their byte.
var unpackedStates = func() (all [256][3]uint8) {
	for packed := range all {
		for i, rest := 0, packed; i < 3; i, rest = i+1, rest/evaluation.BoardStates {
			all[packed][i] = uint8(rest % evaluation.BoardStates)
		}
	}
	return all
}()

// unpack sets e to the example of a record.
func (e *Example) unpack(r *record) {
	var states [removedAt * 3]uint8 // room for the two points that the last byte has not
	for i, packed := range r[statesAt:removedAt] {
		three := &unpackedStates[packed]
		states[3*i], states[3*i+1], states[3*i+2] = three[0], three[1], three[2]
	}
	e.Board = evaluation.Board(states[:position.PointCount])
	e.Source = int(r[sourceAt]) / evaluation.BoardStates
	e.Own = int(r[removedAt]) % 3
	e.Theirs = int(r[removedAt]) / 3 % 3
	e.Result = int(r[removedAt])/9%4 - 1
	e.Rules = position.Rules(r[removedAt] / 36)
	e.Score = int(int16(binary.LittleEndian.Uint16(r[scoreAt:])))
}
