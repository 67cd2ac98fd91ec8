package position

// turnSink takes the turns of a position in which rows may be taken off: it
// lists them, or only counts them.
type turnSink struct {
	list     []Turn
	count    int
	counting bool
}

// add takes one turn.
func (s *turnSink) add(t Turn) {
	s.count++
	if !s.counting {
		s.list = append(s.list, t)
	}
}

// sinkRemovals takes all turns that go on from t at a point where the rows of
// the side to move are taken off: at its start or after its ring move. The
// removal that wins ends the turn.
func (p *Position) sinkRemovals(sink *turnSink, t Turn) {
	if !p.HasRow(p.side) {
		if t.Kind() == RemovalsOnly {
			p.sinkMiddle(sink, t)
		} else {
			sink.add(t)
		}
		return
	}
	var list [mostRows]Row
	var child Position
	for _, row := range p.Rows(p.side, list[:0]) {
		for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
			removal := Removal{Row: row, Ring: b.First()}
			child = *p
			child.remove(removal)
			if child.decided() {
				sink.add(t.withRemoval(removal))
			} else {
				child.sinkRemovals(sink, t.withRemoval(removal))
			}
		}
	}
}

// sinkMiddle takes all turns that go on from t, which has no ring move yet,
// with a ring move or what stands in its place. No row of the side to move is
// on the board.
func (p *Position) sinkMiddle(sink *turnSink, t Turn) {
	if p.onBoard == MarkersInGame {
		return // the game is over; with a removal in t the pool is not empty
	}
	before := sink.count
	p.sinkMoves(sink, t)
	switch {
	case sink.count > before:
	case p.CanMove(p.side.Opponent()):
		sink.add(t.with(passTurn))
	case t != None:
		sink.add(t)
	}
}

// sinkMoves takes every ring move of the side to move after t, with the
// removals that follow where it completes a row.
func (p *Position) sinkMoves(sink *turnSink, t Turn) {
	gaps := p.gapMarkers(p.side)
	var child Position
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		from := b.First()
		leaves := p.leavesFive(from)
		if sink.counting && !leaves && gaps.IsEmpty() {
			sink.count += p.mobilityOf(from)
			continue
		}
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			to := targets.First()
			turn := t.with(moveTurn(from, to))
			flipped := between(from, to).And(p.AllMarkers())
			if (leaves || flipped.Meets(gaps)) && p.completesRow(p.side, from, flipped) {
				child = *p
				child.moveRing(from, to)
				child.sinkRemovals(sink, turn)
			} else {
				sink.add(turn)
			}
		}
	}
}
