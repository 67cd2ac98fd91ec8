package position

import "math/bits"

// Turns appends all legal turns to dst, each once; two orders of taking the
// same rows off are two turns. There are none when the game is over. The order
// follows from the position alone. Nothing is allocated while dst has room:
// 128 turns do for nearly every position of a real game, and no number bounds
// what several rows at once can make.
func (p *Position) Turns(dst []Turn) []Turn {
	switch {
	case p.decided():
		return dst
	case p.Placing():
		return p.appendPlacings(dst)
	case !p.mayCompleteRow():
		return p.appendMiddle(dst, None, false)
	default:
		return p.appendRemovals(dst, None)
	}
}

// appendPlacings appends placing a ring on each vacant point.
func (p *Position) appendPlacings(dst []Turn) []Turn {
	for b := p.Vacant(); !b.IsEmpty(); b = b.WithoutFirst() {
		dst = append(dst, placeTurn(b.First()))
	}
	return dst
}

// appendRemovals appends the turns that go on from t at a point where the rows
// of the side to move are taken off: at its start or after its ring move. The
// removal that wins ends the turn.
func (p *Position) appendRemovals(dst []Turn, t Turn) []Turn {
	if !p.HasRow(p.side) {
		if t.Kind() == RemovalsOnly {
			return p.appendMiddle(dst, t, true)
		}
		return append(dst, t)
	}
	var list [mostRows]Row
	for _, row := range p.Rows(p.side, list[:0]) {
		for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
			removal := Removal{Row: row, Ring: b.First()}
			child := *p
			child.remove(removal)
			if child.decided() {
				dst = append(dst, t.withRemoval(removal))
			} else {
				dst = child.appendRemovals(dst, t.withRemoval(removal))
			}
		}
	}
	return dst
}

// appendMiddle appends the turns that go on from t with a ring move, or what
// stands in its place. No row of the side to move is on the board. Without
// completing, no ring move makes a row.
func (p *Position) appendMiddle(dst []Turn, t Turn, completing bool) []Turn {
	if p.onBoard == MarkersInGame {
		return dst // with a removal in t the pool would not be empty
	}
	before := len(dst)
	if completing {
		dst = p.appendCompleting(dst, t)
	} else {
		dst = p.appendMoves(dst)
	}
	switch {
	case len(dst) > before:
		return dst
	case p.CanMove(p.side.Opponent()):
		return append(dst, t.with(passTurn))
	case t != None:
		return append(dst, t)
	}
	return dst
}

// appendMoves appends every ring move of the side to move as a turn of its own.
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

// appendCompleting appends every ring move of the side to move after t, with
// the removals that follow where it completes a row.
func (p *Position) appendCompleting(dst []Turn, t Turn) []Turn {
	fives := p.fives()
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		leavesFive := p.leavesFive(from)
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			to := targets.First()
			turn := t.with(moveTurn(from, to))
			flipped := between(from, to).And(p.AllMarkers())
			if (leavesFive || flipped.Meets(fives)) && p.completesRow(from, flipped) {
				child := *p
				child.moveRing(from, to)
				dst = child.appendRemovals(dst, turn)
			} else {
				dst = append(dst, turn)
			}
		}
	}
	return dst
}

// leavesFive tells whether five markers of either colour stand in a row once
// the ring at a point has left a marker there.
func (p *Position) leavesFive(from Point) bool {
	refs := &lineRefs[from&(padded-1)]
	return p.targetsOn(&refs[AlongColumn], AlongColumn).leavesFive() ||
		p.targetsOn(&refs[AlongNumber], AlongNumber).leavesFive() ||
		p.targetsOn(&refs[AlongThird], AlongThird).leavesFive()
}
