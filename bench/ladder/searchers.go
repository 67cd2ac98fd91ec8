package ladder

import (
	"math"
	"math/rand/v2"
	"sync"

	"gyre/position"
)

// alphaBeta is plain iterative-deepening alpha-beta. It stops after a number of nodes or at
// a fixed depth. It has no transposition table. Turns that remove rows are searched first,
// and at the root the best turns of the previous iteration. Root turns are shuffled so that
// games do not repeat.
type alphaBeta struct {
	limit    uint64                       // in nodes
	deepest  int                          // in turns
	evaluate func(*position.Position) int // for the side to move
	nodes    uint64
	stopped  func() bool
	turns    [][]position.Turn // buffers, indexed by remaining depth
}

// longestGame is a depth that no search reaches: every game is shorter.
const longestGame = 100

// byNodes returns an alpha-beta player limited to a number of nodes.
func byNodes(limit uint64) *alphaBeta {
	return &alphaBeta{limit: limit, deepest: longestGame, evaluate: evaluate}
}

func (a *alphaBeta) choose(p *position.Position, stopped func() bool) choice {
	a.nodes, a.stopped = 0, stopped
	root := p.Turns(nil)
	rand.Shuffle(len(root), func(i, j int) { root[i], root[j] = root[j], root[i] })
	removalsFirst(root)
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
			// Use an interrupted iteration too: it searched the previous best
			// turn first, so only a better one can replace it.
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

// over reports whether the search must end.
func (a *alphaBeta) over() bool {
	return a.nodes >= a.limit || a.nodes%256 == 0 && a.nodes > 0 && a.stopped()
}

// search returns the score of p for the side to move. The score is exact if it is between
// alpha and beta.
func (a *alphaBeta) search(p *position.Position, depth, alpha, beta int) int {
	a.nodes++
	if depth == 0 || p.Over() {
		return a.evaluate(p)
	}
	for len(a.turns) <= depth {
		a.turns = append(a.turns, nil)
	}
	turns := p.Turns(a.turns[depth][:0])
	a.turns[depth] = turns
	removalsFirst(turns)
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

// removalsFirst moves the turns that remove rows to the front.
func removalsFirst(turns []position.Turn) {
	next := 0
	for i, t := range turns {
		if t.Removals() > 0 {
			turns[next], turns[i] = turns[i], turns[next]
			next++
		}
	}
}

// The alpha-beta robots of boardspace.net, the YINSH programs most people have played:
// WeakBot searches 2 turns deep, Dumbot 3 and SmartBot 4, also while placing rings. For
// each side they evaluate
//
//	100 for each removed ring
//	0.1 for each move of its rings
//	0.1 for each marker that these moves flip
//	0.1 for each marker of its color on the board
//
// and take the difference. This implementation follows that description (D. Dyer,
// yinsh/common/YinshPlay.java in the sources of boardspace.net, 2006-2023), not the code.
// It differs where the description is silent or depends on the site's driver:
//
//   - In its first 12 moves a robot picks one of its best 21 to 32 turns at random. Here
//     only ties are broken at random, because matches begin from openings.
//   - A finished game outweighs any evaluation.
//   - The flips of all moves are added up, even if several moves flip the same marker.
//   - There is no time limit.
//
// The unit is a tenth, so that all weights are integers.
const (
	boardspaceRing = 1000
	boardspaceOne  = 1
)

// boardspace returns the robot that searches to depth.
func boardspace(depth int) *alphaBeta {
	return &alphaBeta{limit: 1 << 62, deepest: depth, evaluate: evaluateBoardspace}
}

// evaluateBoardspace returns the robots' evaluation for the side to move.
func evaluateBoardspace(p *position.Position) int {
	own := p.SideToMove()
	if ended, score := endScore(p, own); ended {
		return score
	}
	return boardspaceSide(p, own) - boardspaceSide(p, own.Opponent())
}

// boardspaceSide returns the evaluation of one side.
func boardspaceSide(p *position.Position, s position.Side) int {
	spans := betweenPoints()
	markers := p.AllMarkers()
	moves, flips := 0, 0
	for rings := p.Rings(s); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		from := rings.First()
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			moves++
			flips += spans[from][targets.First()].And(markers).Count()
		}
	}
	return boardspaceRing*p.Removed(s) + boardspaceOne*(moves+flips+p.Markers(s).Count())
}

