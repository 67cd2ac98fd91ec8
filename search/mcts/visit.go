package mcts

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// explorer is one thread of a search with the memory for its visits.
type explorer struct {
	run       *run
	evaluator *evaluation.Evaluator
	path      []uint32 // places from the root to where the visit is
	frames    []frame  // the positions on the path
	lacking   int      // children for which the arena had no room

	turns   []position.Turn // of the position whose children are made
	newborn []newborn
	quiet   [quietPlies + 1]quietPly
}

// frame is a position with what its evaluation keeps up.
type frame struct {
	position position.Position
	worth    evaluation.Accumulator
}

// play sets a frame to the position after a turn from another.
func (e *explorer) play(f, from *frame, t position.Turn) {
	from.position.Play(&f.position, t)
	e.evaluator.Update(&f.worth, &from.worth, &from.position, t)
}

// newExplorer returns a thread of a search.
func newExplorer(r *run) *explorer {
	e := &explorer{run: r, evaluator: r.evaluator, frames: make([]frame, search.MaxDepth+1)}
	e.frames[0].position = *r.root
	e.evaluator.Reset(&e.frames[0].worth, r.root)
	return e
}

// explore makes visits until the search is over.
func (e *explorer) explore() {
	for !e.run.over() && e.visit() {
	}
}

// visit goes from the root down to a leaf, gives it children, and takes what
// they are worth back up. It tells whether a visit could be made.
func (e *explorer) visit() bool {
	if !e.run.claim() {
		return false
	}
	e.run.sweeping.RLock()
	value := e.descend()
	e.backUp(value)
	e.run.sweeping.RUnlock()
	if e.lacking > 0 {
		e.run.sweeping.Lock()
		e.run.arena.makeRoom(e.lacking)
		e.run.sweeping.Unlock()
		e.lacking = 0
	}
	return true
}

// descend follows the most promising turns to a leaf and returns its chance.
func (e *explorer) descend() chance {
	a := e.run.arena
	e.path = append(e.path[:0], 0)
	b := &a.branches[0]
	b.visits.Add(1)
	for ply := 0; ; ply++ {
		block := b.block.Load()
		switch {
		case ply > 0 && b.proof() != unproven || block == busyBlock || ply == search.MaxDepth:
			return b.chance()
		case block == noBlock:
			e.note(ply + 1)
			return e.open(e.path[ply], &e.frames[ply])
		}
		i, found := choose(b, a.blockAt(block), ply == 0 && e.run.lines > 1)
		if !found {
			return b.chance() // another thread proves it at this moment
		}
		at := block + 1 + uint32(i)
		e.path = append(e.path, at)
		b = &a.branches[at]
		b.visits.Add(1)
		e.play(&e.frames[ply+1], &e.frames[ply], b.turn)
	}
}

// note keeps the depth of the deepest line looked at.
func (e *explorer) note(depth int) {
	for {
		deepest := e.run.deepest.Load()
		if int32(depth) <= deepest || e.run.deepest.CompareAndSwap(deepest, int32(depth)) {
			return
		}
	}
}

// The weights of what draws a visit to a turn.
const (
	curiosity = 0.6 // of the prior against the value
	boldness  = 0.5 // of the minimax of what has been seen against its mean
)

// choose returns the child that a visit goes to: the one with the largest sum of
// value and curiosity (PUCT: Rosin, "Multi-armed Bandits with Episode Context",
// 2011). The value is part mean, part minimax (Lanctot et al., "Monte Carlo Tree
// Search with Heuristic Evaluations using Implicit Minimax Backups", 2014), and
// before the first visit the child's own evaluation. As children stand in the
// order of their evaluation, the first without a visit stands for all that
// follow. Turns that are proven to lose are never chosen; one that is proven to
// win ends the choice, unless other lines are wanted too.
func choose(parent *branch, children []branch, manyLines bool) (best int, found bool) {
	urge := curiosity * math.Sqrt(float64(parent.visits.Load())) / float64(certain)
	bestScore := math.Inf(-1)
	for i := range children {
		c := &children[i]
		switch end := c.proof().end(); {
		case end == won && !manyLines:
			return i, true
		case end == won || end == lost:
			continue
		}
		n := c.visits.Load()
		if score := c.promise() + float64(urge*float64(c.prior))/float64(n+1); score > bestScore {
			best, bestScore, found = i, score, true
		}
		if n == 0 {
			break
		}
	}
	return best, found
}

// promise returns the share of the points that a turn is worth by what is known.
func (b *branch) promise() float64 {
	minimax := b.chance().share()
	if mean, visited := b.mean(); visited {
		return float64(boldness*minimax) + float64((1-boldness)*mean)
	}
	return minimax
}

// backUp adds what a visit found to all branches on its path, and keeps up what
// they inherit from their children. A branch that gets proven on the way
// changes what is added above it.
func (e *explorer) backUp(value chance) {
	a := e.run.arena
	for ply := len(e.path) - 1; ply >= 0; ply-- {
		b := &a.branches[e.path[ply]]
		if ply > 0 && ply < len(e.path)-1 {
			inherit(b, a.children(e.path[ply]), a.branches[e.path[ply+1]].proof() != unproven)
			if b.proof() != unproven {
				value = b.chance()
			}
		}
		b.total.Add(int64(value))
		value = value.opponent()
	}
	if len(e.path) > 1 && a.branches[e.path[1]].proof() != unproven && e.run.settled() {
		e.run.done.Store(true)
	}
}

// inherit sets a branch to the minimax of its children, and proves it if they
// do; that can only be if one of them has just been proven.
func inherit(b *branch, children []branch, proven bool) {
	if proven {
		if p := prove(children); p != unproven {
			b.setProof(p)
			return
		}
	}
	best := hopeless
	for i := range children {
		best = max(best, children[i].chance())
		if children[i].visits.Load() == 0 {
			break
		}
	}
	b.setChance(min(max(best, 1), certain-1).opponent())
}

// settled tells whether the lines that are asked for are proven: so many win,
// or all turns are proven.
func (r *run) settled() bool {
	wins, open := 0, 0
	children := r.arena.children(0)
	for i := range children {
		switch children[i].proof().end() {
		case won:
			wins++
		case unproven:
			open++
		}
	}
	return open == 0 || wins >= r.lines
}
