package position

// Symmetry is one of the 12 symmetries of the board, D6: 0 is the identity,
// 1..5 turn it by that many times 60 degrees, 6..11 mirror it and then turn it.
type Symmetry uint8

// Symmetries is the number of symmetries.
const Symmetries = 12

// symmetricPoints holds where each symmetry takes each point of the board.
var symmetricPoints = func() (to [Symmetries][padded]Point) {
	for s := range Symmetry(Symmetries) {
		for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
			p := b.First()
			x, y := p.Column()-5, p.Number()-6
			if s >= 6 {
				x, y = y, x
			}
			for range s % 6 {
				x, y = y, y-x
			}
			to[s][p] = pad(x+5, y+6)
		}
	}
	return to
}()

// inverses holds the symmetry that undoes each.
var inverses = func() (inverse [Symmetries]Symmetry) {
	for s := range inverse {
		for t := range Symmetry(Symmetries) {
			if undoes(Symmetry(s), t) {
				inverse[s] = t
			}
		}
	}
	return inverse
}()

// undoes tells whether t takes every point back to where s took it from.
func undoes(s, t Symmetry) bool {
	for b := board; !b.IsEmpty(); b = b.WithoutFirst() {
		if p := b.First(); t.Point(s.Point(p)) != p {
			return false
		}
	}
	return true
}

// Inverse returns the symmetry that undoes s.
func (s Symmetry) Inverse() Symmetry { return inverses[s%Symmetries] }

// Point returns where the symmetry takes a point.
func (s Symmetry) Point(p Point) Point { return symmetricPoints[s%Symmetries][p&(padded-1)] }

// Points returns where the symmetry takes a set of points.
func (s Symmetry) Points(b Bitboard) (image Bitboard) {
	for ; !b.IsEmpty(); b = b.WithoutFirst() {
		image = image.Or(pointSet(s.Point(b.First())))
	}
	return image
}

// Row returns where the symmetry takes a row.
func (s Symmetry) Row(r Row) Row {
	first, last := r.Ends()
	row, _ := RowBetween(s.Point(first), s.Point(last))
	return row
}

// Turn returns where the symmetry takes a turn: legal in the symmetric position
// if t is in the position.
func (s Symmetry) Turn(t Turn) (image Turn) {
	for i := range t.Before() {
		image = image.withRemoval(s.removal(t.Removal(i)))
	}
	switch t.Kind() {
	case Place:
		image = image.with(placeTurn(s.Point(t.To())))
	case Move:
		image = image.with(moveTurn(s.Point(t.From()), s.Point(t.To())))
	case Pass:
		image = image.with(passTurn)
	}
	for i := t.Before(); i < t.Removals(); i++ {
		image = image.withRemoval(s.removal(t.Removal(i)))
	}
	return image
}

// removal returns where the symmetry takes a removal.
func (s Symmetry) removal(r Removal) Removal {
	return Removal{Row: s.Row(r.Row), Ring: s.Point(r.Ring)}
}

// Position returns where the symmetry takes a position.
func (s Symmetry) Position(p *Position) Position {
	image := Position{removed: p.removed, side: p.side, rules: p.rules}
	var rings, markers [2]Bitboard
	for side := range rings {
		rings[side] = s.Points(p.rings[side])
		markers[side] = s.Points(p.markers[side])
	}
	image.setUp(rings, markers)
	return image
}

// SymmetricHash is the same for positions that a symmetry takes to each other: the
// least hash of the 12 images.
func (p *Position) SymmetricHash() uint64 {
	least := p.Hash()
	for s := Symmetry(1); s < Symmetries; s++ {
		image := s.Position(p)
		least = min(least, image.Hash())
	}
	return least
}
