package evaluation

import "gyre/position"

// Accumulator holds the lines of a position and the sum of what its patterns are
// worth, for either side to move. It is a plain value, updated from a position to
// the next at the price of the points that changed. It belongs to the evaluator
// that set it up.
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
		a.sum += e.sumOfLine(uint64(line))
	}
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it. A turn in the making will do as well. All that it changes
// is known from the position before; and as states are changed by exclusive or,
// it does not matter in which order.
func (e *Evaluator) Update(a, parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	var gone position.Bitboard // before the ring moves
	for i := range t.Removals() {
		removal := t.Removal(i)
		e.removeRow(a, side, removal)
		if i < t.Before() {
			gone = gone.Or(removal.Row.Points())
		}
	}
	switch t.Kind() {
	case position.Place:
		e.change(a, t.To(), ringState[side])
	case position.Move:
		e.moveRing(a, side, t, before.Flipped(t).AndNot(gone))
	}
}

// moveRing takes a ring move in: the ring leaves a marker and comes to a vacant
// point, and the markers between change colour.
func (e *Evaluator) moveRing(a *Accumulator, side position.Side, t position.Turn, flipped position.Bitboard) {
	along, _ := position.DirectionOf(t.From(), t.To())
	line := e.cross(a, t.From(), along, ringState[side]^markerState[side])
	line ^= e.cross(a, t.To(), along, ringState[side])
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		line ^= e.cross(a, flipped.First(), along, markerState[0]^markerState[1])
	}
	e.alter(a, places[t.From()&127][along%position.Directions].line, line)
}

// removeRow takes a row and a ring of a side off.
func (e *Evaluator) removeRow(a *Accumulator, side position.Side, r position.Removal) {
	first, last := r.Row.Ends()
	along, _ := position.DirectionOf(first, last)
	line := uint32(0)
	for b := r.Row.Points(); !b.IsEmpty(); b = b.WithoutFirst() {
		line ^= e.cross(a, b.First(), along, markerState[side])
	}
	e.alter(a, places[first&127][along%position.Directions].line, line)
	e.change(a, r.Ring, ringState[side])
}

// change changes the state of a point by an exclusive or.
func (e *Evaluator) change(a *Accumulator, at position.Point, by uint32) {
	for d := range places[at&127] {
		e.changeOn(a, places[at&127][d], by)
	}
}

// cross changes the state of a point on the two lines that cross a direction,
// and returns the change of the line along it.
func (e *Evaluator) cross(a *Accumulator, at position.Point, along position.Direction, by uint32) uint32 {
	lines := &places[at&127]
	others := &crossing[along%position.Directions]
	e.changeOn(a, lines[others[0]], by)
	e.changeOn(a, lines[others[1]], by)
	return by << (lines[along%position.Directions].shift & 31)
}

// crossing are the two other directions for each.
var crossing = [position.Directions][2]uint8{{1, 2}, {0, 2}, {0, 1}}

// changeOn changes the state of a point on one of its lines.
func (e *Evaluator) changeOn(a *Accumulator, at place, by uint32) {
	word := &a.lines[at.line]
	a.sum += e.gain(a, at, by)
	*word ^= by << (at.shift & 31)
}

// alter changes the states of many points on a line.
func (e *Evaluator) alter(a *Accumulator, line uint8, by uint32) {
	old := uint64(a.lines[line])
	now := old ^ uint64(by)
	a.lines[line] = uint32(now)
	a.sum += e.sumOfLine(now) - e.sumOfLine(old)
}

// sumOfCodes returns the worth of the six codes in eleven points.
func (e *Evaluator) sumOfCodes(points uint64) pair {
	return e.worths[points&codeMask] +
		e.worths[points>>pointBits&codeMask] +
		e.worths[points>>(2*pointBits)&codeMask] +
		e.worths[points>>(3*pointBits)&codeMask] +
		e.worths[points>>(4*pointBits)&codeMask] +
		e.worths[points>>(5*pointBits)&codeMask]
}

// sumOfLine returns the worth of the codes of a line.
func (e *Evaluator) sumOfLine(line uint64) pair { return e.sumOfCodes(line | after) }

// gain returns by how much another state of a point changes the sum on a line.
func (e *Evaluator) gain(a *Accumulator, at place, by uint32) pair {
	old := around(a.lines[at.line], at)
	return e.sumOfCodes(old^uint64(by)<<marginBits) - e.sumOfCodes(old)
}

// Evaluate returns the worth of a position for the side to move in centipawns,
// computed from scratch. The game must not be over.
func (e *Evaluator) Evaluate(p *position.Position) int {
	var a Accumulator
	e.Reset(&a, p)
	return e.Score(&a, p)
}

// Score returns what Evaluate does of a position, from its accumulator.
func (e *Evaluator) Score(a *Accumulator, p *position.Position) int {
	us := p.SideToMove() & 1
	return e.score(a.sum, us, p.Removed(us), p.Removed(us^1))
}

// Worth returns what the patterns are worth for a side when it is to move, in
// centipawns: the part of the evaluation that the accumulator knows.
func (a *Accumulator) Worth(toMove position.Side) int { return a.sum.of(toMove) / FinestUnit }

// RingWorth returns by how much more the patterns through a point with a ring are
// worth than without the ring, for a side when it is to move, in centipawns. Of a
// point without a ring it is the worth of what stands there instead.
func (e *Evaluator) RingWorth(a *Accumulator, at position.Point, toMove position.Side) int {
	var worth pair
	for _, place := range &places[at&127] {
		points := around(a.lines[place.line], place)
		worth += e.sumOfCodes(points) - e.sumOfCodes(points&^(beyond<<marginBits))
	}
	return worth.of(toMove) / FinestUnit
}

// The states of a point with a ring and with a marker, for White, by their side.
var (
	ringState   = [2]uint32{ownRing, theirRing}
	markerState = [2]uint32{ownMarker, theirMarker}
)
