package evaluation

import "gyre/position"

// Accumulator holds the lines of a position and the sum of what its windows are
// worth, for either side to move. It is a plain value, kept up from a position
// to the next at the price of the points that changed. It belongs to the
// evaluator that set it up.
type Accumulator struct {
	lines [boardLines]uint32
	sum   pair
}

// Reset sets a up for a position from scratch.
func (e *Evaluator) Reset(a *Accumulator, p *position.Position) {
	*a = Accumulator{lines: emptyLines}
	for b := p.Vacant().Xor(position.Board()); !b.IsEmpty(); b = b.WithoutFirst() {
		at := b.First()
		state := uint32(stateAt(p, at, position.White))
		for _, place := range places[at] {
			a.lines[place.line] |= state << place.shift
		}
	}
	for _, line := range a.lines {
		for range linePoints - position.RowLength + 1 {
			a.sum += e.windows[line&windowMask]
			line >>= pointBits
		}
	}
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it. They need not be a turn apart, but the fewer points
// changed the sooner it is done.
func (e *Evaluator) Update(a, parent *Accumulator, before, after *position.Position) {
	*a = *parent
	var rings, markers [2]position.Bitboard
	for s := range rings {
		rings[s] = before.Rings(position.Side(s)).Xor(after.Rings(position.Side(s)))
		markers[s] = before.Markers(position.Side(s)).Xor(after.Markers(position.Side(s)))
	}
	changed := rings[0].Or(rings[1]).Or(markers[0]).Or(markers[1])
	for ; !changed.IsEmpty(); changed = changed.WithoutFirst() {
		at := changed.First()
		e.change(a, at, ringState[0]*has(rings[0], at)^ringState[1]*has(rings[1], at)^
			markerState[0]*has(markers[0], at)^markerState[1]*has(markers[1], at))
	}
}

// UpdateMove is Update for a turn that is just a ring move, of which it is known
// what changes: the ring leaves a marker and comes to a vacant point, and the
// markers between change colour.
func (e *Evaluator) UpdateMove(a, parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	e.change(a, t.From(), ringState[side]^markerState[side])
	e.change(a, t.To(), ringState[side]^vacant)
	for b := before.Flipped(t); !b.IsEmpty(); b = b.WithoutFirst() {
		e.change(a, b.First(), markerState[0]^markerState[1])
	}
}

// change changes the state of a point by an exclusive or.
func (e *Evaluator) change(a *Accumulator, at position.Point, by uint32) {
	for _, place := range &places[at&127] {
		line := &a.lines[place.line]
		old := around(*line, place)
		*line ^= by << (place.shift & 31)
		a.sum += e.five(old^uint64(by)<<marginBits) - e.five(old)
	}
}

// five returns the worth of the five windows in a stretch of nine points.
func (e *Evaluator) five(points uint64) pair {
	return e.windows[points&windowMask] +
		e.windows[points>>pointBits&windowMask] +
		e.windows[points>>(2*pointBits)&windowMask] +
		e.windows[points>>(3*pointBits)&windowMask] +
		e.windows[points>>(4*pointBits)&windowMask]
}

// RingWorth returns by how much more the windows through a point with a ring are
// worth than without it, for a side when it is to move, in centipawns. The ring
// may have moved since: the point it moved from has nothing to lose then.
func (e *Evaluator) RingWorth(a *Accumulator, at position.Point, toMove position.Side) int {
	var worth pair
	for _, place := range &places[at&127] {
		points := around(a.lines[place.line], place)
		worth += e.five(points) - e.five(points&^(beyond<<marginBits))
	}
	return worth.of(toMove) / WindowUnit
}

// has is one if a point is in a set, else zero.
func has(b position.Bitboard, at position.Point) uint32 {
	return uint32(b.Lo>>at|b.Hi>>(at-64)) & 1
}

// The states of a point with a ring and with a marker, for White, by their side.
var (
	ringState   = [2]uint32{ownRing, theirRing}
	markerState = [2]uint32{ownMarker, theirMarker}
)