// paddedPoints is one more than the largest position.Point.
const paddedPoints = 121

// betweenPoints returns, for each two points of a line, the set of points between them.
var betweenPoints = sync.OnceValue(func() *[paddedPoints][paddedPoints]position.Bitboard {
	var all [paddedPoints][paddedPoints]position.Bitboard
	points := position.Board().Points(nil)
	for _, from := range points {
		for _, to := range points {
			d, ok := position.DirectionOf(from, to)
			if from == to || !ok {
				continue
			}
			for _, middle := range points {
				first, ok1 := position.DirectionOf(from, middle)
				second, ok2 := position.DirectionOf(middle, to)
				inside := min(from, to) < middle && middle < max(from, to)
				if inside && ok1 && ok2 && first == d && second == d {
					all[from][to] = all[from][to].Or(setOf(middle))
				}
			}
		}
	}
	return &all
})

// setOf returns the set that holds only p.
func setOf(p position.Point) position.Bitboard {
	rest := position.Board()
	for rest.First() != p {
		rest = rest.WithoutFirst()
	}
	return rest.AndNot(rest.WithoutFirst())
}

// monteCarlo is plain UCT. Each playout adds one node to the tree and plays random turns
// from it. The root turn with the most playouts wins.
//
// Source: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (2006).
type monteCarlo struct {
	limit uint64
}

// exploration is the UCT exploration constant, for results from 0 to 1.
const exploration = 0.7

// branch is a node of the tree.
type branch struct {
	turn     position.Turn // the turn that leads to this node
	untried  []position.Turn
	children []*branch
	visits   float64
	points   float64 // for the side that played turn
	open     bool    // whether untried has been filled
}

func (m *monteCarlo) choose(p *position.Position, stopped func() bool) choice {
	rng := rand.NewPCG(rand.Uint64(), rand.Uint64())
	root := &branch{}
	n := uint64(0)
	for ; n < m.limit && (n == 0 || n%64 != 0 || !stopped()); n++ {
		at := *p
		root.descend(&at, rng)
	}
	best := root.children[0]
	for _, c := range root.children {
		if c.visits > best.visits {
			best = c
		}
	}
	return choice{turn: best.turn, nodes: n, depth: 1, known: true, score: int(1000 * (best.points/best.visits - 0.5))}
}

// descend walks down the tree from the node of p, adds a leaf, plays a random game from it
// and returns the result. It modifies p.
func (b *branch) descend(p *position.Position, rng *rand.PCG) position.Result {
	if p.Over() {
		return p.Result()
	}
	if !b.open {
		b.open, b.untried = true, p.Turns(nil)
	}
	side := p.SideToMove()
	var next *branch
	var result position.Result
	var child position.Position
	if len(b.untried) > 0 {
		i := int(rng.Uint64() % uint64(len(b.untried)))
		last := len(b.untried) - 1
		next = &branch{turn: b.untried[i]}
		b.untried[i] = b.untried[last]
		b.untried = b.untried[:last]
		b.children = append(b.children, next)
		p.Play(&child, next.turn)
		result, _ = child.Playout(rng)
	} else {
		next = b.pick()
		p.Play(&child, next.turn)
		result = next.descend(&child, rng)
	}
	if len(b.untried) == 0 {
		b.untried = nil
	}
	next.visits++
	next.points += share(result, side)
	return result
}

// pick returns the child with the highest upper confidence bound.
func (b *branch) pick() *branch {
	total := 0.0
	for _, c := range b.children {
		total += c.visits
	}
	best, highest := b.children[0], math.Inf(-1)
	for _, c := range b.children {
		bound := c.points/c.visits + exploration*math.Sqrt(math.Log(total)/c.visits)
		if bound > highest {
			best, highest = c, bound
		}
	}
	return best
}

// share returns the points that a side gets: 1, 0.5 or 0.
func share(result position.Result, side position.Side) float64 {
	switch result {
	case position.WhiteWins + position.Result(side):
		return 1
	case position.Draw:
		return 0.5
	}
	return 0
}
