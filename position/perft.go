package position

import "math/bits"

// Perft returns the number of sequences of depth whole turns from p. It is 1 for
// depth 0 or less, and games that end earlier do not count. The last turn is counted
// without playing it. Perft calls stop, if it is not nil, many times a millisecond. Once
// stop returns true, it must stay true: Perft returns soon and its result is meaningless.
func Perft(p *Position, depth int, stop func() bool) uint64 {
	return Divide(p, depth, stop, func(Turn, uint64) {})
}

// Divide is like [Perft], and calls visit with the count after each first turn as
// soon as it is known.
func Divide(p *Position, depth int, stop func() bool, visit func(t Turn, nodes uint64)) uint64 {
	if depth <= 0 {
		return 1
	}
	counter := perft{stop: stop, plies: make([]perftPly, depth)}
	total := uint64(0)
	var child Position
	for _, t := range p.Turns(nil) {
		p.Play(&child, t)
		nodes := counter.count(&child, depth-1)
		if counter.stopped() {
			return total
		}
		visit(t, nodes)
		total += nodes
	}
	return total
}

// perft holds the memory of a count, which is allocated once.
type perft struct {
	stop  func() bool
	plies []perftPly // by remaining depth
}

// perftPly is the memory for one ply.
type perftPly struct {
	child Position
	turns []Turn
}

// stopEvery is the number of turns in a list after which a ply checks the stop flag again.
const stopEvery = 16

// count returns the number of sequences of depth turns from p. It checks the stop
// flag before it lists turns, and on the way through a long list.
func (c *perft) count(p *Position, depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case depth == 1:
		return uint64(p.Count())
	case c.stopped():
		return 0
	case depth == 2 && p.repliesOnLines():
		return p.countReplies()
	}
	ply := &c.plies[depth]
	ply.turns = p.Turns(ply.turns[:0])
	total := uint64(0)
	for i, t := range ply.turns {
		if i%stopEvery == stopEvery-1 && c.stopped() {
			break
		}
		p.Play(&ply.child, t)
		total += c.count(&ply.child, depth-1)
	}
	return total
}

func (c *perft) stopped() bool { return c.stop != nil && c.stop() }

// The last two plies of a perft are counted without playing most turns of the first
// one. While no row can be completed, the number of replies depends only on the line
// indexes, and a ring move changes five of them.

// repliesOnLines reports whether countReplies applies: all turns are ring moves that
// complete no row of the mover, and a marker is left for the reply.
func (p *Position) repliesOnLines() bool {
	return !p.Placing() && p.onBoard+1 < MarkersInGame && !p.decided() && !p.mayCompleteRow()
}

// countReplies returns the number of sequences of two turns.
func (p *Position) countReplies() (total uint64) {
	after := *p // only its lines follow the moves
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		reach := p.AllMarkers().Or(BitboardOf(from)).Or(p.rings[p.side.Opponent()])
		onLines := !reach.hasFive() // no reply removes or completes a row
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

// countRepliesTo returns the number of replies to a ring move. The lines of after
// include the marker that the ring leaves.
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

// countRepliesToPass returns the number of replies to a pass, or 0 if the side to
// move need not pass.
func (p *Position) countRepliesToPass() uint64 {
	if p.CanMove(p.side) || !p.CanMove(p.side.Opponent()) {
		return 0
	}
	var child Position
	p.Play(&child, passTurn)
	return uint64(child.Count())
}
