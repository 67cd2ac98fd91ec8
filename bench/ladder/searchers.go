package ladder

import (
	"math"
	"math/rand/v2"
	"sync"

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

// The alpha-beta robots of boardspace.net, where most people have met a program that
// plays YINSH: WeakBot searches 2 turns deep, Dumbot 3, SmartBot 4, in the placing of
// rings as well. Their evaluation is, of each side,
//
//	100 for a ring that it has removed
//	0.1 for each move that its rings have
//	0.1 for each marker that these moves flip
//	0.1 for each marker of its colour on the board
//
// and the difference of the two sides. This is written from that description (D. Dyer,
// yinsh/common/YinshPlay.java in the sources of boardspace.net, 2006-2023), not from
// their code, and differs where it says nothing or what depends on their driver:
//
//   - In their first 12 moves they take one of their best 21 to 32 at random. Here
//     equal turns alone are chosen among by chance: matches begin from openings.
//   - A game that is over counts more than any evaluation.
//   - All flips of all moves are added up, those of one marker by several moves too.
//   - They have no limit of time here.
//
// Units are tenths, so that they are whole numbers.
const (
	boardspaceRing = 1000
	boardspaceOne  = 1
)

// boardspace is the robot of a depth.
func boardspace(depth int) *alphaBeta {
	return &alphaBeta{limit: 1 << 62, deepest: depth, judge: judgeBoardspace}
}

// judgeBoardspace returns their evaluation for the side to move.
func judgeBoardspace(p *position.Position) int {
	own := p.SideToMove()
	if ended, score := judgeEnd(p, own); ended {
		return score
	}
	return boardspaceSide(p, own) - boardspaceSide(p, own.Opponent())
}

// boardspaceSide is the part of one side.
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

// paddedPoints is how many values a position.Point has.
const paddedPoints = 121

// betweenPoints returns the points between each two of a line.
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

// setOf returns the set of one point.
func setOf(p position.Point) position.Bitboard {
	rest := position.Board()
	for rest.First() != p {
		rest = rest.WithoutFirst()
	}
	return rest.AndNot(rest.WithoutFirst())
}

// monteCarlo is plain UCT: random playouts from the leaves of a tree, one more
// node each, and the turn that was played out most.
//
// Source: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (2006).
type monteCarlo struct {
	limit uint64
}

// exploration is the weight of what was tried little, for results from 0 to 1.
const exploration = 0.7

// branch is a node of the tree.
type branch struct {
	turn     position.Turn // that leads to it
	untried  []position.Turn
	children []*branch
	visits   float64
	points   float64 // of the side that made turn
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

// descend goes down the tree from the node of p, adds a leaf, plays out, and
// returns the result. It changes p.
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

// pick returns the child with the highest upper bound.
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

// share is the part of the point that a side gets.
func share(result position.Result, side position.Side) float64 {
	switch result {
	case position.WhiteWins + position.Result(side):
		return 1
	case position.Draw:
		return 0.5
	}
	return 0
}
