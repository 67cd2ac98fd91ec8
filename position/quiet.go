package position

// A quiet turn is a ring move that takes no row off, neither before nor after
// it. Searches tell them from the turns of [Position.CompletingTurns]; the two
// together, placing and passing aside, are all turns.

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

// MovesBut appends the ring moves of the side to move, as turns without removals, but
// those given, in the order of [Position.Turns]. Without its completions, where there is no
// row of it on the board, they are its quiet turns. The game must not be over.
func (p *Position) MovesBut(others, dst []Turn) []Turn {
	if len(others) == 0 && !p.mayCompleteRow() {
		return p.appendMoves(dst)
	}
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		targets := p.Targets(from)
		for _, t := range others {
			if t.From() == from {
				targets = targets.AndNot(pointSet(t.To()))
			}
		}
		for ; !targets.IsEmpty(); targets = targets.WithoutFirst() {
			dst = append(dst, moveTurn(from, targets.First()))
		}
	}
	return dst
}

// Quiet tells whether t, which may be any word, is a quiet turn of the
// position. It is far cheaper than [Position.Legal].
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
	return between(t.From(), t.To()).And(p.AllMarkers())
}

// reaches tells whether a ring at a point can end its move at another.
func (p *Position) reaches(from, to Point) bool {
	d, ok := DirectionOf(from, to)
	if !ok || !board.Has(to) {
		return false
	}
	ref := &lineRefs[from&(padded-1)][d]
	place := lineRefs[to&(padded-1)][d].place
	return p.targetsOn(ref, d).places()>>place&1 != 0
}
