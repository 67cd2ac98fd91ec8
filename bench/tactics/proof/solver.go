// Package proof proves forced wins by exhaustive AND/OR search with nothing
// but the rules: it knows neither the engine's search nor its evaluation. The
// tests of the tactical suite and the program that makes the suite use it; the
// engine does not.
//
//	solver.go   the Solver: is the game won within n turns, and by which turns
//	and.go      the defender's half: every reply is tried
//	leaf.go     the last turn: does one win at once
//	order.go    which turns to try first; this alters time, never an answer
//	memo.go     answers kept by position
//
// A side to move wins in n if, whatever the opponent does, the game is over
// and won by it after at most 2n-1 plies: the last of them its own n-th turn.
// Every end counts: the ring that wins, or more rings removed when the pool is
// empty or nobody can move.
package proof

import (
	"slices"

	"gyre/position"
)

// MostTurns is the largest n for which a Solver can be asked.
const MostTurns = 8

// Solver proves and refutes forced wins. It keeps what it learns from one
// question to the next. It is not safe for use by several goroutines; make
// each its own with [NewSolver].
type Solver struct {
	memo   memo
	plies  [2 * MostTurns]ply
	worth  history
	nodes  uint64
	budget uint64 // nodes at which to give up; 0 without
}

// ply is the memory for one ply of the tree.
type ply struct {
	turns   []position.Turn
	child   position.Position
	refuter position.Turn // the reply that refuted last at this ply
}

// NewSolver returns a solver that has learned nothing yet.
func NewSolver() *Solver { return &Solver{memo: newMemo()} }

// Nodes returns how many positions the solver has looked at in all.
func (s *Solver) Nodes() uint64 { return s.nodes }

// Verdict is the answer of a solver.
type Verdict uint8

// The verdicts.
const (
	Refuted Verdict = iota // exhaustive search has found no forced win within n turns
	Proven                 // there is one
	Unknown                // the budget of nodes was spent first
)

// Wins tells whether the side to move has a forced win within n of its own
// turns, n being at most [MostTurns].
func (s *Solver) Wins(p *position.Position, n int) bool {
	s.budget = 0
	return n > 0 && !p.Over() && s.wins(p, n, 0)
}

// TryWins is [Solver.Wins] within a budget of nodes.
func (s *Solver) TryWins(p *position.Position, n int, nodes uint64) Verdict {
	s.budget = s.nodes + nodes
	won := n > 0 && !p.Over() && s.wins(p, n, 0)
	switch {
	case s.spent():
		return Unknown
	case won:
		return Proven
	}
	return Refuted
}

// Shortest returns the least n up to most in which the side to move wins, and
// whether there is one.
func (s *Solver) Shortest(p *position.Position, most int) (n int, won bool) {
	for n = 1; n <= most; n++ {
		if s.Wins(p, n) {
			return n, true
		}
	}
	return 0, false
}

// WinningTurns returns all turns of the side to move after which it still wins
// within n turns, this one included, in the order of [position.Position.Turns].
func (s *Solver) WinningTurns(p *position.Position, n int) (winning []position.Turn) {
	s.budget = 0
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		if s.loses(&child, n-1, 1) {
			winning = append(winning, t)
		}
	}
	return winning
}

// spent tells whether to give up. What is answered from then on means nothing
// and is not kept.
func (s *Solver) spent() bool { return s.budget > 0 && s.nodes >= s.budget }

// wins tells whether the side to move wins within n turns, at least one, a
// game that is not over: the OR nodes.
func (s *Solver) wins(p *position.Position, n, depth int) bool {
	if n == 1 {
		return s.winsNow(p, depth)
	}
	if answer, known := s.memo.find(p, n); known {
		return answer
	}
	won := s.wins(p, n-1, depth) || s.winsBySome(p, n, depth)
	if !s.spent() {
		s.memo.keep(p, n, won)
	}
	return won
}

// winsBySome tells whether some turn of the side to move wins within n turns.
func (s *Solver) winsBySome(p *position.Position, n, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	side := p.SideToMove()
	s.worth.order(here.turns, side)
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		won := s.loses(&here.child, n-1, depth+1)
		if s.spent() {
			return false
		}
		if won {
			s.worth.reward(side, t, n)
			return true
		}
	}
	return false
}

