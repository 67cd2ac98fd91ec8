package position

import "strings"

// Turn is a whole turn in one word: removals before the ring move, the move
// (or placing a ring, or a pass, or nothing where the game ends with a
// removal), and removals after it. Equal turns are equal words.
//
// From bit 0: from 7 bits, to 7, kind 2, removals before 2, removals after 2,
// then up to three removals of 14 bits each, row and ring. A turn of just a
// ring move is below 1<<16.
type Turn uint64

// None is no turn.
const None Turn = 0

// TurnKind tells what a turn does between its removals.
type TurnKind uint8

// The kinds of turns.
const (
	RemovalsOnly TurnKind = iota // the game ends before the ring move
	Place                        // a ring comes onto the board
	Move                         // a ring moves and leaves a marker
	Pass                         // no ring can move
)

// MostRemovals is the largest number of removals in a turn: the third ends
// the game.
const MostRemovals = 3

// Removal is a row taken off the board with the ring that pays for it.
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

// placeTurn is the turn that places a ring.
func placeTurn(at Point) Turn { return Turn(Place)<<kindShift | Turn(at)<<toShift }

// moveTurn is the turn that moves a ring and does no more.
func moveTurn(from, to Point) Turn {
	return Turn(Move)<<kindShift | Turn(to)<<toShift | Turn(from)
}

// passTurn is the turn that passes.
const passTurn = Turn(Pass) << kindShift

// with returns the turn with the middle part of another, which has no
// removals, after its own removals.
func (t Turn) with(middle Turn) Turn { return t | middle }

// withRemoval returns the turn with one more removal at its end. It counts as
// one before the ring move as long as the turn has no middle part.
func (t Turn) withRemoval(r Removal) Turn {
	n := t.Before() + t.After()
	t |= (Turn(r.Row) | Turn(r.Ring)<<7) << (removalShift + n*removalBits)
	if t.Kind() == RemovalsOnly {
		return t + 1<<beforeShift
	}
	return t + 1<<afterShift
}

// Kind returns what the turn does between its removals.
func (t Turn) Kind() TurnKind { return TurnKind(t >> kindShift & countMask) }

// From returns the point that the moved ring leaves. It has a meaning only for
// a Move.
func (t Turn) From() Point { return Point(t & pointMask) }

// To returns the point where the ring is placed or ends its move. It has a
// meaning only for Place and Move.
func (t Turn) To() Point { return Point(t >> toShift & pointMask) }

// Before returns the number of removals before the ring move.
func (t Turn) Before() int { return int(t >> beforeShift & countMask) }

// After returns the number of removals after the ring move.
func (t Turn) After() int { return int(t >> afterShift & countMask) }

// Removals returns the number of removals in the turn.
func (t Turn) Removals() int { return t.Before() + t.After() }

// Quiet tells whether the turn is just a ring move: one that takes no row off.
func (t Turn) Quiet() bool { return t.Kind() == Move && t.Removals() == 0 }

// Removal returns one of the removals, numbered in the order in which they are
// done: first those before the ring move, then those after it.
func (t Turn) Removal(i int) Removal {
	bits := t >> (removalShift + uint(i)*removalBits)
	return Removal{Row: Row(bits & pointMask), Ring: Point(bits >> 7 & pointMask)}
}

// WithoutLastRing returns the word of a turn with removals less the ring of the
// last one. It is no turn; equal words are turns that differ in that ring alone.
func (t Turn) WithoutLastRing() Turn {
	last := removalShift + uint(t.Removals()-1)*removalBits
	return t &^ (pointMask << (last + 7))
}

// String returns the turn as one word of the notation, always in its canonical
// form, such as "c5-a3;xb3-b7xb2". It returns "none" for None.
func (t Turn) String() string {
	if t == None {
		return "none"
	}
	var words [MostRemovals + 1]string
	parts := words[:0]
	for i := range t.Before() {
		parts = append(parts, t.Removal(i).String())
	}
	switch t.Kind() {
	case Place:
		parts = append(parts, t.To().String())
	case Move:
		parts = append(parts, t.From().String()+"-"+t.To().String())
	case Pass:
		parts = append(parts, "pass")
	}
	for i := t.Before(); i < t.Removals(); i++ {
		parts = append(parts, t.Removal(i).String())
	}
	return strings.Join(parts, ";")
}

// String returns the removal as it stands in a turn, such as "xb3-b7xb2".
func (r Removal) String() string { return "x" + r.Row.String() + "x" + r.Ring.String() }
