package evaluation

import "gyre/position"

// Board is what stands on each point of the board for one of the sides: a state
// in 0..4, vacant, an own ring or marker, theirs. The points are numbered 0..84
// in the order of [position.Board].
type Board [position.PointCount]uint8

// BoardStates is the number of states of a point in a Board.
const BoardStates = pointStates

// BoardOf returns the board of a position for a side.
func BoardOf(p *position.Position, own position.Side) (b Board) {
	for number, at := range boardPoints {
		b[number] = uint8(stateAt(p, at, own))
	}
	return b
}

// stateAt returns the state of a point, for a side.
func stateAt(p *position.Position, at position.Point, own position.Side) int {
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

// index returns the index of a pattern at a place.
func (b *Board) index(place patternPlace) (index uint16) {
	for i := len(place) - 1; i >= 0; i-- {
		index = index*pointStates + uint16(b[place[i]])
	}
	return index
}

// Features is a position as weights see it, for the side to move.
type Features struct {
	Indexes     [PatternCount][]uint16 // by pattern: the index at each of its places
	Own, Theirs int                    // rings removed
	Stage       Stage
}

// FeaturesOf returns the features of a position whose game is not over.
func FeaturesOf(p *position.Position) *Features {
	us := p.SideToMove()
	board := BoardOf(p, us)
	f := &Features{}
	f.Set(&board, StageOf(p, us), p.Removed(us), p.Removed(us.Opponent()))
	return f
}

// Set sets f to the features of a board of the side to move at a stage, with so many
// rings removed by it and by the other side. It uses the memory of f again.
func (f *Features) Set(board *Board, stage Stage, own, theirs int) {
	for k := range f.Indexes {
		indexes := f.Indexes[k][:0]
		for _, place := range patternPlaces[k] {
			indexes = append(indexes, board.index(place))
		}
		f.Indexes[k] = indexes
	}
	f.Own, f.Theirs, f.Stage = own, theirs, stage
}

// Markers returns the number of markers.
func (b *Board) Markers() (count int) {
	for _, state := range b {
		if state == ownMarker || state == theirMarker {
			count++
		}
	}
	return count
}