// loses tells whether the side to move loses within n further turns of its
// opponent, whatever it does: the AND nodes.
//
// A reply that holds out longest is likeliest to refute. So the replies are
// sieved: first those that lose in one turn drop out, which is cheap to find,
// then those that lose in two, and so on; the first that is left after n
// refutes.
func (s *Solver) loses(p *position.Position, n, depth int) bool {
	if p.Over() {
		return p.Result() == winFor(p.SideToMove().Opponent())
	}
	if n == 0 {
		return false
	}
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	if slices.Contains(here.turns, here.refuter) && !s.losesBy(p, here.refuter, n, depth) {
		return false
	}
	s.worth.order(here.turns, p.SideToMove())
	left := here.turns
	for k := 1; k <= n; k++ {
		kept := left[:0]
		for _, t := range left {
			if s.losesBy(p, t, k, depth) {
				continue
			}
			if s.spent() {
				return false
			}
			if k == n {
				here.refuter = t
				s.worth.reward(p.SideToMove(), t, n)
				return false
			}
			kept = append(kept, t)
		}
		left = kept
	}
	return true
}

// losesBy tells whether the side to move loses within n turns of its opponent
// after the reply t.
func (s *Solver) losesBy(p *position.Position, t position.Turn, n, depth int) bool {
	s.nodes++
	child := &s.plies[depth].child
	p.Play(child, t)
	if child.Over() {
		return child.Result() == winFor(p.SideToMove().Opponent())
	}
	return s.wins(child, n, depth+1)
}

// winFor is the result in which a side has won.
func winFor(side position.Side) position.Result {
	return position.WhiteWins + position.Result(side)
}

// winsNow tells whether some turn of the side to move wins at once: by taking
// off the ring that wins, or as the turn ends the game on the board.
func (s *Solver) winsNow(p *position.Position, depth int) bool {
	s.nodes++
	here := &s.plies[depth]
	us := p.SideToMove()
	if mayEndOnBoard(p) {
		return s.winsByPlaying(p, depth)
	}
	missing := p.Rules().WinningRings() - p.Removed(us)
	if missing == 1 {
		return p.HasRow(us) || p.CanComplete(us)
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	for _, t := range here.turns {
		if t.Removals() >= missing {
			return true
		}
	}
	return false
}

// winsByPlaying is winsNow by the definition: it plays every turn.
func (s *Solver) winsByPlaying(p *position.Position, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		if here.child.Result() == winFor(p.SideToMove()) {
			return true
		}
	}
	return false
}

// mayEndOnBoard tells whether the next turn may end the game other than by the
// ring that wins. False is certain: the pool does not run out, and the opponent
// has vacant points next to its rings, two of them at least, of which the turn
// can fill only one.
func mayEndOnBoard(p *position.Position) bool {
	if p.Placing() || p.Pool() <= 1 {
		return true
	}
	var near position.Bitboard
	for rings := p.Rings(p.SideToMove().Opponent()); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		near = near.Or(neighbours[rings.First()])
	}
	return near.And(p.Vacant()).Count() < 2
}

// pointSet is the set of one point.
func pointSet(p position.Point) position.Bitboard {
	if p < 64 {
		return position.Bitboard{Lo: 1 << p}
	}
	return position.Bitboard{Hi: 1 << (p - 64)}
}

// neighbours are the points next to each point along the three lines.
var neighbours = func() (near [128]position.Bitboard) {
	for column := range position.Columns {
		for number := range 12 {
			at, ok := position.PointAt(column, number)
			if !ok {
				continue
			}
			for _, d := range [...][2]int{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}} {
				if next, ok := position.PointAt(column+d[0], number+d[1]); ok {
					near[at] = near[at].Or(pointSet(next))
				}
			}
		}
	}
	return near
}()

// history counts how often turns have decided a node, by side and by the two
// points of the ring move.
type history [2][128][128]int32

// reward counts that t decided a node with n turns to go.
func (h *history) reward(side position.Side, t position.Turn, n int) {
	h[side][t.From()][t.To()] += int32(n * n)
}

// weight is what a turn is sorted by: first those that take most rings
// off, then by history.
func (h *history) weight(t position.Turn, side position.Side) int64 {
	return int64(t.Removals())<<40 + int64(h[side][t.From()][t.To()])
}

// order sorts turns by falling weight, and leaves those of equal weight as
// they were.
func (h *history) order(turns []position.Turn, side position.Side) {
	var room [256]int64
	weights := room[:0]
	for i, t := range turns {
		w := h.weight(t, side)
		weights = append(weights, w)
		j := i
		for ; j > 0 && weights[j-1] < w; j-- {
			turns[j], weights[j] = turns[j-1], weights[j-1]
		}
		turns[j], weights[j] = t, w
	}
}

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
