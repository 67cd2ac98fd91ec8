// Package mate searches for a mate in N and proves its result: that the mate exists,
// or that there is none. It also recognizes rows that decide a game.
package mate

import (
	"fmt"
	"math/bits"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/memory"
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

// prover searches for a win in so many turns of the side to move and nothing
// else: every turn of both sides, nothing left out, so that its no is a proof
// too. A win is any end of the game with more rings removed.
type prover struct {
	limits *timemanager.Manager
	nodes  uint64
	check  uint64 // at how many nodes to look at the limits again
	known  proofs
	plies  []provePly
}

// provePly is the memory of one ply.
type provePly struct {
	child position.Position
	turns []position.Turn
}

// loses reports whether the side to move has lost, or loses within n turns of its
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

// wins reports whether the side to move has won, or wins within n of its turns.
func (p *prover) wins(q *position.Position, n, at int) bool {
	if p.visit() {
		return false
	}
	known := p.known.find(q.Hash())
	if known.wins > 0 && int(known.wins) <= n || int(known.misses) >= n {
		return known.wins > 0 && int(known.wins) <= n
	}
	won := p.findWin(q, n, at)
	if p.limits.Stopped() {
		return won
	}
	if won {
		known.wins = int8(n)
	} else {
		known.misses = int8(n)
	}
	p.known.keep(known)
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

// wins reports whether a game that is over is won by a side.
func wins(q *position.Position, s position.Side) bool { return q.Removed(s) > q.Removed(s.Opponent()) }

// visit counts a node, and reports whether to give up.
func (p *prover) visit() (stop bool) {
	if p.limits.Stopped() {
		return true
	}
	p.nodes++
	if p.nodes >= p.check {
		p.check = p.limits.Check(p.nodes)
	}
	return p.limits.Stopped()
}

// proof is what is known of a position with the attacker to move.
type proof struct {
	hash   uint64 // of the position
	wins   int8   // wins in so many of his turns; 0 if not known to win
	misses int8   // does not win in so many
}

// mostProofs is how many proofs a prover remembers, in 16 MiB.
const mostProofs = 1 << 20

// proofs is the prover's transposition table: each position has one place, which
// it takes from whichever had it.
type proofs struct {
	memory *memory.Block[proof]
	places []proof // the values of memory
}

// newProofs returns a table with so many places, none of them taken. Close it.
func newProofs(most int) proofs {
	block := memory.AtMost[proof](most)
	return proofs{memory: block, places: block.Values()}
}

// close gives the memory back.
func (p *proofs) close() { p.memory.Free() }

// place returns where a position is kept.
func (p *proofs) place(hash uint64) *proof {
	i, _ := bits.Mul64(hash, uint64(len(p.places)))
	return &p.places[i]
}

// find returns what is known of a position.
func (p *proofs) find(hash uint64) proof {
	if known := *p.place(hash); known.hash == hash {
		return known
	}
	return proof{hash: hash}
}

// keep remembers what is known of a position.
func (p *proofs) keep(known proof) { *p.place(known.hash) = known }

// OneRowFromWinning reports whether a side wins with its next row.
func OneRowFromWinning(p *position.Position, s position.Side) bool {
	return p.Removed(s)+1 >= p.Rules().WinningRings()
}

// OneRowDecides reports whether either side wins with its next row.
func OneRowDecides(p *position.Position) bool {
	return OneRowFromWinning(p, position.White) || OneRowFromWinning(p, position.Black)
}

// ScoreOpponentsRow returns the score of a leaf whose side to move has a row that its
// opponent made: the best that judge finds after one removal, with the ring move
// of the turn still to come.
func ScoreOpponentsRow(p *position.Position, at int, judge func(position.Turn, *position.Position) search.Score) search.Score {
	if OneRowFromWinning(p, p.SideToMove()) {
		return search.WinIn(at + 1)
	}
	best := -search.Infinity
	var rows [position.RowCount]position.Step
	var rings [position.RingsPerSide]position.Step
	turn := position.Begin(p)
	for _, row := range turn.Steps(rows[:0]) {
		taken := turn
		taken.Apply(row)
		for _, ring := range taken.Steps(rings[:0]) {
			paid := taken
			paid.Apply(ring)
			best = max(best, judge(paid.Turn(), paid.Position()))
		}
	}
	return best
}
