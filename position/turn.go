package position

import (
	"errors"
	"fmt"
	"strings"
)

// Turn is a whole turn in one word: removals before the ring move, the ring move, and
// removals after it. Instead of a ring move a turn can place a ring, pass, or have
// nothing, if a removal ends the game. Equal turns are equal words.
//
// The layout from bit 0: from 7 bits, to 7, kind 2, removals before 2, removals after
// 2, then up to three removals of 14 bits each, row and ring. A turn that only moves
// a ring is below 1<<16.
type Turn uint64

// None is the zero Turn, which is not a turn.
const None Turn = 0

// TurnKind is the middle part of a turn, between its removals.
type TurnKind uint8

// The kinds of turns.
const (
	RemovalsOnly TurnKind = iota // the game ends before the ring move
	Place                        // a ring comes onto the board
	Move                         // a ring moves and leaves a marker
	Pass                         // no ring can move
)

// MaxRemovals is the largest number of removals in a turn: the third one ends the
// game.
const MaxRemovals = 3

// Removal is the removal of a row and of the ring that pays for it.
type Removal struct {
	Row  Row
	Ring Point
}

const (
	toShift      = 7
	kindShift    = 14
	beforeShift  = 16
	afterShift   = 18
	removalShift = 20
	removalBits  = 14
	pointMask    = 1<<7 - 1
	countMask    = 3
	moveMask     = 1<<beforeShift - 1
)

// placeTurn returns the turn that places a ring.
func placeTurn(at Point) Turn { return Turn(Place)<<kindShift | Turn(at)<<toShift }

// moveTurn returns the turn that only moves a ring.
func moveTurn(from, to Point) Turn {
	return Turn(Move)<<kindShift | Turn(to)<<toShift | Turn(from)
}

// passTurn is the turn that passes.
const passTurn = Turn(Pass) << kindShift

// with returns the turn with the given middle part appended, which has no removals.
func (t Turn) with(middle Turn) Turn { return t | middle }

// withRemoval returns the turn with one more removal. The removal counts as before
// the ring move if the turn has no middle part yet.
func (t Turn) withRemoval(r Removal) Turn {
	n := t.Before() + t.After()
	t |= (Turn(r.Row) | Turn(r.Ring)<<7) << (removalShift + n*removalBits)
	if t.Kind() == RemovalsOnly {
		return t + 1<<beforeShift
	}
	return t + 1<<afterShift
}

// Kind returns the middle part of the turn.
func (t Turn) Kind() TurnKind { return TurnKind(t >> kindShift & countMask) }

// From returns the point that the moved ring leaves. It is valid only for a Move.
func (t Turn) From() Point { return Point(t & pointMask) }

// To returns the point where the ring is placed or ends its move. It is valid only
// for Place and Move.
func (t Turn) To() Point { return Point(t >> toShift & pointMask) }

// Before returns the number of removals before the ring move.
func (t Turn) Before() int { return int(t >> beforeShift & countMask) }

// After returns the number of removals after the ring move.
func (t Turn) After() int { return int(t >> afterShift & countMask) }

// Removals returns the number of removals in the turn.
func (t Turn) Removals() int { return t.Before() + t.After() }

// Quiet reports whether the turn only moves a ring and removes no row.
func (t Turn) Quiet() bool { return t.Kind() == Move && t.Removals() == 0 }

// Removal returns the removal with index i in the order of play: first the removals
// before the ring move, then those after it.
func (t Turn) Removal(i int) Removal {
	bits := t >> (removalShift + uint(i)*removalBits)
	return Removal{Row: Row(bits & pointMask), Ring: Point(bits >> 7 & pointMask)}
}

// WithoutLastRing returns a turn with removals without the ring of the last one. The
// result is not a turn. Two results are equal if the turns differ at most in that
// ring.
func (t Turn) WithoutLastRing() Turn {
	last := removalShift + uint(t.Removals()-1)*removalBits
	return t &^ (pointMask << (last + 7))
}

// String returns the turn as one word in its canonical form, such as
// "c5-a3;xb3-b7xb2". It returns "none" for None.
func (t Turn) String() string {
	if t == None {
		return "none"
	}
	text := make([]byte, 0, maxTurnText)
	next := func() []byte { // the text with a separator, if it needs one
		if len(text) > 0 {
			text = append(text, ';')
		}
		return text
	}
	for i := range t.Before() {
		text = t.Removal(i).append(next())
	}
	switch t.Kind() {
	case Place:
		text = t.To().append(next())
	case Move:
		text = t.To().append(append(t.From().append(next()), '-'))
	case Pass:
		text = append(next(), "pass"...)
	}
	for i := t.Before(); i < t.Removals(); i++ {
		text = t.Removal(i).append(next())
	}
	return string(text)
}

