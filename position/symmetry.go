package position

// Symmetry is one of the 12 symmetries of the board, the group D6: 0 is the identity,
// 1..5 rotate the board by that many times 60 degrees, and 6..11 mirror it first and
// then rotate it.
type Symmetry uint8

// Symmetries is the number of symmetries.
const Symmetries = 12

// symmetricPoints holds the image of each point under each symmetry.
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

// Inverse returns the symmetry that undoes s: the opposite rotation, or s itself if it
// mirrors the board.
func (s Symmetry) Inverse() Symmetry {
	if s %= Symmetries; s < 6 {
		return (6 - s) % 6
	}
	return s
}

// Point returns the image of a point.
func (s Symmetry) Point(p Point) Point { return symmetricPoints[s%Symmetries][p&(padded-1)] }

// Points returns the image of a set of points.
func (s Symmetry) Points(b Bitboard) (image Bitboard) {
	for ; !b.IsEmpty(); b = b.WithoutFirst() {
		image = image.Or(BitboardOf(s.Point(b.First())))
	}
	return image
}

// Row returns the image of a row.
func (s Symmetry) Row(r Row) Row {
	first, last := r.Ends()
	row, _ := RowBetween(s.Point(first), s.Point(last))
	return row
}

// Turn returns the image of a turn. It is legal in the image of a position if t is
// legal in that position.
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

// removal returns the image of a removal.
func (s Symmetry) removal(r Removal) Removal {
	return Removal{Row: s.Row(r.Row), Ring: s.Point(r.Ring)}
}

// Position returns the image of a position.
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

// SymmetricHash returns the same hash for all positions that are images of each
// other: the lowest hash of the 12 images.
func (p *Position) SymmetricHash() uint64 {
	var images [Symmetries]uint64 // hashes of the pieces
	for side := range p.rings {
		for rings := p.rings[side]; !rings.IsEmpty(); rings = rings.WithoutFirst() {
			for s := range images {
				images[s] ^= keys.ring[side][Symmetry(s).Point(rings.First())]
			}
		}
		for markers := p.markers[side]; !markers.IsEmpty(); markers = markers.WithoutFirst() {
			for s := range images {
				images[s] ^= keys.marker[side][Symmetry(s).Point(markers.First())]
			}
		}
	}
	rest := p.hash ^ images[0] // of what all images share
	lowest := p.hash
	for _, image := range images[1:] {
		lowest = min(lowest, image^rest)
	}
	return lowest
}
