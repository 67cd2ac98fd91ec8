// Package mate knows how games are won: it proves a win in so many turns or that there
// is none, and tells when one row decides a game.
//
//	search.go  a search for a win, and its principal variation
//	prove.go   the prover
//	proofs.go  what it remembers
//	rows.go    one row from winning, and rows that the opponent completed
package mate

import (
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/timemanager"
)

// Search looks for a win of the side to move in as many of its turns as the limits say,
// by one of some turns, the shortest first, and reports what it proves. If it finds none
// the turn to play is that of the search that answer makes, with at most so many nodes of
// what the limits leave.
func Search(m *timemanager.Manager, from *position.Position, turns []position.Turn, report func(search.Info),
	most uint64, answer func() search.Outcome) search.Outcome {
	p := &prover{limits: m, known: newProofs(mostProofs), plies: make([]provePly, 2*m.Mate()+2)}
	out, found := p.search(from, turns, report)
	p.known.close()
	if found {
		return out
	}
	m.LimitRest(p.nodes, most)
	out = answer()
	out.Info.Nodes += p.nodes
	return out
}

// search looks for wins in one turn, in two and so on, until a limit is reached.
func (p *prover) search(from *position.Position, turns []position.Turn, report func(search.Info)) (search.Outcome, bool) {
	for n := 1; n <= p.limits.Mate(); n++ {
		depth := 2*n - 1
		if !p.limits.StartIteration(depth, p.nodes, 0) {
			break
		}
		for _, t := range turns {
			var child position.Position
			from.Play(&child, t)
			if !p.loses(&child, n-1, 1) {
				continue
			}
			info := p.info(depth, search.Info{Score: search.WinIn(depth), PV: p.line(from, t, n)})
			report(info)
			return search.Outcome{Best: t, Info: info}, true
		}
		if p.limits.Stopped() {
			break
		}
		report(p.info(depth, search.Info{Message: fmt.Sprintf("no win in %d %s", n, plural(n))}))
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
	i.Depth, i.SelDepth, i.MultiPV, i.Nodes, i.Time = depth, depth, 1, p.nodes, p.limits.Elapsed(p.nodes)
	return i
}

// line is a principal variation of a win in n turns by t: for the loser a reply
// that lasts as long as any.
func (p *prover) line(from *position.Position, t position.Turn, n int) []position.Turn {
	line := []position.Turn{t}
	var lost, next position.Position
	from.Play(&lost, t)
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