// String returns the removal as a part of a turn, such as "xb3-b7xb2".
func (r Removal) String() string { return string(r.append(nil)) }

func (r Removal) append(text []byte) []byte {
	return r.Ring.append(append(r.Row.append(append(text, 'x')), 'x'))
}

// ParseTurn parses a turn that is legal in p. Letters may be in upper or lower case,
// and the ends of a row in either order. The error is an [*Error] with the field
// "turn" that names the wrong part.
func (p *Position) ParseTurn(text string) (Turn, error) {
	turn, err := readTurn(text)
	if err != nil {
		return None, err
	}
	if wrong := p.illegal(turn); wrong != nil {
		wrong.Word = text
		return None, wrong
	}
	return turn, nil
}

// ParseTurns parses turns that are played one after the other. If a word is not a legal
// turn, ParseTurns returns the turns before it and an error as from [Position.ParseTurn],
// whose field is the number of the turn, from 1: "turn 3".
func (p *Position) ParseTurns(words []string) (turns []Turn, err error) {
	now := *p
	for _, word := range words {
		t, err := now.ParseTurn(word)
		if err != nil {
			if wrong, ok := errors.AsType[*Error](err); ok {
				wrong.Field = fmt.Sprintf("%s %d", wrong.Field, len(turns)+1)
			}
			return turns, err
		}
		turns, now = append(turns, t), now.After(t)
	}
	return turns, nil
}

// maxTurnText is longer than any turn's word.
const maxTurnText = 64

// readTurn parses a word of the form of a turn.
func readTurn(text string) (turn Turn, err *Error) {
	if len(text) > maxTurnText {
		return None, fail("too-long", "turn", text, "longer than any turn")
	}
	for part := range strings.SplitSeq(text, ";") {
		for point := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == '-' || r|0x20 == 'x' }) {
			if numbers := numbersOf(point); numbers != "" {
				return None, fail("not-a-turn", "turn", text, "no point %s: %s", named{"part", point}, numbers)
			}
		}
		if part != "" && part[0]|0x20 == 'x' {
			removal, ok := readRemoval(part[1:])
			if !ok {
				return None, fail("not-a-turn", "turn", text, "%+q is not a removal: write the two ends of a row of five, then the ring, such as xb3-b7xb2", named{"part", part})
			}
			if turn.Removals() == MaxRemovals {
				return None, fail("not-a-turn", "turn", text, "more than %d removals: %+q", MaxRemovals, named{"part", part})
			}
			turn = turn.withRemoval(removal)
			continue
		}
		middle, ok := readMiddle(part)
		if !ok {
			return None, fail("not-a-turn", "turn", text, "%+q is not part of a turn: use a point (f6), a move (e4-e10), a removal (xb3-b7xb2) or pass", named{"part", part})
		}
		if turn.Kind() != RemovalsOnly {
			return None, fail("not-a-turn", "turn", text, "%+q comes after the turn's ring move", named{"part", part})
		}
		turn = turn.with(middle)
	}
	return turn, nil
}

// readMiddle parses a placing, a ring move or a pass.
func readMiddle(part string) (Turn, bool) {
	if strings.EqualFold(part, "pass") {
		return passTurn, true
	}
	from, rest, ok := cutPoint(part)
	if !ok || rest == "" {
		return placeTurn(from), ok
	}
	if rest[0] != '-' {
		return None, false
	}
	to, rest, ok := cutPoint(rest[1:])
	return moveTurn(from, to), ok && rest == ""
}

// readRemoval parses a removal after its first x.
func readRemoval(part string) (Removal, bool) {
	first, rest, ok := cutPoint(part)
	if !ok || rest == "" || rest[0] != '-' {
		return Removal{}, false
	}
	last, rest, ok := cutPoint(rest[1:])
	if !ok || rest == "" || rest[0]|0x20 != 'x' {
		return Removal{}, false
	}
	row, ok := RowBetween(first, last)
	ring, rest, isRing := cutPoint(rest[1:])
	return Removal{Row: row, Ring: ring}, ok && isRing && rest == ""
}

// Legal reports whether t is one of the position's turns. Any value of t is allowed.
func (p *Position) Legal(t Turn) bool { return t != None && p.illegal(t) == nil }

// Check returns nil if t is one of the position's turns, and otherwise an [*Error]
// with the field "turn" that explains the first illegal step.
func (p *Position) Check(t Turn) error {
	if wrong := p.illegal(t); wrong != nil {
		wrong.Word = t.String()
		return wrong
	}
	return nil
}

