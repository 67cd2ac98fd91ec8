// Package mate knows how games are won: it proves a win in so many turns or that there
// is none, and tells when one row decides a game.
//
//	prove.go  the prover
//	rows.go   one row from winning, and rows that the opponent completed
package mate

import (
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/timemanager"
)

// prover searches for a win in so many turns of the side to move and nothing
// else: every turn of both sides, nothing left out, so that its no is a proof
// too. A win is any end of the game with more rings removed.
type prover struct {
	control *timemanager.Manager
	nodes   uint64
	known   map[uint64]provenTurns
	plies   []provePly
}

// provenTurns is what is known of a position with the attacker to move.
type provenTurns struct {
	wins   int8 // wins in so many of his turns; 0 if not known to win
	misses int8 // does not win in so many
}

// provePly is the memory of one ply.
type provePly struct {
	child position.Position
	turns []position.Turn
}

// mostKnown bounds the memory of a prover: about 64 MiB.
const mostKnown = 1 << 20

// Prove looks for a win in limits.Mate turns, the shortest first. It reports
// what it proves, and tells whether it found a win.
func Prove(c *timemanager.Manager, root *position.Position, turns []position.Turn, report func(search.Info)) (search.Outcome, bool) {
	p := &prover{control: c, known: map[uint64]provenTurns{}}
	most := min(c.Limits.Mate, search.MaxDepth/2)
	p.plies = make([]provePly, 2*most+2)
	for n := 1; n <= most; n++ {
		for _, t := range turns {
			var child position.Position
			root.Play(&child, t)
			if !p.loses(&child, n-1, 1) {
				continue
			}
			info := p.info(2*n-1, search.Info{Score: search.WinIn(2*n - 1), PV: p.line(root, t, n)})
			report(info)
			return search.Outcome{Best: t, Info: info}, true
		}
		if c.Stopped() {
			return search.Outcome{}, false
		}
		report(p.info(2*n-1, search.Info{Message: fmt.Sprintf("no win in %d %s", n, plural(n))}))
	}
	return search.Outcome{}, false
}

// plural is "turn" or "turns".
func plural(n int) string {
	if n == 1 {
		return "turn"
	}
	return "turns"
}

// info completes a report.
func (p *prover) info(depth int, i search.Info) search.Info {
	i.Depth, i.SelDepth, i.MultiPV, i.Nodes, i.Time = depth, depth, 1, p.nodes, p.control.Elapsed()
	return i
}

// loses tells whether the side to move has lost, or loses within n turns of its
// opponent whatever it does.
func (p *prover) loses(q *position.Position, n, at int) bool {
	if p.visit() {
		return false
	}
	here := &p.plies[at]
	here.turns = q.Turns(here.turns[:0])
	if len(here.turns) == 0 {
		return wins(q, q.SideToMove().Opponent())
	}
	if n == 0 {
		return false
	}
	for _, t := range here.turns {
		q.Play(&here.child, t)
		if !p.wins(&here.child, n, at+1) {
			return false
		}
	}
	return true
}

// wins tells whether the side to move has won, or wins within n of its turns.
func (p *prover) wins(q *position.Position, n, at int) bool {
	if p.visit() {
		return false
	}
	known := p.known[q.Hash()]
	if known.wins > 0 && int(known.wins) <= n || int(known.misses) >= n {
		return known.wins > 0 && int(known.wins) <= n
	}
	won := p.findWin(q, n, at)
	if p.control.Stopped() || len(p.known) >= mostKnown {
		return won
	}
	if won {
		known.wins = int8(n)
	} else {
		known.misses = int8(n)
	}
	p.known[q.Hash()] = known
	return won
}

// findWin tries the turns of the side that is to win, those that take rows off
// first.
func (p *prover) findWin(q *position.Position, n, at int) bool {
	here := &p.plies[at]
	here.turns = q.CompletingTurns(here.turns[:0])
	rows := len(here.turns)
	if rows > 0 && OneRowFromWinning(q, q.SideToMove()) {
		return true
	}
	here.turns = q.Turns(here.turns)
	if rows == len(here.turns) {
		return wins(q, q.SideToMove())
	}
	for i, t := range here.turns {
		if i >= rows && t.Removals() > 0 {
			continue // tried among the first
		}
		q.Play(&here.child, t)
		if p.loses(&here.child, n-1, at+1) {
			return true
		}
	}
	return false
}

// wins tells whether a game that is over is won by a side.
func wins(q *position.Position, s position.Side) bool { return q.Removed(s) > q.Removed(s.Opponent()) }

// visit counts a node, and tells whether to give up.
func (p *prover) visit() (stop bool) {
	p.nodes++
	if p.nodes%timemanager.CheckEvery == 0 || p.control.Limits.Nodes > 0 {
		p.control.Check(p.nodes)
	}
	return p.control.Stopped()
}

// line is a principal variation of a win in n turns by t: for the loser a reply
// that lasts as long as any.
func (p *prover) line(root *position.Position, t position.Turn, n int) []position.Turn {
	line := []position.Turn{t}
	var lost, next position.Position
	root.Play(&lost, t)
	for n--; !lost.Over() && n > 0; n-- {
		reply := p.longestReply(&lost, n)
		lost.Play(&next, reply)
		line = append(line, reply)
		if next.Over() {
			break
		}
		t = p.winningTurn(&next, n)
		if t == position.None {
			break
		}
		line = append(line, t)
		next.Play(&lost, t)
	}
	return line
}

// longestReply returns the reply of a side that loses within n turns of its
// opponent that puts the end off longest.
func (p *prover) longestReply(q *position.Position, n int) position.Turn {
	replies := q.Turns(nil)
	for _, t := range replies {
		var child position.Position
		q.Play(&child, t)
		if n == 1 || !p.wins(&child, n-1, 1) {
			return t
		}
	}
	return replies[0]
}

// winningTurn returns a turn that wins within n turns.
func (p *prover) winningTurn(q *position.Position, n int) position.Turn {
	for _, t := range q.Turns(nil) {
		var child position.Position
		q.Play(&child, t)
		if p.loses(&child, n-1, 1) {
			return t
		}
	}
	return position.None
}
