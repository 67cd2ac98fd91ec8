package evaluation

import "gyre/position"

// Accumulator holds the index of each stretch of a position and the sum of what
// its windows are worth, for either side to move. It is a plain value, kept up
// from a position to the next at the price of the points that changed. It
// belongs to the evaluator that set it up.
type Accumulator struct {
	index [stretchesRoom]uint32
	sum   [2]int32 // by the side to move, in WindowUnit-ths of a centipawn
}

// Reset sets a up for a position from scratch.
func (e *Evaluator) Reset(a *Accumulator, p *position.Position) {
	*a = Accumulator{index: emptyIndexes}
	for _, index := range a.index[:stretchCount] {
		for side, worth := range e.stretches[index%stretchTable] {
			a.sum[side] += int32(worth)
		}
	}
	for b := p.Vacant().Xor(position.Board()); !b.IsEmpty(); b = b.WithoutFirst() {
		at := b.First()
		e.change(a, at, int32(stateAt(p, at, position.White))-vacant)
	}
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it. The turn may be in the making, see [position.Partial]: its
// parts so far count. All that it changes is known from the position before, and
// an index is a sum over its points, so the order does not matter.
func (e *Evaluator) Update(a, parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	var gone position.Bitboard // before the ring move
	for i := range t.Removals() {
		removal := t.Removal(i)
		e.remove(a, side, removal)
		if i < t.Before() {
			gone = gone.Or(removal.Row.Points())
		}
	}
	switch t.Kind() {
	case position.Place:
		e.change(a, t.To(), ringState[side]-vacant)
	case position.Move:
		e.move(a, before, t, gone)
	}
}

// move takes the ring move of a turn in: the ring leaves a marker and comes to a
// vacant point, and the markers between change colour, but for those that were
// taken off before.
func (e *Evaluator) move(a *Accumulator, before *position.Position, t position.Turn, gone position.Bitboard) {
	side := before.SideToMove() & 1
	along, _ := position.DirectionOf(t.From(), t.To())
	line := e.cross(a, t.From(), along, markerState[side]-ringState[side])
	line.add(e.cross(a, t.To(), along, ringState[side]-vacant))
	own, turned := before.Markers(side), markerState[side]-markerState[side^1]
	for b := before.Flipped(t).AndNot(gone); !b.IsEmpty(); b = b.WithoutFirst() {
		at, difference := b.First(), turned
		if own.Has(at) {
			difference = -turned
		}
		line.add(e.cross(a, at, along, difference))
	}
	e.alter(a, t.From(), along, line)
}

// remove takes a row and a ring of a side off.
func (e *Evaluator) remove(a *Accumulator, side position.Side, r position.Removal) {
	first, last := r.Row.Ends()
	along, _ := position.DirectionOf(first, last)
	var line lineChange
	for b := r.Row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
		line.add(e.cross(a, b.First(), along, vacant-markerState[side]))
	}
	e.alter(a, first, along, line)
	e.change(a, r.Ring, vacant-ringState[side])
}

// lineChange is what is added to the indexes of the stretches of a line. The
// points of a ring move and of a row share a line: their changes there are
// gathered and done at once.
type lineChange [2]int32

// add adds another change of the same line.
func (c *lineChange) add(d lineChange) {
	c[0] += d[0]
	c[1] += d[1]
}

// alter changes the stretches of the line through a point.
func (e *Evaluator) alter(a *Accumulator, at position.Point, along position.Direction, c lineChange) {
	line := &places[at&127][along&3]
	e.add(a, line[0].stretch, c[0])
	e.add(a, line[1].stretch, c[1])
}

// crossing holds the two other directions for each.
var crossing = [4][2]uint8{
	position.AlongColumn: {uint8(position.AlongNumber), uint8(position.AlongThird)},
	position.AlongNumber: {uint8(position.AlongColumn), uint8(position.AlongThird)},
	position.AlongThird:  {uint8(position.AlongColumn), uint8(position.AlongNumber)},
}

// cross adds a difference of states to a point in the lines through it but the
// one along a direction, and returns the change of that one.
func (e *Evaluator) cross(a *Accumulator, at position.Point, along position.Direction, difference int32) lineChange {
	lines := &places[at&127]
	d := &crossing[along&3]
	one, two, line := &lines[d[0]&3], &lines[d[1]&3], &lines[along&3]
	e.add(a, one[0].stretch, difference*one[0].power)
	e.add(a, one[1].stretch, difference*one[1].power)
	e.add(a, two[0].stretch, difference*two[0].power)
	e.add(a, two[1].stretch, difference*two[1].power)
	return lineChange{difference * line[0].power, difference * line[1].power}
}

// change adds a difference of states to a point.
func (e *Evaluator) change(a *Accumulator, at position.Point, difference int32) {
	for d := range position.Directions {
		for _, place := range &places[at&127][d] {
			e.add(a, place.stretch, difference*place.power)
		}
	}
}

// add adds to the index of a stretch.
func (e *Evaluator) add(a *Accumulator, stretch uint32, difference int32) {
	index := &a.index[stretch%stretchesRoom]
	old := &e.stretches[*index%stretchTable]
	*index += uint32(difference)
	now := &e.stretches[*index%stretchTable]
	a.sum[0] += int32(now[0]) - int32(old[0])
	a.sum[1] += int32(now[1]) - int32(old[1])
}

// Windows returns what the windows are worth for a side when it is to move, in
// centipawns: the part of the evaluation that needs no position.
func (e *Evaluator) Windows(a *Accumulator, toMove position.Side) int {
	return int(a.sum[toMove&1]) / WindowUnit
}

// RingWorth returns by how much more the windows through a ring are worth than
// without it, for a side when it is to move, in centipawns.
func (e *Evaluator) RingWorth(a *Accumulator, at position.Point, owner, toMove position.Side) int {
	worth := int32(0)
	for d := range position.Directions {
		for _, place := range &places[at&127][d] {
			index := a.index[place.stretch%stretchesRoom]
			without := index - uint32(ringState[owner&1]*place.power)
			worth += int32(e.stretches[index%stretchTable][toMove&1]) - int32(e.stretches[without%stretchTable][toMove&1])
		}
	}
	return int(worth) / WindowUnit
}

// The states of a point with a ring and with a marker, for White, by their side.
var (
	ringState   = [2]int32{ownRing, theirRing}
	markerState = [2]int32{ownMarker, theirMarker}
)
