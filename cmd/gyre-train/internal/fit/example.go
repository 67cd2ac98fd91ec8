package fit

import (
	"encoding/binary"
	"slices"

	"gyre/position"
	"gyre/search/evaluation"
)

// Example is a position to learn from, as the weights see it, with what is known
// about it. All is from the side to move.
type Example struct {
	Features evaluation.Features
	Score    int // of a search, in centipawns: ±evaluation.Bound where it proved the end
	Result   int // of the game: -1 a loss, 0 a draw, 1 a win
}

// An example takes recordBytes on disk and in memory:
//
//	 0..28  the states of the 85 points, three to a byte in base 5, the first lowest
//	29      own rings removed + 3 x theirs + 9 x (result + 1)
//	30..31  ring moves more than the other side
//	32      blocked rings more than the other side
//	33..34  score
//
// Numbers of two bytes are little-endian, and negative ones in two's complement.
// The windows and sixes are not stored: they follow from the points.
const (
	statesAt    = 0
	removedAt   = 29
	movesAt     = 30
	blockedAt   = 32
	scoreAt     = 33
	recordBytes = 35
)

// record is an example in short.
type record [recordBytes]byte

// pointStates is the number of states of a point, the base of a window's index.
const pointStates = 5

// windowPoints and sixPoints are the points of each window and six, as places
// 0..84 in the order of the board, the lowest digit of the index first.
var windowPoints, sixPoints = func() (windows [position.RowCount][position.RowLength]uint8, sixes [evaluation.SixCount][evaluation.SixPoints]uint8) {
	place := map[position.Point]uint8{}
	for _, p := range position.Board().Points(nil) {
		place[p] = uint8(len(place))
	}
	for row := range windows {
		for i, p := range position.Row(row).Points().Points(nil) {
			windows[row][i] = place[p]
		}
	}
	for six := range sixes {
		for i, p := range evaluation.Six(six).Points(nil) {
			sixes[six][i] = place[p]
		}
	}
	return windows, sixes
}()

// points are the states of the points of a position, by their place.
type points [position.PointCount]uint8

// pointsOf returns the points that windows show. Every point is in some window.
func pointsOf(windows *[position.RowCount]uint16) (states points) {
	for row, index := range windows {
		for _, at := range windowPoints[row] {
			states[at] = uint8(index % pointStates)
			index /= pointStates
		}
	}
	return states
}

// windows returns the index of each window.
func (states *points) windows() (indexes [position.RowCount]uint16) {
	for row := range windowPoints {
		w := &windowPoints[row]
		indexes[row] = uint16(states[w[0]]) + 5*(uint16(states[w[1]])+
			5*(uint16(states[w[2]])+5*(uint16(states[w[3]])+5*uint16(states[w[4]]))))
	}
	return indexes
}

// sixes returns the index of each six.
func (states *points) sixes() (indexes [evaluation.SixCount]uint16) {
	for six := range sixPoints {
		s := &sixPoints[six]
		indexes[six] = uint16(states[s[0]]) + 5*(uint16(states[s[1]])+5*(uint16(states[s[2]])+
			5*(uint16(states[s[3]])+5*(uint16(states[s[4]])+5*uint16(states[s[5]])))))
	}
	return indexes
}

// pack returns the record of an example.
func (e *Example) pack() (r record) {
	states := pointsOf(&e.Features.Windows)
	for i := 0; i < len(states); i += 3 {
		packed := byte(0)
		for _, state := range slices.Backward(states[i:min(i+3, len(states))]) {
			packed = packed*pointStates + state
		}
		r[statesAt+i/3] = packed
	}
	r[removedAt] = byte(e.Features.Own + 3*e.Features.Theirs + 9*(e.Result+1))
	binary.LittleEndian.PutUint16(r[movesAt:], uint16(int16(e.Features.Moves)))
	r[blockedAt] = byte(int8(e.Features.Blocked))
	binary.LittleEndian.PutUint16(r[scoreAt:], uint16(int16(e.Score)))
	return r
}

// unpackedStates are the states of three points by their byte.
var unpackedStates = func() (all [256][3]uint8) {
	for packed := range all {
		for i, rest := 0, packed; i < 3; i, rest = i+1, rest/pointStates {
			all[packed][i] = uint8(rest % pointStates)
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
	board := (*points)(states[:position.PointCount])
	e.Features.Windows, e.Features.Sixes = board.windows(), board.sixes()
	e.Features.Own = int(r[removedAt]) % 3
	e.Features.Theirs = int(r[removedAt]) / 3 % 3
	e.Result = int(r[removedAt])/9 - 1
	e.Features.Moves = int(int16(binary.LittleEndian.Uint16(r[movesAt:])))
	e.Features.Blocked = int(int8(r[blockedAt]))
	e.Score = int(int16(binary.LittleEndian.Uint16(r[scoreAt:])))
}

// phase returns how many rings are removed, of both sides together.
func (e *Example) phase() int { return e.Features.Own + e.Features.Theirs }

// Phases is the number of phases that losses are told apart by: 0 to 4 rings
// removed.
const Phases = 5
