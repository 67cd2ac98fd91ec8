package evaluation

import (
	"slices"

	"gyre/position"
)

// WindowStates is the number of indexes of a window. A window is five points
// next to each other on a line, a place for a row. Its points have five states,
// so it has an index in base 5, the digit of its first point lowest in the
// order of [position.Row]; one table holds the worth of every index, for all
// windows alike.
const WindowStates = states * states * states * states * states

// SixStates is the number of indexes of a six: six points next to each other on
// a line, where two windows overlap. It has an index as a window has.
const SixStates = WindowStates * states

// SixPoints is the number of points of a six.
const SixPoints = position.RowLength + 1

// The states of a point, for one of the sides.
const (
	vacant = iota
	ownRing
	ownMarker
	theirRing
	theirMarker
	states
)

// indexAt returns the index of the window or six of a position that has some
// points, for a side.
func indexAt(p *position.Position, points position.Bitboard, own position.Side) (index uint16) {
	power := uint16(1)
	for ; !points.IsEmpty(); points = points.WithoutFirst() {
		index += power * stateAt(p, points.First(), own)
		power *= states
	}
	return index
}

// stateAt returns the state of a point, for a side.
func stateAt(p *position.Position, at position.Point, own position.Side) uint16 {
	switch theirs := own.Opponent(); {
	case p.Rings(own).Has(at):
		return ownRing
	case p.Markers(own).Has(at):
		return ownMarker
	case p.Rings(theirs).Has(at):
		return theirRing
	case p.Markers(theirs).Has(at):
		return theirMarker
	}
	return vacant
}

// digits are the states of the points of a window or six, the first point's first.
type digits []int

// digitsOf decodes the index of so many points.
func digitsOf(index, points int) digits {
	d := make(digits, points)
	for i := range d {
		d[i] = index % states
		index /= states
	}
	return d
}

// index encodes digits.
func (d digits) index() (index int) {
	for i := len(d) - 1; i >= 0; i-- {
		index = index*states + d[i]
	}
	return index
}

// Reversed returns the index of so many points read from their other end.
func Reversed(index, points int) int {
	d := digitsOf(index, points)
	slices.Reverse(d)
	return d.index()
}

// otherSide holds the states of a point for the other side.
var otherSide = [states]int{vacant: vacant, ownRing: theirRing, ownMarker: theirMarker, theirRing: ownRing, theirMarker: ownMarker}

// Swapped returns the index of so many points for the other side.
func Swapped(index, points int) int {
	d := digitsOf(index, points)
	for i := range d {
		d[i] = otherSide[d[i]]
	}
	return d.index()
}
