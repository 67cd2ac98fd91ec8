package evaluation

import "gyre/position"

// Accumulator holds the index of each window of a position and the sum of their
// worth for White. It is a plain value, kept up from a position to the next at
// the price of the points that changed.
type Accumulator struct {
	index [128]uint16 // by position.Row; the room above RowCount spares a bounds check
	sum   int32
}

// Reset sets a up for a position from scratch.
func (a *Accumulator) Reset(p *position.Position) {
	*a = Accumulator{}
	for row := range position.Row(position.RowCount) {
		power := uint16(1)
		for b := row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
			a.index[row] += power * stateAt(p, b.First(), position.White)
			power *= states
		}
		a.sum += int32(weights[a.index[row]])
	}
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it.
func (a *Accumulator) Update(parent *Accumulator, before, after *position.Position) {
	*a = *parent
	changed := changedPoints(before, after)
	for ; !changed.IsEmpty(); changed = changed.WithoutFirst() {
		at := changed.First()
		a.change(at, stateAt(after, at, position.White)-stateAt(before, at, position.White))
	}
}

// UpdateMove is Update for a turn that is just a ring move, of which it is known
// what changes: the ring leaves a marker and comes to a vacant point, and the
// markers between change colour.
func (a *Accumulator) UpdateMove(parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	a.change(t.From(), markerState[side]-ringState[side])
	a.change(t.To(), ringState[side]-vacant)
	own := before.Markers(side)
	for b := before.Flipped(t); !b.IsEmpty(); b = b.WithoutFirst() {
		at := b.First()
		if own.Has(at) {
			a.change(at, markerState[side^1]-markerState[side])
		} else {
			a.change(at, markerState[side]-markerState[side^1])
		}
	}
}

// change adds a difference of states, which may be negative and wraps around,
// to a point.
func (a *Accumulator) change(at position.Point, difference uint16) {
	windows := &incidences[at&127]
	sum := a.sum
	for i := range windows.list[:windows.count] {
		w := &windows.list[i]
		index := &a.index[w.row&127]
		sum -= int32(weights[*index&(windowTable-1)])
		*index += difference * w.power
		sum += int32(weights[*index&(windowTable-1)])
	}
	a.sum = sum
}

// RingWorth returns what the windows through a point with a ring are worth for
// White more than they would be without it, in centipawns. The ring may have
// moved since: the point it moved to has nothing to lose then.
func (a *Accumulator) RingWorth(at position.Point) int {
	windows := &incidences[at&127]
	worth := int32(0)
	for _, w := range windows.list[:windows.count] {
		index := a.index[w.row&127]
		digit := index / w.power % states
		worth += int32(weights[index&(windowTable-1)]) - int32(weights[(index-digit*w.power)&(windowTable-1)])
	}
	return int(worth) / windowUnit
}

// The states of a point with a ring and with a marker, by side.
var (
	ringState   = [2]uint16{whiteRing, blackRing}
	markerState = [2]uint16{whiteMarker, blackMarker}
)

// changedPoints returns the points on which two positions differ.
func changedPoints(p, q *position.Position) position.Bitboard {
	return p.Rings(position.White).Xor(q.Rings(position.White)).
		Or(p.Rings(position.Black).Xor(q.Rings(position.Black))).
		Or(p.Markers(position.White).Xor(q.Markers(position.White))).
		Or(p.Markers(position.Black).Xor(q.Markers(position.Black)))
}
