package evaluation

import "gyre/position"

// Accumulator holds the lines of a position, its stage, and the sum of what its
// patterns and what counts beside them are worth, for either side to move. It is a
// plain value, updated from a position to the next at the price of the points that
// changed. It belongs to the evaluator that set it up.
type Accumulator struct {
	lines [boardLines]uint32
	stage Stage // for White
	sum   pair
}

// Reset sets a up for a position from scratch.
func (e *Evaluator) Reset(a *Accumulator, p *position.Position) {
	*a = Accumulator{lines: emptyLines}
	for b := p.Vacant().Xor(position.Board()); !b.IsEmpty(); b = b.WithoutFirst() {
		at := b.First()
		a.alterLines(at, uint32(stateAt(p, at, position.White)))
	}
	e.sumAnew(a, StageOf(p, position.White), p.Removed(position.White), p.Removed(position.Black))
}

// sumAnew sets the stage, and the sum to that of all lines, with so many rings
// removed.
func (e *Evaluator) sumAnew(a *Accumulator, stage Stage, white, black int) {
	a.stage = stage
	beside := e.beside[stage][min(white, besideStates-1)][min(black, besideStates-1)]
	a.sum = beside + e.worths[stage].sumOfLines(&a.lines)
}

// Update sets a up for the position after a turn, from the accumulator of the
// position before it. A turn in the making will do as well. All that it changes
// is known from the position before; and as states are changed by exclusive or,
// it does not matter in which order.
func (e *Evaluator) Update(a, parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	switch {
	case t.Removals() > 0:
		a.alterByRemovals(side, before, t)
		removed := [2]int{before.Removed(position.White), before.Removed(position.Black)}
		removed[side] += t.Removals()
		e.sumAnew(a, a.stage.then(removed[position.White], removed[position.Black]), removed[position.White], removed[position.Black])
	case t.Kind() == position.Place:
		a.changeRing(&e.worths[a.stage], t.To(), side)
	case t.Kind() == position.Move:
		if stage := a.stageAfterMove(before); stage != a.stage {
			e.sumAnew(a, stage, before.Removed(position.White), before.Removed(position.Black))
		}
		a.moveRing(&e.worths[a.stage], side, t, before.Flipped(t))
	}
}

// stageAfterMove returns the stage after a ring move that takes no row off, for
// White: it brings one more marker.
func (a *Accumulator) stageAfterMove(before *position.Position) Stage {
	if a.stage == Opening && position.MarkersInGame-before.Pool()+1 >= openingMarkers {
		return a.stage.then(before.Removed(position.White), before.Removed(position.Black))
	}
	return a.stage
}

// alterByRemovals changes the states of all points that a turn with removals
// changes, but not the sum.
func (a *Accumulator) alterByRemovals(side position.Side, before *position.Position, t position.Turn) {
	var gone position.Bitboard // before the ring moves
	for i := range t.Removals() {
		removal := t.Removal(i)
		for _, c := range &rowChanges[removal.Row%position.RowCount] {
			a.lines[c.line] ^= c.ones * markerState[side]
		}
		a.alterLines(removal.Ring, ringState[side])
		if i < t.Before() {
			gone = gone.Or(removal.Row.Points())
		}
	}
	if t.Kind() == position.Move {
		a.alterByMove(side, t, before.Flipped(t).AndNot(gone))
	}
}

// alterByMove changes the states of all points that a ring move changes, but not
// the sum: the ring leaves a marker and comes to a vacant point, and the markers
// between change colour.
func (a *Accumulator) alterByMove(side position.Side, t position.Turn, flipped position.Bitboard) {
	a.alterLines(t.From(), ringState[side]^markerState[side])
	a.alterLines(t.To(), ringState[side])
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		a.alterLines(flipped.First(), markerState[0]^markerState[1])
	}
}

// alterLines changes the state of a point by an exclusive or, but not the sum.
func (a *Accumulator) alterLines(at position.Point, by uint32) {
	for _, place := range &places[at&127] {
		a.lines[place.line] ^= by << (place.shift & 31)
	}
}

// moveRing takes a ring move in, with the sum.
func (a *Accumulator) moveRing(worths *table, side position.Side, t position.Turn, flipped position.Bitboard) {
	along, _ := position.DirectionOf(t.From(), t.To())
	line := a.cross(worths, t.From(), along, ringState[side]^markerState[side])
	line ^= a.cross(worths, t.To(), along, ringState[side])
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		line ^= a.cross(worths, flipped.First(), along, markerState[0]^markerState[1])
	}
	word := &a.lines[places[t.From()&127][along%position.Directions].line]
	now := *word ^ line
	a.sum += worths.sumOfLine(uint64(now)) - worths.sumOfLine(uint64(*word))
	*word = now
}

// cross changes the state of a point on the two lines that cross a direction,
// and returns the change of the line along it.
func (a *Accumulator) cross(worths *table, at position.Point, along position.Direction, by uint32) uint32 {
	lines := &places[at&127]
	others := &crossing[along%position.Directions]
	a.changeOn(worths, lines[others[0]], by)
	a.changeOn(worths, lines[others[1]], by)
	return by << (lines[along%position.Directions].shift & 31)
}

// crossing are the two other directions for each.
var crossing = [position.Directions][2]uint8{{1, 2}, {0, 2}, {0, 1}}

// changeRing puts a ring of a side on a vacant point, or takes it off.
func (a *Accumulator) changeRing(worths *table, at position.Point, side position.Side) {
	for _, place := range &places[at&127] {
		a.changeOn(worths, place, ringState[side])
	}
}

// changeOn changes the state of a point on one of its lines.
func (a *Accumulator) changeOn(worths *table, at place, by uint32) {
	a.sum += worths.gain(a, at, by)
	a.lines[at.line] ^= by << (at.shift & 31)
}

// Evaluate returns the worth of a position for the side to move in centipawns,
// computed from scratch. The game must not be over.
func (e *Evaluator) Evaluate(p *position.Position) int {
	var a Accumulator
	e.Reset(&a, p)
	return a.Score(p.SideToMove())
}

// Score returns what [Evaluator.Evaluate] does of the position, if that side is to
// move.
func (a *Accumulator) Score(toMove position.Side) int { return a.sum.score(toMove) }

// The states of a point with a ring and with a marker, for White, by their side.
var (
	ringState   = [2]uint32{ownRing, theirRing}
	markerState = [2]uint32{ownMarker, theirMarker}
)
