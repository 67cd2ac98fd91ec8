package ladder

import (
	"math/rand/v2"

	"gyre/position"
)

// alphaBeta searches by plain alpha-beta, deeper and deeper, until it has visited
// its number of nodes or reached its depth. It has no table; the turns that take rows off come first,
// and at the root those that were best before. Equal turns at the root are
// shuffled, so that it does not repeat its games.
type alphaBeta struct {
	limit   uint64                       // of nodes
	deepest int                          // turns
	judge   func(*position.Position) int // for the side to move
	nodes   uint64
	stopped func() bool
	turns   [][]position.Turn // by depth left
}

// longestGame is a depth that no search reaches: no game is longer.
const longestGame = 100

// byNodes is alpha-beta to a number of nodes.
func byNodes(limit uint64) *alphaBeta {
	return &alphaBeta{limit: limit, deepest: longestGame, judge: judge}
}

func (a *alphaBeta) choose(p *position.Position, stopped func() bool) choice {
	a.nodes, a.stopped = 0, stopped
	root := p.Turns(nil)
	rand.Shuffle(len(root), func(i, j int) { root[i], root[j] = root[j], root[i] })
	takersFirst(root)
	best := choice{turn: root[0]}
	for depth := 1; depth <= a.deepest && !a.over(); depth++ {
		score, at := -won-1, 0
		for i, t := range root {
			var child position.Position
			p.Play(&child, t)
			value := -a.search(&child, depth-1, -won-1, -score)
			if a.over() {
				break
			}
			if value > score {
				score, at = value, i
			}
		}
		if score >= -won {
			// Also of an iteration that is cut off: what was best before is
			// searched first, so that only something better replaces it.
			best = choice{turn: root[at], score: score, known: true, depth: depth}
			t := root[at]
			copy(root[1:at+1], root[:at])
			root[0] = t
		}
		if score >= won || score <= -won || len(root) == 1 {
			break
		}
	}
	best.nodes = a.nodes
	return best
}

// over tells whether the search has to end.
func (a *alphaBeta) over() bool {
	return a.nodes >= a.limit || a.nodes%256 == 0 && a.nodes > 0 && a.stopped()
}

// search returns the score of p for the side to move, exact if between alpha and
// beta.
func (a *alphaBeta) search(p *position.Position, depth, alpha, beta int) int {
	a.nodes++
	if depth == 0 || p.Over() {
		return a.judge(p)
	}
	for len(a.turns) <= depth {
		a.turns = append(a.turns, nil)
	}
	turns := p.Turns(a.turns[depth][:0])
	a.turns[depth] = turns
	takersFirst(turns)
	best := -won - 1
	for _, t := range turns {
		var child position.Position
		p.Play(&child, t)
		best = max(best, -a.search(&child, depth-1, -beta, -max(alpha, best)))
		if best >= beta || a.over() {
			break
		}
	}
	return best
}

// takersFirst brings the turns that take rows off to the front.
func takersFirst(turns []position.Turn) {
	next := 0
	for i, t := range turns {
		if t.Removals() > 0 {
			turns[next], turns[i] = turns[i], turns[next]
			next++
		}
	}
}
