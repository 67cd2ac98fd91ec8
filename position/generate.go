package position

import (
	"math"
	"math/bits"
)

// Turns appends all legal turns to dst, each once, and none if the game is over. Two
// orders of removing the same rows are two turns. The order of the list depends only
// on the position. Turns allocates nothing while dst has room. A capacity of 128
// suffices for nearly every position of a real game. Turns that remove several rows
// are ordered choices: a position that somebody has set up can have more than a
// million. See [Position.CountTo].
func (p *Position) Turns(dst []Turn) []Turn {
	switch {
	case p.decided():
		return dst
	case p.Placing():
		return p.appendPlacings(dst)
	case p.mayCompleteRow():
		all := turnSink{list: dst}
		p.sinkRemovals(&all, None)
		return all.list
	case p.onBoard == MarkersInGame:
		return dst
	}
	before := len(dst)
	dst = p.appendMoves(dst)
	if len(dst) == before && p.CanMove(p.side.Opponent()) {
		dst = append(dst, passTurn)
	}
	return dst
}

// Count returns the number of legal turns, which is the number that [Position.Turns]
// appends. It lists turns only if a row can be completed.
func (p *Position) Count() int { return p.CountTo(math.MaxInt) }

// CountTo returns the number of legal turns, or most if there are more. It takes no
// longer than counting most turns, so it can check a position of somebody else before
// its turns are listed. most must be positive.
func (p *Position) CountTo(most int) int {
	n := 0
	switch {
	case p.decided():
	case p.Placing():
		n = p.Vacant().Count()
	case p.mayCompleteRow():
		all := turnSink{most: most}
		p.sinkRemovals(&all, None)
		n = all.count
	case p.onBoard == MarkersInGame:
	default:
		n = p.Mobility(p.side)
		if n == 0 && p.CanMove(p.side.Opponent()) {
			n = 1 // to pass
		}
	}
	return min(n, most)
}

// appendPlacings appends the turns that place a ring on a vacant point.
func (p *Position) appendPlacings(dst []Turn) []Turn {
	for b := p.Vacant(); !b.IsEmpty(); b = b.WithoutFirst() {
		dst = append(dst, placeTurn(b.First()))
	}
	return dst
}

// appendMoves appends every ring move of the side to move, as turns without removals.
func (p *Position) appendMoves(dst []Turn) []Turn {
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		refs := &lineRefs[from&(padded-1)]
		dst = appendMovesOn(dst, p.targetsOn(&refs[AlongColumn], AlongColumn), from, refs[AlongColumn].place, strideColumn)
		dst = appendMovesOn(dst, p.targetsOn(&refs[AlongNumber], AlongNumber), from, refs[AlongNumber].place, strideNumber)
		dst = appendMovesOn(dst, p.targetsOn(&refs[AlongThird], AlongThird), from, refs[AlongThird].place, strideThird)
	}
	return dst
}

// appendMovesOn appends the moves of a ring along one line.
func appendMovesOn(dst []Turn, targets lineTargets, from Point, place uint8, stride Point) []Turn {
	first := from - Point(place)*stride
	for places := targets.places(); places != 0; places &= places - 1 {
		dst = append(dst, moveTurn(from, first+Point(bits.TrailingZeros16(places))*stride))
	}
	return dst
}

// A quiet turn is a ring move without removals before or after it. Together with the
// turns of [Position.CompletingTurns], the quiet turns are all turns except placings
// and passes.

// QuietTurns appends the quiet turns to dst, in the order of [Position.Turns].
func (p *Position) QuietTurns(dst []Turn) []Turn {
	switch {
	case p.decided() || p.Placing() || p.onBoard == MarkersInGame:
		return dst
	case p.HasRow(p.side):
		return dst
	}
	var list [64]Turn
	return p.MovesBut(p.Completions(p.side, list[:0]), dst)
}

