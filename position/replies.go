package position

import "math/bits"

// The last two plies of a perft are counted faster than by playing the turns of
// the first of them: as long as no row can fall, how many replies there are
// depends on the indexes of the lines alone, and a ring move changes five of
// these.

// repliesOnLines tells whether countReplies knows the position: its turns are
// ring moves that complete no row of the mover, and a marker is left for the
// reply.
func (p *Position) repliesOnLines() bool {
	return !p.Placing() && p.onBoard+1 < MarkersInGame && !p.decided() && !p.mayCompleteRow()
}

// countReplies returns the number of sequences of two turns.
func (p *Position) countReplies() (total uint64) {
	after := *p // only its lines follow the moves
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		reach := p.AllMarkers().Or(pointSet(from)).Or(p.rings[p.side.Opponent()])
		onLines := !reach.hasFive() // no reply takes off or completes a row
		after.addToLines(from, markerDigit-ringDigit)
		for d := range Direction(Directions) {
			ref := &lineRefs[from&(padded-1)][d]
			first := from - Point(ref.place)*Point(strides[d])
			for places := p.targetsOn(ref, d).places(); places != 0; places &= places - 1 {
				to := first + Point(bits.TrailingZeros16(places))*Point(strides[d])
				total += p.countRepliesTo(&after, from, to, onLines)
			}
		}
		after.addToLines(from, ^uint16(markerDigit-ringDigit)+1)
	}
	if total == 0 {
		return p.countRepliesToPass()
	}
	return total
}

// countRepliesTo returns the number of replies to a ring move. The lines of
// after have the marker that the ring leaves.
func (p *Position) countRepliesTo(after *Position, from, to Point, onLines bool) uint64 {
	if onLines {
		after.addToLines(to, ringDigit-vacantDigit)
		n := after.Mobility(p.side.Opponent())
		after.addToLines(to, ^uint16(ringDigit-vacantDigit)+1)
		if n > 0 {
			return uint64(n)
		}
	}
	var child Position
	p.Play(&child, moveTurn(from, to))
	return uint64(child.Count())
}

// countRepliesToPass returns the number of replies to a pass, if the side to
// move has to pass.
func (p *Position) countRepliesToPass() uint64 {
	if p.CanMove(p.side) || !p.CanMove(p.side.Opponent()) {
		return 0
	}
	var child Position
	p.Play(&child, passTurn)
	return uint64(child.Count())
}
