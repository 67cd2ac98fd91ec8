package proof

import "gyre/position"

// memo keeps answers, a table for each number of turns from 2 on. It compares
// whole positions, not only their hashes, so that what it answers is proven. A
// new answer takes the place of an old one.
type memo [MostTurns + 1][]answer

// answer is whether the side to move wins a position within the table's number
// of turns.
type answer struct {
	position position.Position
	known    bool
	won      bool
}

// memoSlots is the number of answers a table has room for: a power of two.
const memoSlots = 1 << 15

// newMemo returns an empty memo. The tables are made when they are first
// written to.
func newMemo() memo { return memo{} }

// find returns whether the side to move wins within n turns, if that is kept.
func (m *memo) find(p *position.Position, n int) (won, known bool) {
	if m[n] == nil {
		return false, false
	}
	a := &m[n][p.Hash()%memoSlots]
	if !a.known || a.position != *p {
		return false, false
	}
	return a.won, true
}

// keep stores an answer.
func (m *memo) keep(p *position.Position, n int, won bool) {
	if m[n] == nil {
		m[n] = make([]answer, memoSlots)
	}
	m[n][p.Hash()%memoSlots] = answer{position: *p, known: true, won: won}
}