// illegal returns why a turn is not legal, without the Word, or nil if it is legal. It plays
// the turn step by step and reports the first illegal step.
func (p *Position) illegal(t Turn) *Error {
	b := Begin(p)
	if b.Complete() {
		return fail("game-over", "turn", "", "the game is over")
	}
	for i := range t.Before() {
		if wrong := b.tryRemoval(t.Removal(i)); wrong != nil {
			return wrong
		}
	}
	if t.Kind() != RemovalsOnly {
		if wrong := b.tryMiddle(t); wrong != nil {
			return wrong
		}
	}
	for i := t.Before(); i < t.Removals(); i++ {
		if wrong := b.tryRemoval(t.Removal(i)); wrong != nil {
			return wrong
		}
	}
	switch {
	case b.Complete() && b.turn == t:
		return nil
	case b.stage == stageTakeRow:
		return fail("row-left", "turn", "", "a row of %v must still be removed: %v", p.side, named{"row", b.firstRow()})
	case b.stage == stageMiddle:
		return fail("move-missing", "turn", "", "the ring move is missing")
	}
	return fail("not-a-turn", "turn", "", "%v is not a turn", named{"part", t})
}

// firstRow returns one of the rows of the side to move.
func (b *Partial) firstRow() Row {
	var list [maxRows]Row
	return b.now.Rows(b.now.side, list[:0])[0]
}

// tryRemoval applies a removal, or returns why it is not legal.
func (b *Partial) tryRemoval(r Removal) *Error {
	us := b.now.side
	switch {
	case b.stage != stageTakeRow:
		return fail("no-row", "turn", "", "x%vx%v removes nothing: %v has no row at this point of the turn", named{"row", r.Row}, r.Ring, us)
	case r.Row >= RowCount || !b.now.markers[us].Contains(r.Row.Points()):
		return fail("no-row", "turn", "", "%v is not a row of %v markers", named{"row", r.Row}, us)
	case !b.now.rings[us].Has(r.Ring):
		return fail("no-ring", "turn", "", "no ring of %v on %v to remove", us, named{"point", r.Ring})
	}
	b.Apply(Step{Kind: StepTakeRow, Row: r.Row})
	b.Apply(Step{Kind: StepTakeRing, From: r.Ring})
	return nil
}

// tryMiddle applies the middle part of a turn, or returns why it is not legal.
func (b *Partial) tryMiddle(t Turn) *Error {
	p := &b.now
	switch {
	case b.stage == stageTakeRow:
		return fail("row-left", "turn", "", "a row of %v must be removed first: %v", p.side, named{"row", b.firstRow()})
	case b.stage != stageMiddle:
		return fail("game-over", "turn", "", "the game is over before the ring move")
	}
	switch t.Kind() {
	case Place:
		return b.tryPlace(t.To())
	case Move:
		return b.tryMove(t.From(), t.To())
	}
	if p.Placing() || p.CanMove(p.side) {
		return fail("cannot-pass", "turn", "", "%v cannot pass: it has a legal turn", p.side)
	}
	b.Apply(Step{Kind: StepPass})
	return nil
}

// tryPlace places a ring, or returns why that is not legal.
func (b *Partial) tryPlace(at Point) *Error {
	switch {
	case !b.now.Placing():
		return fail("all-placed", "turn", "", "all rings are placed: move a ring")
	case !b.now.Vacant().Has(at):
		return fail("not-vacant", "turn", "", "%v is not vacant", named{"point", at})
	}
	b.Apply(Step{Kind: StepPlace, To: at})
	return nil
}

// tryMove moves a ring, or returns why that is not legal.
func (b *Partial) tryMove(from, to Point) *Error {
	switch {
	case b.now.Placing():
		return fail("not-placed", "turn", "", "not all rings are placed: place a ring")
	case !b.now.rings[b.now.side].Has(from):
		return fail("no-ring", "turn", "", "no ring of %v on %v", b.now.side, named{"point", from})
	case !b.now.Targets(from).Has(to):
		return fail("cannot-move", "turn", "", "the ring on %v cannot move to %v", named{"from", from}, named{"to", to})
	}
	b.Apply(Step{Kind: StepMove, From: from, To: to})
	return nil
}

// Steps returns the steps of the turn in order.
func (t Turn) Steps() []Step {
	var steps []Step
	remove := func(from, to int) {
		for i := from; i < to; i++ {
			removal := t.Removal(i)
			steps = append(steps,
				Step{Kind: StepTakeRow, Row: removal.Row},
				Step{Kind: StepTakeRing, From: removal.Ring})
		}
	}
	remove(0, t.Before())
	switch t.Kind() {
	case Place:
		steps = append(steps, Step{Kind: StepPlace, To: t.To()})
	case Move:
		steps = append(steps, Step{Kind: StepMove, From: t.From(), To: t.To()})
	case Pass:
		steps = append(steps, Step{Kind: StepPass})
	}
	remove(t.Before(), t.Removals())
	return steps
}
