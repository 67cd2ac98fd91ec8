package evaluation

import "gyre/position"

// WindowStates is the number of indexes of a window. A window is five points
// next to each other on a line, a place for a row. Its points have five states,
// so it has an index in base 5, the digit of its first point lowest in the
// order of [position.Row]; one table holds the worth of every index, for all
// windows alike.
const WindowStates = states * states * states * states * states

// The states of a point, for one of the sides.
const (
	vacant = iota
	ownRing
	ownMarker
	theirRing
	theirMarker
	states
)

// windowAt returns the index of a window of a position, for a side.
func windowAt(p *position.Position, row position.Row, own position.Side) (index uint16) {
	power := uint16(1)
	for b := row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
		index += power * stateAt(p, b.First(), own)
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

// digits are the states of the points of a window, the first point's first.
type digits [position.RowLength]int

// digitsOf decodes an index.
func digitsOf(index int) (d digits) {
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

// reversed returns the index of a window read from its other end.
func reversed(index int) int {
	d := digitsOf(index)
	for i := range len(d) / 2 {
		d[i], d[len(d)-1-i] = d[len(d)-1-i], d[i]
	}
	return d.index()
}

// otherSide holds the states of a point for the other side.
var otherSide = [states]int{vacant: vacant, ownRing: theirRing, ownMarker: theirMarker, theirRing: ownRing, theirMarker: ownMarker}

// swapped returns the index of a window for the other side.
func swapped(index int) int {
	d := digitsOf(index)
	for i := range d {
		d[i] = otherSide[d[i]]
	}
	return d.index()
}
