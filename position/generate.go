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

// Count returns the number of legal turns, exactly as many as [Position.Turns]
// appends, without listing them where no row can be completed.
func (p *Position) Count() int {
	switch {
	case p.decided():
		return 0
	case p.Placing():
		return p.Vacant().Count()
	case p.mayCompleteRow():
		all := turnSink{counting: true}
		p.sinkRemovals(&all, None)
		return all.count
	case p.onBoard == MarkersInGame:
		return 0
	}
	n := p.Mobility(p.side)
	if n == 0 && p.CanMove(p.side.Opponent()) {
		return 1 // to pass
	}
	return n
}

// appendPlacings appends placing a ring on each vacant point.
func (p *Position) appendPlacings(dst []Turn) []Turn {
	for b := p.Vacant(); !b.IsEmpty(); b = b.WithoutFirst() {
		dst = append(dst, placeTurn(b.First()))
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
