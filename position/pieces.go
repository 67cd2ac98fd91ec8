package position

// Pieces is all that tells a position from others; whatever else a [Position]
// keeps follows from it. It is for formats that hold positions by the million:
// people read and write [Parse] and [Position.String].
type Pieces struct {
	Rings, Markers [2]Bitboard // by side
	Removed        [2]int      // rings taken off as the price of a row, by side
	SideToMove     Side
	Rules          Rules
}

// Pieces returns what the position is made of.
func (p *Position) Pieces() Pieces {
	return Pieces{
		Rings: p.rings, Markers: p.markers, SideToMove: p.side, Rules: p.rules,
		Removed: [2]int{int(p.removed[White]), int(p.removed[Black])},
	}
}

// Position returns the position that the pieces make. It refuses what cannot
// stand between two turns, as [Parse] does; the error is an [*Error] of the
// field "board", "side", "score" or "rules".
func (c *Pieces) Position() (Position, error) {
	if err := c.check(); err != nil {
		return Position{}, err
	}
	p := Position{side: c.SideToMove, rules: c.Rules, removed: [2]uint8{uint8(c.Removed[White]), uint8(c.Removed[Black])}}
	err := p.validateScore("")
	if err == nil {
		p.setUp(c.Rings, c.Markers)
		err = p.validate([]string{"", "", ""})
	}
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

// check looks for what no text of a position could say.
func (c *Pieces) check() *Error {
	switch {
	case c.SideToMove > Black:
		return fail("side", "", "%d is no side", c.SideToMove)
	case c.Rules > Blitz:
		return fail("rules", "", "%d are no rules", c.Rules)
	}
	for _, removed := range c.Removed {
		if removed < 0 || removed > RingsPerSide {
			return fail("score", "", "%d rings removed", removed)
		}
	}
	taken := Bitboard{}
	for _, set := range [...]Bitboard{c.Rings[White], c.Rings[Black], c.Markers[White], c.Markers[Black]} {
		if beyond := set.AndNot(board); !beyond.IsEmpty() {
			return fail("board", "", "place %d is not on the board", beyond.First())
		}
		if twice := set.And(taken); !twice.IsEmpty() {
			return fail("board", "", "two pieces stand on %v", twice.First())
		}
		taken = taken.Or(set)
	}
	return nil
}
