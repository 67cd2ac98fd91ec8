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

// Search searches for a win of the side to move within limits.Mate of its turns,
// starting with one of the given turns. It tries shorter wins first and reports what
// it proves. If it finds no win, it returns the turn from answer, a search of at most
// maxNodes nodes within the remaining limits.
func Search(m *timemanager.Manager, from *position.Position, turns []position.Turn, report func(search.Info),
	maxNodes uint64, answer func() search.Outcome) search.Outcome {
	p := &prover{limits: m, known: newProofs(maxProofs), plies: make([]provePly, 2*m.Mate()+2)}
	out, found := p.search(from, turns, report)
	p.known.close()
	if found {
		return out
	}
	m.LimitRest(p.nodes, maxNodes)
	out = answer()
	out.Info.Nodes += p.nodes
	return out
}

// search searches for wins in one turn, in two and so on, until a limit is reached.
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
			score, line := search.WinIn(depth), p.line(from, t, n)
			if end := from.AfterAll(line...); end.Over() {
				score = search.WinIn(len(line)) // the loser's last turn may end the game
			}
			info := p.info(depth, search.Info{Score: score, PV: line})
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

// line returns a principal variation of a win in n turns that starts with t. The
// loser plays a longest reply.
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

// longestReply returns a reply that delays the loss longest. The side to move loses
// within n turns of its opponent.
func (p *prover) longestReply(q *position.Position, n int) position.Turn {
	replies := q.Turns(nil)
	for _, t := range replies {
		var child position.Position
		q.Play(&child, t)
		if !child.Over() && (n == 1 || !p.wins(&child, n-1, 1)) {
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

// prover searches exhaustively for a win in a number of turns of the side to move. It
// tries every turn of both sides, so a negative answer is a proof, too. A win is any
// end of the game with more rings removed.
type prover struct {
	limits *timemanager.Manager
	nodes  uint64
	check  uint64 // number of nodes at which to check the limits again
	known  proofs
	plies  []provePly
}

// provePly is the memory of one ply.
type provePly struct {
	child position.Position
	turns []position.Turn
}

// loses reports whether the side to move has lost, or loses within n turns of its
// opponent.
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

// findWin tries the turns of the attacker, row-taking turns first.
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
			continue // tried already
		}
		q.Play(&here.child, t)
		if p.loses(&here.child, n-1, at+1) {
			return true
		}
	}
	return false
}

// wins reports whether side s has won a finished game.
func wins(q *position.Position, s position.Side) bool { return q.Removed(s) > q.Removed(s.Opponent()) }

// visit counts a node, and reports whether the search must stop.
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

// proof is the knowledge about a position with the attacker to move.
type proof struct {
	hash   uint64 // of the position
	wins   int8   // the attacker wins in this many turns; 0 if unknown
	misses int8   // the attacker does not win in this many turns
}

// maxProofs is the capacity of a prover's table, which takes 16 MiB.
const maxProofs = 1 << 20

// proofs is the prover's transposition table. Each position has one place, and always
// replaces its previous entry.
type proofs struct {
	memory *memory.Block[proof]
	places []proof // the values of memory
}

// newProofs returns an empty table with n places. The caller must close it.
func newProofs(n int) proofs {
	block := memory.AtMost[proof](n)
	return proofs{memory: block, places: block.Values()}
}

func (p *proofs) close() { p.memory.Free() }

// place returns the place of a position.
func (p *proofs) place(hash uint64) *proof {
	i, _ := bits.Mul64(hash, uint64(len(p.places)))
	return &p.places[i]
}

// find returns the proof of a position, or the zero proof.
func (p *proofs) find(hash uint64) proof {
	if known := *p.place(hash); known.hash == hash {
		return known
	}
	return proof{hash: hash}
}

func (p *proofs) keep(known proof) { *p.place(known.hash) = known }

// OneRowFromWinning reports whether s wins with its next row.
func OneRowFromWinning(p *position.Position, s position.Side) bool {
	return p.Removed(s)+1 >= p.Rules().WinningRings()
}

// OneRowDecides reports whether either side wins with its next row.
func OneRowDecides(p *position.Position) bool {
	return OneRowFromWinning(p, position.White) || OneRowFromWinning(p, position.Black)
}

// ScoreOpponentsRow returns the score of a leaf whose side to move has a row that its
// opponent made: the best score of judge after one removal, before the ring move.
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