// MovesBut appends the ring moves of the side to move that are not in others, as
// turns without removals, in the order of [Position.Turns]. If others are its
// completions and it has no row on the board, these are its quiet turns. The game
// must not be over.
func (p *Position) MovesBut(others, dst []Turn) []Turn {
	if len(others) == 0 && !p.mayCompleteRow() {
		return p.appendMoves(dst)
	}
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		targets := p.Targets(from)
		for _, t := range others {
			if t.From() == from {
				targets = targets.AndNot(BitboardOf(t.To()))
			}
		}
		for ; !targets.IsEmpty(); targets = targets.WithoutFirst() {
			dst = append(dst, moveTurn(from, targets.First()))
		}
	}
	return dst
}

// Quiet reports whether t is a quiet turn of the position. Any value of t is allowed.
// It is far cheaper than [Position.Legal].
func (p *Position) Quiet(t Turn) bool {
	if t&^moveMask != 0 || t.Kind() != Move || p.decided() || p.Placing() || p.onBoard == MarkersInGame {
		return false
	}
	from, to := t.From(), t.To()
	if !p.rings[p.side].Has(from) || !p.reaches(from, to) {
		return false
	}
	return !p.mayCompleteRow() || !p.HasRow(p.side) && !p.completesRow(p.side, from, p.Flipped(t))
}

// Flipped returns the markers that a ring move flips.
func (p *Position) Flipped(t Turn) Bitboard {
	if t.Kind() != Move {
		return Bitboard{}
	}
	return Between(t.From(), t.To()).And(p.AllMarkers())
}

// reaches reports whether the ring at from can move to a point.
func (p *Position) reaches(from, to Point) bool {
	d, ok := DirectionOf(from, to)
	if !ok || !board.Has(to) {
		return false
	}
	ref := &lineRefs[from&(padded-1)][d]
	place := lineRefs[to&(padded-1)][d].place
	return p.targetsOn(ref, d).places()>>place&1 != 0
}

// Most turns complete no row, and these tests find that out cheaply. They rely on
// what a ring move can do: it removes no marker, adds one where the ring was, and
// flips markers of one line. So a new row of the mover contains the ring's point, or
// crosses the line of the move at a flipped marker that was the row's only marker of
// the other color. (On the line itself, the flipped markers are between the target
// and the ring's point or a vacant one. Five of them alone would have been a row of
// the opponent, who leaves none at the end of a turn.)

// mayCompleteRow reports whether the side to move may have a row now or after its
// ring move, because five adjacent points all hold markers or its rings. The result
// false is certain.
func (p *Position) mayCompleteRow() bool {
	return p.AllMarkers().Or(p.rings[p.side]).hasFive()
}

// HasRow reports whether s has a row on the board.
func (p *Position) HasRow(s Side) bool { return p.markers[s&1].hasFive() }

// gapMarkers returns the opponent's markers that would make a row of s if flipped:
// each is the only one of its color among five adjacent markers.
func (p *Position) gapMarkers(s Side) (gaps Bitboard) {
	markers, theirs := p.AllMarkers(), p.markers[s.Opponent()]
	for d := range Direction(Directions) {
		firsts := markers.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			inRow := theirs.And(rows.points[rows.at[d][firsts.First()&(padded-1)]%RowCount])
			if inRow.Count() == 1 {
				gaps = gaps.Or(inRow)
			}
		}
	}
	return gaps
}

// completesRow reports whether s has a row after a ring at from jumps over the
// markers flipped.
func (p *Position) completesRow(s Side, from Point, flipped Bitboard) bool {
	return p.markers[s].Xor(flipped).Or(BitboardOf(from)).hasFive()
}

// Completions appends the ring moves of s that make a row of s, as turns without
// removals, as if it were its turn. For the side that is not to move these are its
// threats. s must have no row on the board.
func (p *Position) Completions(s Side, dst []Turn) []Turn {
	s &= 1
	rings, gaps := p.mayComplete(s)
	for ; !rings.IsEmpty(); rings = rings.WithoutFirst() {
		from := rings.First()
		completing := p.completing(s, from, gaps)
		if completing.none() {
			continue
		}
		for d, places := range completing {
			for ; places != 0; places &= places - 1 {
				dst = append(dst, moveTurn(from, pointOnLine(from, Direction(d), places)))
			}
		}
	}
	return dst
}

