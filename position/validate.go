package position

// validate checks that the position, with a score that can be, can stand
// between two turns. Fields are the words that it was read from.
func (p *Position) validate(fields []string) *Error {
	if err := p.validateRings(fields); err != nil {
		return err
	}
	if p.onBoard > MarkersInGame {
		return fail("board", fields[0], "%d markers, and the game has only %d", p.onBoard, MarkersInGame)
	}
	if waiting := p.side.Opponent(); p.HasRow(waiting) && !p.Over() {
		var list [mostRows]Row
		return fail("board", fields[0], "%s has a row, %s, and is not to move", waiting, p.Rows(waiting, list[:0])[0])
	}
	return nil
}

// validateScore checks the rings removed.
func (p *Position) validateScore(field string) *Error {
	wins := winningRings[p.rules&1]
	for s := range Side(2) {
		if p.removed[s] > wins {
			return fail("score", field, "%s has removed %d rings, and %d win the game", s, p.removed[s], wins)
		}
	}
	if p.removed[White] == wins && p.removed[Black] == wins {
		return fail("score", field, "both sides have removed the %d rings that win", wins)
	}
	return nil
}

// validateRings checks the rings on the board against those removed and the
// phase of the game.
func (p *Position) validateRings(fields []string) *Error {
	var played [2]int
	for s := range Side(2) {
		played[s] = p.rings[s].Count() + int(p.removed[s])
		if played[s] > RingsPerSide {
			return fail("board", fields[0], "%s has %d rings with the %d removed, and there are only %d", s, played[s], p.removed[s], RingsPerSide)
		}
	}
	if played[White] == RingsPerSide && played[Black] == RingsPerSide {
		return nil
	}
	switch {
	case p.removed[White]+p.removed[Black] > 0:
		return fail("score", fields[2], "rings are removed while rings are still to be placed")
	case p.onBoard > 0:
		return fail("board", fields[0], "%d markers while rings are still to be placed", p.onBoard)
	case played[White] != played[Black]+int(p.side):
		return fail("side", fields[1], "with %d white and %d black rings placed it cannot be the turn of %s", played[White], played[Black], p.side)
	}
	return nil
}
