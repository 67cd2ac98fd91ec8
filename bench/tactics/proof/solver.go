// Package proof proves forced wins by exhaustive AND/OR search. It uses only the rules, not
// the engine's search or evaluation. The tests of the tactical suite and the program that
// generates the suite use it; the engine does not.
//
// A side wins in n turns if it can force the game to be over and won after at most n of its own
// turns. The opponent's reply to the last of them may be what ends the game: it can place the last
// marker. So a win in n turns takes at most 2n plies. Every kind of win counts: removing the winning
// ring, or having removed more rings when the pool is empty or nobody can move.
package proof

import (
	"slices"

	"gyre/position"
)

// The longest win that a Solver can search for.
const (
	MaxTurns = 8            // of the winner
	MaxPlies = 2 * MaxTurns // of both sides
)

// Solver proves and refutes forced wins. It keeps results between calls. It is not safe for
// concurrent use; give each goroutine its own.
type Solver struct {
	memo   memo
	plies  [MaxPlies + 1]ply
	worth  history
	nodes  uint64
	budget uint64 // nodes at which to give up; 0 for no limit
}

// ply is the state of one ply of the tree.
type ply struct {
	turns   []position.Turn
	child   position.Position
	refuter position.Turn // the last refuting reply at this ply
}

// NewSolver returns a solver with an empty memory.
func NewSolver() *Solver { return &Solver{} }

// Verdict is the answer to a question with a limit on nodes.
type Verdict uint8

// The verdicts.
const (
	Refuted Verdict = iota // exhaustive search shows the opposite
	Proven                 // it is so
	Unknown                // the node budget ran out first
)

// Wins reports whether the side to move has a forced win within n of its own turns. n must
// be at most [MaxTurns].
func (s *Solver) Wins(p *position.Position, n int) bool {
	s.budget = 0
	return n > 0 && !p.Over() && s.wins(p, 2*n, 0)
}

// TryWins is like [Solver.Wins] but limited to a number of nodes.
func (s *Solver) TryWins(p *position.Position, n int, nodes uint64) Verdict {
	return s.TryWinsWithin(p, 2*n, nodes)
}

// TryWinsWithin returns whether the side to move has a forced win within a number of plies, at most
// [MaxPlies]: turns of both sides.
func (s *Solver) TryWinsWithin(p *position.Position, plies int, nodes uint64) Verdict {
	s.budget = s.nodes + nodes
	return s.verdict(plies > 0 && !p.Over() && s.wins(p, plies, 0))
}

// TryLosesWithin returns whether the side to move has lost, or loses within a number of plies, at
// most [MaxPlies], whatever it plays.
func (s *Solver) TryLosesWithin(p *position.Position, plies int, nodes uint64) Verdict {
	s.budget = s.nodes + nodes
	return s.verdict(s.loses(p, plies, 0))
}

// verdict returns the verdict for an answer that was found within the budget or not.
func (s *Solver) verdict(answer bool) Verdict {
	switch {
	case s.spent():
		return Unknown
	case answer:
		return Proven
	}
	return Refuted
}

// WinningTurns returns all turns of the side to move that win within n turns, including the
// first, in the order of [position.Position.Turns].
func (s *Solver) WinningTurns(p *position.Position, n int) (winning []position.Turn) {
	s.budget = 0
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		if s.loses(&child, 2*n-1, 1) {
			winning = append(winning, t)
		}
	}
	return winning
}

// spent reports whether the budget has run out. Answers are then meaningless and are not
// kept.
func (s *Solver) spent() bool { return s.budget > 0 && s.nodes >= s.budget }

// wins reports whether the side to move wins within a number of plies, at least one, when the
// game is not over. It is the OR node.
func (s *Solver) wins(p *position.Position, plies, depth int) bool {
	if plies == 1 || plies == 2 && !mayEndInTwo(p) {
		return s.winsNow(p, depth)
	}
	if answer, known := s.memo.find(p, plies); known {
		return answer
	}
	won := s.wins(p, max(plies-2, 1), depth) || s.winsBySome(p, plies, depth)
	if !s.spent() {
		s.memo.keep(p, plies, won)
	}
	return won
}

// winsBySome reports whether some turn of the side to move wins within a number of plies.
func (s *Solver) winsBySome(p *position.Position, plies, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	side := p.SideToMove()
	s.worth.order(here.turns, side)
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		won := s.loses(&here.child, plies-1, depth+1)
		if s.spent() {
			return false
		}
		if won {
			s.worth.reward(side, t, plies)
			return true
		}
	}
	return false
}