// CanComplete reports whether s has any [Position.Completions].
func (p *Position) CanComplete(s Side) bool {
	s &= 1
	rings, gaps := p.mayComplete(s)
	for ; !rings.IsEmpty(); rings = rings.WithoutFirst() {
		if completing := p.completing(s, rings.First(), gaps); !completing.none() {
			return true
		}
	}
	return false
}

// mayComplete returns the rings of s that may make a row by moving, and the gap
// markers of s.
func (p *Position) mayComplete(s Side) (rings, gaps Bitboard) {
	filled := p.AllMarkers().Or(p.rings[s])
	if !filled.hasFive() {
		return Bitboard{}, Bitboard{}
	}
	rings, gaps = p.rings[s], p.gapMarkers(s)
	if gaps.IsEmpty() { // a ring can make a row only by leaving five markers in a row
		rings = rings.And(filled.inFives())
	}
	return rings, gaps
}

// linePlaces holds places on the three lines through a point, one bit each, by
// direction.
type linePlaces [Directions]uint16

func (l linePlaces) none() bool { return l[0]|l[1]|l[2] == 0 }

// points returns the set as points, for lines through the given point.
func (l linePlaces) points(through Point) (set Bitboard) {
	for d, places := range l {
		for ; places != 0; places &= places - 1 {
			set = set.Or(BitboardOf(pointOnLine(through, Direction(d), places)))
		}
	}
	return set
}

// pointOnLine returns the point at the lowest of the given places on a line.
func pointOnLine(through Point, d Direction, places uint16) Point {
	first := through - Point(lineRefs[through&(padded-1)][d].place)*Point(strides[d])
	return first + Point(bits.TrailingZeros16(places))*Point(strides[d])
}

// completing returns where the ring of s at from can move to make a row of s, given
// the gap markers of s. s must have no row on the board. The markers a move flips are
// on its own line. So there are three cases. If the ring leaves a row on another
// line, every move completes it. If it leaves a row on the line of the move, the
// moves that flip nothing complete it. Otherwise only flips can complete a row: of
// gap markers, or on a line where the ring leaves five markers of any color.
func (p *Position) completing(s Side, from Point, gaps Bitboard) (completing linePlaces) {
	refs := &lineRefs[from&(padded-1)]
	targets := [Directions]lineTargets{p.targetsOn(&refs[0], 0), p.targetsOn(&refs[1], 1), p.targetsOn(&refs[2], 2)}
	var leaves [Directions]bool // a row of s
	rows := 0
	for d := range leaves {
		if targets[d].leavesFive() && p.markers[s].Or(BitboardOf(from)).anyFive(uint(strides[d])) != 0 {
			leaves[d] = true
			rows++
		}
	}
	if rows == 0 && gaps.IsEmpty() && !targets[0].leavesFive() && !targets[1].leavesFive() && !targets[2].leavesFive() {
		return linePlaces{}
	}
	markers := p.AllMarkers()
	for d := range Direction(Directions) {
		onLine := targets[d].leavesFive()
		switch {
		case rows > 1 || rows == 1 && !leaves[d]:
			completing[d] = targets[d].places()
			continue
		case !onLine && !linePoints[from&(padded-1)][d].Meets(gaps):
			continue
		}
		for places := targets[d].places(); places != 0; places &= places - 1 {
			flipped := Between(from, pointOnLine(from, d, places)).And(markers)
			completes := leaves[d]
			if !flipped.IsEmpty() {
				completes = (onLine || flipped.Meets(gaps)) && p.completesRow(s, from, flipped)
			}
			if completes {
				completing[d] |= places & -places
			}
		}
	}
	return completing
}

// turnSink collects the turns of a position in which rows may be removed. It lists
// them, or only counts them up to a number.
type turnSink struct {
	list  []Turn
	count int
	most  int // count no further; 0 to list
}

func (s *turnSink) add(t Turn) {
	s.count++
	if s.most == 0 {
		s.list = append(s.list, t)
	}
}

