package position

// Legal tells whether t is one of the position's turns. Any word will do for
// t, also one that is no turn.
func (p *Position) Legal(t Turn) bool { return t != None && p.illegal(t) == "" }

// Check returns nil if t is one of the position's turns, else an [*Error] of the
// field "turn" that says where the turn leaves what is legal.
func (p *Position) Check(t Turn) error {
	if reason := p.illegal(t); reason != "" {
		return &Error{Field: "turn", Word: t.String(), Reason: reason}
	}
	return nil
}

// illegal returns why a turn is not legal, or nothing. It does the turn step
// by step and says where the turn leaves what is legal.
func (p *Position) illegal(t Turn) string {
	b := Begin(p)
	if b.Complete() {
		return "the game is over"
	}
	for i := range t.Before() {
		if reason := b.tryRemoval(t.Removal(i)); reason != "" {
			return reason
		}
	}
	if t.Kind() != RemovalsOnly {
		if reason := b.tryMiddle(t); reason != "" {
			return reason
		}
	}
	for i := t.Before(); i < t.Removals(); i++ {
		if reason := b.tryRemoval(t.Removal(i)); reason != "" {
			return reason
		}
	}
	switch {
	case b.Complete() && b.turn == t:
		return ""
	case b.stage == stageTakeRow:
		return "a row of " + p.side.String() + " is left to take off: " + b.firstRow().String()
	case b.stage == stageMiddle:
		return "the ring move is missing"
	}
	return "not a turn"
}

// firstRow returns one of the rows of the side to move.
func (b *Partial) firstRow() Row {
	var list [mostRows]Row
	return b.now.Rows(b.now.side, list[:0])[0]
}

// tryRemoval applies a removal, or returns why it is not legal.
func (b *Partial) tryRemoval(r Removal) string {
	us := b.now.side
	switch {
	case b.stage != stageTakeRow:
		return "nothing to take off at " + r.String() + ": no row of " + us.String() + " is left then"
	case r.Row >= RowCount || !b.now.markers[us].Contains(r.Row.Points()):
		return r.Row.String() + " is not a row of " + us.String() + " markers"
	case !b.now.rings[us].Has(r.Ring):
		return "no ring of " + us.String() + " on " + r.Ring.String() + " to take off"
	}
	b.Apply(Step{Kind: StepTakeRow, Row: r.Row})
	b.Apply(Step{Kind: StepTakeRing, From: r.Ring})
	return ""
}

// tryMiddle applies the middle part of a turn, or returns why it is not legal.
func (b *Partial) tryMiddle(t Turn) string {
	p := &b.now
	switch {
	case b.stage == stageTakeRow:
		return "a row of " + p.side.String() + " is to be taken off first: " + b.firstRow().String()
	case b.stage != stageMiddle:
		return "the game is over before the ring move"
	}
	switch t.Kind() {
	case Place:
		return b.tryPlace(t.To())
	case Move:
		return b.tryMove(t.From(), t.To())
	}
	if p.Placing() || p.CanMove(p.side) {
		return "no pass: " + p.side.String() + " has a turn to make"
	}
	b.Apply(Step{Kind: StepPass})
	return ""
}

// tryPlace places a ring, or returns why that is not legal.
func (b *Partial) tryPlace(at Point) string {
	switch {
	case !b.now.Placing():
		return "all rings are placed: a ring has to move"
	case !b.now.Vacant().Has(at):
		return at.String() + " is not vacant"
	}
	b.Apply(Step{Kind: StepPlace, To: at})
	return ""
}

// tryMove moves a ring, or returns why that is not legal.
func (b *Partial) tryMove(from, to Point) string {
	switch {
	case b.now.Placing():
		return "rings are still to be placed"
	case !b.now.rings[b.now.side].Has(from):
		return "no ring of " + b.now.side.String() + " on " + from.String()
	case !b.now.Targets(from).Has(to):
		return "the ring on " + from.String() + " cannot move to " + to.String()
	}
	b.Apply(Step{Kind: StepMove, From: from, To: to})
	return ""
}
