package position

// StepKind is one of the parts of a turn.
type StepKind uint8

// The kinds of steps.
const (
	StepPlace    StepKind = iota // place a ring on To
	StepMove                     // move the ring at From to To
	StepPass                     // pass, as no ring can move
	StepTakeRow                  // take Row off
	StepTakeRing                 // take the ring at From off, for the row just taken
)

// Step is one part of a turn. Fields that its kind does not name are zero.
type Step struct {
	Kind     StepKind
	From, To Point
	Row      Row
}

// Partial is a turn in the making: the parts done so far and the board as they
// leave it. It is a plain value; copying it copies all, so a board that takes
// steps back keeps the copies. Begin with [Begin].
type Partial struct {
	now   Position
	turn  Turn
	stage stage
	row   Row // taken off, its ring not yet
}

// stage is what a turn waits for.
type stage uint8

const (
	stageMiddle   stage = iota // removals at the start are done: place, move or pass
	stageTakeRow               // take a row off
	stageTakeRing              // take a ring off
	stageComplete              // nothing
)

// Begin returns the turn of which nothing is done yet. It is complete at once,
// and its turn None, when the game is over.
func Begin(p *Position) Partial {
	b := Partial{now: *p}
	b.settle()
	return b
}

// Complete tells whether the turn is whole.
func (b *Partial) Complete() bool { return b.stage == stageComplete }

// Turn returns the parts done so far: a legal turn once it is complete.
func (b *Partial) Turn() Turn { return b.turn }

// Position returns the board as it stands in the course of the turn, the side
// to move unchanged. Between taking a row and its ring both are still there.
func (b *Partial) Position() *Position { return &b.now }

// TakenRow returns the row whose ring is to be taken next, and whether one is.
func (b *Partial) TakenRow() (Row, bool) { return b.row, b.stage == stageTakeRing }

// Steps appends the legal next steps to dst; none when the turn is complete.
func (b *Partial) Steps(dst []Step) []Step {
	own := b.now.rings[b.now.side]
	switch b.stage {
	case stageTakeRow:
		var list [mostRows]Row
		for _, row := range b.now.Rows(b.now.side, list[:0]) {
			dst = append(dst, Step{Kind: StepTakeRow, Row: row})
		}
	case stageTakeRing:
		for ; !own.IsEmpty(); own = own.WithoutFirst() {
			dst = append(dst, Step{Kind: StepTakeRing, From: own.First()})
		}
	case stageMiddle:
		dst = b.middleSteps(dst)
	}
	return dst
}

// middleSteps appends placing, moving or passing.
func (b *Partial) middleSteps(dst []Step) []Step {
	if b.now.Placing() {
		for vacant := b.now.Vacant(); !vacant.IsEmpty(); vacant = vacant.WithoutFirst() {
			dst = append(dst, Step{Kind: StepPlace, To: vacant.First()})
		}
		return dst
	}
	if !b.now.CanMove(b.now.side) {
		return append(dst, Step{Kind: StepPass})
	}
	for own := b.now.rings[b.now.side]; !own.IsEmpty(); own = own.WithoutFirst() {
		from := own.First()
		for targets := b.now.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			dst = append(dst, Step{Kind: StepMove, From: from, To: targets.First()})
		}
	}
	return dst
}

// Apply does a step, which must be one of Steps.
func (b *Partial) Apply(s Step) {
	switch s.Kind {
	case StepTakeRow:
		b.row, b.stage = s.Row, stageTakeRing
		return
	case StepTakeRing:
		removal := Removal{Row: b.row, Ring: s.From}
		b.now.remove(removal)
		b.turn = b.turn.withRemoval(removal)
		b.row = 0
	case StepPlace:
		b.now.placeRing(s.To)
		b.turn = b.turn.with(placeTurn(s.To))
	case StepMove:
		b.now.moveRing(s.From, s.To)
		b.turn = b.turn.with(moveTurn(s.From, s.To))
	case StepPass:
		b.turn = b.turn.with(passTurn)
	}
	b.settle()
}

// settle finds the stage that follows from the board and the parts done.
func (b *Partial) settle() {
	p := &b.now
	switch {
	case p.decided():
		b.stage = stageComplete
	case p.HasRow(p.side):
		b.stage = stageTakeRow
	case b.turn.Kind() != RemovalsOnly || p.Over():
		b.stage = stageComplete
	default:
		b.stage = stageMiddle
	}
}