// loses reports whether the side to move has lost, or loses within a number of plies, whatever it
// plays. It is the AND node.
//
// A reply that holds out longest is most likely to refute. So the replies are filtered
// repeatedly: replies that lose soon are cheap to find and drop out first, then those that lose
// two plies later, and so on. A reply that survives all rounds refutes the win.
func (s *Solver) loses(p *position.Position, plies, depth int) bool {
	if p.Over() {
		return p.Result() == position.WonBy(p.SideToMove().Opponent())
	}
	if plies == 0 || plies == 1 && !mayEndOnBoard(p) {
		return false
	}
	plies-- // after the reply
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	if slices.Contains(here.turns, here.refuter) && !s.losesBy(p, here.refuter, plies, depth) {
		return false
	}
	s.worth.order(here.turns, p.SideToMove())
	left := here.turns
	first := plies % 2
	if first == 0 {
		first = min(plies, 2)
	}
	for k := first; k <= plies; k += 2 {
		kept := left[:0]
		for _, t := range left {
			if s.losesBy(p, t, k, depth) {
				continue
			}
			if s.spent() {
				return false
			}
			if k == plies {
				here.refuter = t
				s.worth.reward(p.SideToMove(), t, plies)
				return false
			}
			kept = append(kept, t)
		}
		left = kept
	}
	return true
}

// losesBy reports whether the side to move loses within a number of plies after the reply t.
func (s *Solver) losesBy(p *position.Position, t position.Turn, plies, depth int) bool {
	s.nodes++
	child := &s.plies[depth].child
	p.Play(child, t)
	if child.Over() {
		return child.Result() == position.WonBy(p.SideToMove().Opponent())
	}
	return plies > 0 && s.wins(child, plies, depth+1)
}

// winsNow reports whether some turn of the side to move wins at once, by removing the
// winning ring or by ending the game on the board.
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

// winsByPlaying is winsNow by definition: it plays every turn.
func (s *Solver) winsByPlaying(p *position.Position, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		if here.child.Result() == position.WonBy(p.SideToMove()) {
			return true
		}
	}
	return false
}

// mayEndOnBoard reports whether the next turn may end the game other than by the winning
// ring. False is certain: the pool does not run out, and the opponent has at least two vacant
// points next to its rings, of which one turn can fill only one.
func mayEndOnBoard(p *position.Position) bool {
	return p.Placing() || p.Pool() <= 1 || vacantNear(p, p.Rings(p.SideToMove().Opponent())) < 2
}

// mayEndInTwo reports whether the reply to a turn that does not win may end the game. False is
// certain: the pool does not run out, and the side to move can still move after the reply. Enough
// of its rings have three vacant points next to them, of which two turns fill only two; the turn
// moves one ring and removes fewer than the winning number.
func mayEndInTwo(p *position.Position) bool {
	if p.Placing() || p.Pool() <= 2 {
		return true
	}
	tight := 0
	for rings := p.Rings(p.SideToMove()); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		if vacantNear(p, position.BitboardOf(rings.First())) < 3 {
			tight++
		}
	}
	return tight > 1
}

// vacantNear counts the vacant points next to rings.
func vacantNear(p *position.Position, rings position.Bitboard) int {
	var near position.Bitboard
	for ; !rings.IsEmpty(); rings = rings.WithoutFirst() {
		near = near.Or(neighbors[rings.First()])
	}
	return near.And(p.Vacant()).Count()
}

// neighbors holds the points adjacent to each point along the three lines.
var neighbors = func() (near [128]position.Bitboard) {
	for column := range position.Columns {
		for number := range 12 {
			at, ok := position.PointAt(column, number)
			if !ok {
				continue
			}
			for _, d := range [...][2]int{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}} {
				if next, ok := position.PointAt(column+d[0], number+d[1]); ok {
					near[at] = near[at].Or(position.BitboardOf(next))
				}
			}
		}
	}
	return near
}()

// history counts how often turns decided a node, by side and by the two points of the ring
// move.
type history [2][128][128]int32

// reward records that t decided a node with a number of plies left.
func (h *history) reward(side position.Side, t position.Turn, plies int) {
	h[side][t.From()][t.To()] += int32(plies * plies)
}

// weight returns the sort key of a turn: first the number of removed rings, then its
// history.
func (h *history) weight(t position.Turn, side position.Side) int64 {
	return int64(t.Removals())<<40 + int64(h[side][t.From()][t.To()])
}

// order sorts turns stably by decreasing weight.
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

// memo stores answers, in one table for each number of plies. It compares whole
// positions, not only hashes, so its answers are proven. New answers overwrite old ones.
type memo [MaxPlies + 1][]answer

// answer records whether the side to move wins a position within the table's number of
// plies.
type answer struct {
	position position.Position
	known    bool
	won      bool
}

// memoSlots is the number of answers in a table, a power of two.
const memoSlots = 1 << 15

// find returns whether the side to move wins within n plies, if that is known.
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
