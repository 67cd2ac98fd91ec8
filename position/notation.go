package position

import "strings"

// ParseTurn reads the word of a turn that is legal in p: in either case, with
// the ends of a row in either order. The error is an [*Error] of the field
// "turn" that names the word and the part that is wrong.
func (p *Position) ParseTurn(text string) (Turn, error) {
	turn, err := readTurn(text)
	if err != nil {
		return None, err
	}
	if reason := p.illegal(turn); reason != "" {
		return None, &Error{Field: "turn", Word: text, Reason: reason}
	}
	return turn, nil
}

// longestTurn is more than the length of any turn's word.
const longestTurn = 64

// readTurn reads a word that has the form of a turn.
func readTurn(text string) (turn Turn, err *Error) {
	if len(text) > longestTurn {
		return None, fail("turn", text, "longer than any turn")
	}
	for part := range strings.SplitSeq(text, ";") {
		if part != "" && part[0]|0x20 == 'x' {
			removal, ok := readRemoval(part[1:])
			if !ok {
				return None, fail("turn", text, "%s is no removal: a row of five by its two ends, then the ring, such as xb3-b7xb2", quote(part))
			}
			if turn.Removals() == MostRemovals {
				return None, fail("turn", text, "more than %d removals", MostRemovals)
			}
			turn = turn.withRemoval(removal)
			continue
		}
		middle, ok := readMiddle(part)
		if !ok {
			return None, fail("turn", text, "%s is no part of a turn: a point (f6), a move (e4-e10), a removal (xb3-b7xb2) or pass", quote(part))
		}
		if turn.Kind() != RemovalsOnly {
			return None, fail("turn", text, "%s comes after the turn's ring move", quote(part))
		}
		turn = turn.with(middle)
	}
	return turn, nil
}

// readMiddle reads placing a ring, a ring move or a pass.
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

// readRemoval reads what follows the first x of a removal.
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