// full reports whether the sink counts no further.
func (s *turnSink) full() bool { return s.most > 0 && s.count >= s.most }

// sinkRemovals collects all turns that continue t where the side to move removes
// rows: before or after its ring move. A removal that wins ends the turn.
func (p *Position) sinkRemovals(sink *turnSink, t Turn) {
	if !p.HasRow(p.side) {
		if t.Kind() == RemovalsOnly {
			p.sinkMiddle(sink, t)
		} else {
			sink.add(t)
		}
		return
	}
	var list [maxRows]Row
	for _, row := range p.Rows(p.side, list[:0]) {
		if sink.full() {
			return
		}
		p.sinkPayments(sink, t, row)
	}
}

// sinkPayments collects all turns that continue t by removing row, for each ring that
// can pay for it.
func (p *Position) sinkPayments(sink *turnSink, t Turn, row Row) {
	left := p.markers[p.side].AndNot(row.Points())
	last := p.removed[p.side]+1 >= winningRings[p.rules&1] || t.Kind() != RemovalsOnly && !left.hasFive()
	var child Position
	for b := p.rings[p.side]; !b.IsEmpty() && !sink.full(); b = b.WithoutFirst() {
		removal := Removal{Row: row, Ring: b.First()}
		if last { // the turn ends here: the board after it does not matter
			sink.add(t.withRemoval(removal))
			continue
		}
		child = *p
		child.remove(removal)
		child.sinkRemovals(sink, t.withRemoval(removal))
	}
}

// sinkMiddle collects all turns that continue t, which has no middle part yet, with a
// ring move, a pass or the end of the game. The side to move has no row on the board.
func (p *Position) sinkMiddle(sink *turnSink, t Turn) {
	if p.onBoard == MarkersInGame {
		return // the game is over; if t had a removal, the pool would not be empty
	}
	before := sink.count
	p.sinkMoves(sink, t)
	switch {
	case sink.count > before:
	case p.CanMove(p.side.Opponent()):
		sink.add(t.with(passTurn))
	case t != None:
		sink.add(t)
	}
}

// sinkMoves collects every ring move after t, with the removals that follow if it
// completes a row.
func (p *Position) sinkMoves(sink *turnSink, t Turn) {
	gaps := p.gapMarkers(p.side)
	var child Position
	for b := p.rings[p.side]; !b.IsEmpty() && !sink.full(); b = b.WithoutFirst() {
		from := b.First()
		completing := p.completing(p.side, from, gaps)
		if sink.most > 0 && completing.none() {
			sink.count += p.mobilityOf(from)
			continue
		}
		rows := completing.points(from)
		for targets := p.Targets(from); !targets.IsEmpty() && !sink.full(); targets = targets.WithoutFirst() {
			to := targets.First()
			turn := t.with(moveTurn(from, to))
			if !rows.Has(to) {
				sink.add(turn)
				continue
			}
			child = *p
			child.moveRing(from, to)
			child.sinkRemovals(sink, turn)
		}
	}
}

// CompletingTurns appends the legal turns that remove a row: all turns if the
// opponent has made a row for the side to move, otherwise the turns that complete
// one. It appends none while rings are placed or when the game is over.
func (p *Position) CompletingTurns(dst []Turn) []Turn {
	if p.decided() || p.onBoard == MarkersInGame && !p.HasRow(p.side) {
		return dst
	}
	if p.HasRow(p.side) {
		sink := turnSink{list: dst}
		p.sinkRemovals(&sink, None)
		return sink.list
	}
	var list [64]Turn
	return p.RowTakings(p.Completions(p.side, list[:0]), dst)
}

// RowTakings appends the turns that start with one of the completions, which come from
// [Position.Completions] for the side to move, and then remove rows. The pool must
// not be empty.
func (p *Position) RowTakings(completions, dst []Turn) []Turn {
	sink := turnSink{list: dst}
	var child Position
	for _, t := range completions {
		child = *p
		child.moveRing(t.From(), t.To())
		child.sinkRemovals(&sink, t)
	}
	return sink.list
}
