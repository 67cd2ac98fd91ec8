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
	for _, row := range p.Rows(p.side, list[:0]) {
		p.sinkPayments(sink, t, row)
	}
}

// sinkPayments takes all turns that go on from t with taking a row off, for each
// of the rings that can pay for it.
func (p *Position) sinkPayments(sink *turnSink, t Turn, row Row) {
	left := p.markers[p.side].AndNot(row.Points())
	last := p.removed[p.side]+1 >= winningRings[p.rules&1] || t.Kind() != RemovalsOnly && !left.hasFive()
	var child Position
	for b := p.rings[p.side]; !b.IsEmpty(); b = b.WithoutFirst() {
		removal := Removal{Row: row, Ring: b.First()}
		if last { // the turn ends here: no need to look at the board
			sink.add(t.withRemoval(removal))
			continue
		}
		child = *p
		child.remove(removal)
		child.sinkRemovals(sink, t.withRemoval(removal))
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
		completing := p.completing(p.side, from, gaps)
		if sink.counting && completing.none() {
			sink.count += p.mobilityOf(from)
			continue
		}
		rows := completing.points(from)
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			to := targets.First()
			turn := t.with(moveTurn(from, to))
			if !rows.Has(to) {
				sink.add(turn)
				continue
			}
			child = *p
			child.moveRing(from, to)
			child.sinkRemovals(sink, turn)
		}
	}
}

// CompletingTurns appends the legal turns of the side to move that take a row
// off: all turns if its opponent has made a row for it, else those that make
// one. There are none while rings are placed or when the game is over.
func (p *Position) CompletingTurns(dst []Turn) []Turn {
	if p.decided() || p.onBoard == MarkersInGame && !p.HasRow(p.side) {
		return dst
	}
	if p.HasRow(p.side) {
		sink := turnSink{list: dst}
		p.sinkRemovals(&sink, None)
		return sink.list
	}
	var list [64]Turn
	return p.Takings(p.Completions(p.side, list[:0]), dst)
}

// Takings appends the turns that begin with ring moves of the side to move that
// complete a row, from [Position.Completions], and take rows off after them. Its
// pool must not be empty.
func (p *Position) Takings(completions, dst []Turn) []Turn {
	sink := turnSink{list: dst}
	var child Position
	for _, t := range completions {
		child = *p
		child.moveRing(t.From(), t.To())
		child.sinkRemovals(&sink, t)
	}
	return sink.list
}
