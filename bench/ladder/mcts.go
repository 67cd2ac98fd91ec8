package ladder

import (
	"math"
	"math/rand/v2"

	"gyre/position"
)

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
