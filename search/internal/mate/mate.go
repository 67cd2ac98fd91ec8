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
// starting with one of the given turns. The reply to the last of them may be what ends
// the game: it can place the last marker. Search tries shorter wins first and reports what
// it proves. If it finds no win, it reports and returns the answer of a normal search that
// came before, with the nodes of both.
func Search(m *timemanager.Manager, from *position.Position, turns []position.Turn, report func(search.Info), answer search.Outcome) search.Outcome {
	p := &prover{limits: m, nodes: answer.Info.Nodes, known: newProofs(maxProofs), plies: make([]provePly, 2*m.Mate()+3)}
	defer p.known.close()
	p.check = m.Check(p.nodes)
	if out, found := p.search(from, turns, report); found {
		return out
	}
	answer.Info.Nodes, answer.Info.Time = p.nodes, m.Elapsed(p.nodes)
	if len(answer.Info.PV) > 0 {
		report(answer.Info)
	}
	return answer
}

// search searches for wins in one turn, in two and so on, until a limit is reached.
func (p *prover) search(from *position.Position, turns []position.Turn, report func(search.Info)) (search.Outcome, bool) {
	for n := 1; n <= p.limits.Mate(); n++ {
		if !p.limits.StartIteration(2*n-1, p.nodes, 0) {
			break
		}
		t, plies := p.firstWinning(from, turns, 2*n)
		if plies == 2*n { // most wins end with a turn of the winner
			if quicker, least := p.firstWinning(from, turns, 2*n-1); least > 0 {
				t, plies = quicker, least
			}
		}
		if plies > 0 {
			info := p.info(plies, search.Info{Score: search.WinIn(plies), PV: p.line(from, t, plies)})
			report(info)
			return search.Outcome{Best: t, Info: info}, true
		}
		if p.limits.Stopped() {
			break
		}
		report(p.info(2*n-1, search.Info{Message: fmt.Sprintf("no win in %d %s", n, plural(n))}))
	}
	return search.Outcome{}, false
}

// firstWinning returns the first of the turns that wins within a number of plies, and the plies
// that it takes at most, or 0 plies if none does.
func (p *prover) firstWinning(from *position.Position, turns []position.Turn, plies int) (position.Turn, int) {
	for _, t := range turns {
		var child position.Position
		from.Play(&child, t)
		if lasts, lost := p.loses(&child, plies-1, 1); lost {
			return t, lasts + 1
		}
	}
	return position.None, 0
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

// line returns a principal variation of a win that starts with t and takes a number of plies. The
// loser plays a longest reply. The line is shorter if the search is stopped meanwhile.
func (p *prover) line(from *position.Position, t position.Turn, plies int) []position.Turn {
	line := []position.Turn{t}
	at := from.After(t)
	for plies--; plies > 0 && t != position.None; plies-- {
		t = position.None
		winner := len(line)%2 == 0
		for _, next := range at.Turns(nil) {
			child := at.After(next)
			if winner {
				if _, lost := p.loses(&child, plies-1, 1); lost {
					t = next
					break
				}
				continue
			}
			if plies == 1 || !child.Over() && p.wins(&child, plies-2, 1) == 0 && !p.limits.Stopped() {
				t = next
				break
			}
		}
		if t != position.None {
			line, at = append(line, t), at.After(t)
		}
	}
	return line
}

// prover searches exhaustively for a win within a number of plies. It tries every turn of both
// sides, so a negative answer is a proof, too. A win is any end of the game with more rings
// removed. It is found within the plies that it takes, or within fewer than two more.
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

// loses reports whether the side to move has lost, or loses within a number of plies, and the
// plies that it can last at most.
func (p *prover) loses(q *position.Position, plies, at int) (lasts int, lost bool) {
	if p.visit() {
		return 0, false
	}
	here := &p.plies[at]
	here.turns = q.Turns(here.turns[:0])
	if len(here.turns) == 0 {
		return 0, wins(q, q.SideToMove().Opponent())
	}
	if plies == 0 {
		return 0, false
	}
	for _, t := range here.turns {
		q.Play(&here.child, t)
		won := 0
		if plies > 1 {
			won = p.wins(&here.child, plies-1, at+1)
		}
		if won == 0 && !(here.child.Over() && wins(&here.child, here.child.SideToMove())) {
			return 0, false
		}
		lasts = max(lasts, won+1)
	}
	return lasts, true
}

// wins returns a number of plies, not more than the given one, within which the side to move wins,
// or 0 if it does not or the game is over.
func (p *prover) wins(q *position.Position, plies, at int) int {
	if p.visit() {
		return 0
	}
	known := p.known.find(q.Hash())
	if known.wins > 0 && int(known.wins) <= plies {
		return int(known.wins)
	}
	if int(known.misses) >= plies {
		return 0
	}
	won := p.findWin(q, plies, at)
	if p.limits.Stopped() {
		return won
	}
	if won > 0 {
		known.wins = int8(won)
	} else {
		known.misses = int8(plies)
	}
	p.known.keep(known)
	return won
}

// findWin tries the turns of the attacker, row-taking turns first.
func (p *prover) findWin(q *position.Position, plies, at int) int {
	here := &p.plies[at]
	here.turns = q.CompletingTurns(here.turns[:0])
	rows := len(here.turns)
	if rows > 0 && OneRowFromWinning(q, q.SideToMove()) {
		return 1
	}
	here.turns = q.Turns(here.turns)
	for i, t := range here.turns {
		if i >= rows && t.Removals() > 0 {
			continue // tried already
		}
		q.Play(&here.child, t)
		if lasts, lost := p.loses(&here.child, plies-1, at+1); lost {
			return lasts + 1
		}
	}
	return 0
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
	wins   int8   // the attacker wins within this many plies; 0 if unknown
	misses int8   // the attacker does not win within this many plies
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
