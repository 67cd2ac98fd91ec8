package evaluation

import "gyre/position"

// Accumulator holds the index of each stretch of a position and the sum of their
// worth for White. It is a plain value, kept up from a position to the next at
// the price of the points that changed.
type Accumulator struct {
	index [64]uint32 // by stretch; the room above the last spares a bounds check
	sum   int32
}

// Reset sets a up for a position from scratch.
func (a *Accumulator) Reset(p *position.Position) {
	*a = Accumulator{index: firstIndexes}
	for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
		a.change(b.First(), int32(stateAt(p, b.First())))
	}
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it. Of the turn only the removals and the ring move or the
// placing count: all that they change is known from the position before. The
// indexes are sums over the points, so the order does not matter.
func (a *Accumulator) Update(parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	var gone position.Bitboard // before the move
	for i := range t.Removals() {
		removal := t.Removal(i)
		a.remove(side, removal)
		if i < t.Before() {
			gone = gone.Or(removal.Row.Points())
		}
	}
	switch t.Kind() {
	case position.Place:
		a.change(t.To(), ringState[side]-vacant)
	case position.Move:
		a.move(before, t, gone)
	}
}

// move takes the ring move of a turn in: the ring leaves a marker and comes to a
// vacant point, and the markers between change colour, but for those of the rows
// that were taken off before.
func (a *Accumulator) move(before *position.Position, t position.Turn, gone position.Bitboard) {
	side := before.SideToMove() & 1
	along, _ := position.DirectionOf(t.From(), t.To())
	ring, marker := ringState[side], markerState[side]
	line := a.cross(t.From(), along, marker-ring)
	line.add(a.cross(t.To(), along, ring-vacant))
	own, flip := before.Markers(side), marker-markerState[side^1]
	for b := before.Flipped(t).AndNot(gone); !b.IsEmpty(); b = b.WithoutFirst() {
		at, change := b.First(), flip
		if own.Has(at) {
			change = -flip
		}
		line.add(a.cross(at, along, change))
	}
	a.alter(t.From(), along, line)
}

// remove takes a row and a ring of a side off.
func (a *Accumulator) remove(side position.Side, r position.Removal) {
	first, last := r.Row.Ends()
	along, _ := position.DirectionOf(first, last)
	var line lineChange
	for b := r.Row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
		line.add(a.cross(b.First(), along, vacant-markerState[side]))
	}
	a.alter(first, along, line)
	a.change(r.Ring, vacant-ringState[side])
}

// lineChange is what is added to the indexes of the two stretches of a line.
type lineChange [2]int32

func (c *lineChange) add(d lineChange) {
	c[0] += d[0]
	c[1] += d[1]
}

// alter adds to the stretches of the line through a point.
func (a *Accumulator) alter(at position.Point, along position.Direction, c lineChange) {
	line := &incidences[at&127][along&3]
	a.add(line[0].stretch, c[0])
	a.add(line[1].stretch, c[1])
}

// cross adds a difference of states to the lines through a point but the one
// along a direction, and returns what it is for the two stretches of that one.
func (a *Accumulator) cross(at position.Point, along position.Direction, difference int32) lineChange {
	lines := &incidences[at&127]
	d := others[along&3]
	one, two := &lines[d[0]&3], &lines[d[1]&3]
	a.add(one[0].stretch, difference*one[0].power)
	a.add(one[1].stretch, difference*one[1].power)
	a.add(two[0].stretch, difference*two[0].power)
	a.add(two[1].stretch, difference*two[1].power)
	line := &lines[along&3]
	return lineChange{difference * line[0].power, difference * line[1].power}
}

var others = [4][2]uint8{{1, 2}, {0, 2}, {0, 1}}

// add adds to the index of a stretch.
func (a *Accumulator) add(stretch uint32, difference int32) {
	index := &a.index[stretch&63]
	old := *index
	now := old + uint32(difference)
	*index = now
	a.sum += int32(stretches[now%stretchStates]) - int32(stretches[old%stretchStates])
}

// change adds a difference of states, which may be negative and wraps around,
// to a point.
func (a *Accumulator) change(at position.Point, difference int32) {
	for d := range 3 {
		for _, s := range incidences[at&127][d] {
			a.add(s.stretch, difference*s.power)
		}
	}
}

// Windows returns what the windows are worth for a side, in centipawns: the part
// of the evaluation that the accumulator knows.
func (a *Accumulator) Windows(side position.Side) int {
	if side == position.Black {
		return -int(a.sum) / windowUnit
	}
	return int(a.sum) / windowUnit
}

// RingWorth returns what the windows through a point with a ring are worth for
// White more than they would be without it, in centipawns. The ring may have
// moved since: the point it moved to has nothing to lose then.
func (a *Accumulator) RingWorth(at position.Point, side position.Side) int {
	worth := int32(0)
	for d := range 3 {
		for _, s := range incidences[at&127][d] {
			index := a.index[s.stretch&63]
			worth += int32(stretches[index%stretchStates]) - int32(stretches[(index-uint32(ringState[side]*s.power))%stretchStates])
		}
	}
	return int(worth) / windowUnit
}

// The states of a point with a ring and with a marker, by side.
var (
	ringState   = [2]int32{whiteRing, blackRing}
	markerState = [2]int32{whiteMarker, blackMarker}
)

// stateAt returns the state of a point.
func stateAt(p *position.Position, at position.Point) uint16 {
	switch {
	case p.Rings(position.White).Has(at):
		return whiteRing
	case p.Markers(position.White).Has(at):
		return whiteMarker
	case p.Rings(position.Black).Has(at):
		return blackRing
	case p.Markers(position.Black).Has(at):
		return blackMarker
	}
	return vacant
}
