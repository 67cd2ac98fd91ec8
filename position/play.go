package position

// Play sets child to the position after a legal turn, and leaves p as it is.
// The turn must be one of [Position.Turns], or come from [Position.ParseTurn];
// for any other the child is not a position.
func (p *Position) Play(child *Position, t Turn) {
	*child = *p
	if t&^moveMask == 0 && t.Kind() == Move {
		child.moveRing(t.From(), t.To())
	} else {
		child.playParts(t)
	}
	child.passOn()
}

// passOn gives the turn to the other side.
func (p *Position) passOn() {
	p.side ^= 1
	p.hash ^= keys.black
}

// playParts does all of a turn, one part after the other.
func (p *Position) playParts(t Turn) {
	for i := range t.Before() {
		p.remove(t.Removal(i))
	}
	switch t.Kind() {
	case Place:
		p.placeRing(t.To())
	case Move:
		p.moveRing(t.From(), t.To())
	}
	for i := t.Before(); i < t.Removals(); i++ {
		p.remove(t.Removal(i))
	}
}

// placeRing brings a ring of the side to move into play.
func (p *Position) placeRing(at Point) {
	p.rings[p.side] = p.rings[p.side].Or(pointSet(at))
	p.placed++
	p.addToLines(at, ringDigit)
	p.hash ^= keys.ring[p.side][at&(padded-1)]
}

// moveRing puts a marker of the side to move in one of its rings and moves the
// ring, flipping the markers it jumps over. On the lines, the ring's point
// changes from ring to marker and the target from vacant to ring: both add one
// to their digit.
func (p *Position) moveRing(from, to Point) {
	us := p.side & 1
	them := us ^ 1
	from &= padded - 1
	to &= padded - 1
	flipped := between(from, to).And(p.markers[us].Or(p.markers[them]))
	leaves, enters := pointSet(from), pointSet(to)
	p.rings[us] = p.rings[us].Xor(leaves).Or(enters)
	p.markers[us] = p.markers[us].Xor(flipped).Or(leaves)
	p.markers[them] = p.markers[them].Xor(flipped)
	p.onBoard++
	p.addToLines(from, markerDigit-ringDigit)
	p.addToLines(to, ringDigit-vacantDigit)
	p.hash ^= keys.ring[us][from] ^ keys.ring[us][to] ^ keys.marker[us][from]
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		p.hash ^= keys.flip[flipped.First()&(padded-1)]
	}
}

// remove takes a row of the side to move and one of its rings off the board.
func (p *Position) remove(r Removal) {
	us := p.side & 1
	points := r.Row.Points()
	p.markers[us] = p.markers[us].AndNot(points)
	p.onBoard -= RowLength
	for ; !points.IsEmpty(); points = points.WithoutFirst() {
		at := points.First() & (padded - 1)
		p.addToLines(at, ^uint16(markerDigit)+1)
		p.hash ^= keys.marker[us][at]
	}
	p.rings[us] = p.rings[us].AndNot(pointSet(r.Ring))
	p.addToLines(r.Ring, ^uint16(ringDigit)+1)
	p.hash ^= keys.ring[us][r.Ring&(padded-1)]
	p.hash ^= keys.removed[us][p.removed[us]]
	p.removed[us]++
	p.hash ^= keys.removed[us][p.removed[us]]
}
