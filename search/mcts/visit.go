package mcts

import (
	"math"

	"gyre/search"
	"gyre/search/evaluation"
)

// explorer is one thread of a search with the memory for its visits.
type explorer struct {
	run       *run
	path      []uint32 // places from the root to where the visit is
	atLeast   []chance // by ply: of what the side to move there has in hand
	frames    []frame  // the positions on the path
	lacking   int      // children for which the arena had no room
	expansion expansion
}

// newExplorer returns a thread of a search.
func newExplorer(r *run, s *evaluation.Scorer) *explorer {
	e := &explorer{run: r, frames: make([]frame, search.MaxDepth+1), expansion: newExpansion(r.arena, s, r.numbers)}
	e.frames[0].position = *r.root
	s.Reset(&e.frames[0].worth, r.root)
	return e
}

// explore makes visits until the search is over.
func (e *explorer) explore() {
	for !e.run.over() && e.visit() {
	}
}

// visit goes from the root down to a leaf, gives it children, and takes what
// they are worth back up. It reports whether a visit could be made.
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
	e.path, e.atLeast = append(e.path[:0], 0), e.atLeast[:0]
	b := &a.branches[0]
	b.visits.Add(1)
	for ply := 0; ; ply++ {
		block := b.block.Load()
		switch {
		case ply > 0 && b.proof() != unproven || block == busyBlock || ply == search.MaxDepth:
			return b.chance()
		case block == noBlock:
			e.note(ply + 1)
			value, lacking := e.expansion.expand(e.path[ply], &e.frames[ply])
			e.lacking = lacking
			return value
		}
		i, atLeast, found := e.run.numbers.selectChild(b, a.blockAt(block), ply == 0 && e.run.multiPV > 1)
		if !found {
			return b.chance() // another thread proves it at this moment
		}
		e.atLeast = append(e.atLeast, atLeast)
		at := block + 1 + uint32(i)
		e.path = append(e.path, at)
		b = &a.branches[at]
		b.visits.Add(1)
		e.frames[ply+1].play(e.expansion.scorer.Evaluator, &e.frames[ply], b.turn)
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

// selectChild returns the child that a visit goes to: the one with the largest sum of
// value and exploration term (PUCT: Rosin, "Multi-armed Bandits with Episode Context",
// 2011; with priors as in AlphaZero, Silver et al. 2017). Before the first visit the value
// is the child's own evaluation, less a part that is a parameter. As children stand in the order of their evaluation, the
// first without a visit stands for all that follow. Turns that are proven to lose are
// never chosen; one that is proven to win ends the choice, unless other lines are wanted
// too.
//
// Below a turn that is proven to be drawn there is nothing to learn. Where it has the
// largest sum it is credited with the visit, which goes to the best of those not proven;
// what that finds counts as a draw at least, and atLeast says so.
func (by *numbers) selectChild(parent *branch, children []branch, manyLines bool) (best int, atLeast chance, found bool) {
	exploration := by.exploration * math.Sqrt(float64(parent.visits.Load())) / float64(certain)
	bestScore, drawScore := math.Inf(-1), math.Inf(-1)
	var draw *branch
	for i := range children {
		c := &children[i]
		end := c.proof().end()
		switch {
		case end == won && !manyLines:
			return i, hopeless, true
		case end == won || end == lost:
			continue
		}
		n := c.visits.Load()
		score := by.valueOf(c) + float64(exploration*float64(c.prior))/float64(n+1)
		if n == 0 && end == unproven {
			score -= by.firstVisit
		}
		switch {
		case end == drawn && score > drawScore:
			draw, drawScore = c, score
		case end == unproven && score > bestScore:
			best, bestScore, found = i, score, true
		}
		if n == 0 && end == unproven {
			break
		}
	}
	if drawScore > bestScore {
		draw.visits.Add(1)
		draw.total.Add(int64(even))
		return best, even, found
	}
	return best, hopeless, found
}

// backUp adds what a visit found to all branches on its path, and keeps up what
// their children make of them. A branch that gets proven on the way changes what is
// added above it.
func (e *explorer) backUp(value chance) {
	a := e.run.arena
	for ply := len(e.path) - 1; ply >= 0; ply-- {
		b := &a.branches[e.path[ply]]
		if ply > 0 && ply < len(e.path)-1 {
			backUpMinimax(b, a.children(e.path[ply]), a.branches[e.path[ply+1]].proof() != unproven)
			if b.proof() != unproven {
				value = b.chance()
			}
		}
		b.total.Add(int64(value))
		if ply > 0 {
			value = max(value, e.atLeast[ply-1]).opponent()
		}
	}
	if len(e.path) > 1 && a.branches[e.path[1]].proof() != unproven && e.run.proven() {
		e.run.done.Store(true)
	}
}

// valueOf returns the share of the points that a turn is worth by what is known: part mean
// of its visits, part minimax of what is below it (implicit minimax backups: Lanctot et
// al., "Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
// Backups", 2014).
func (n *numbers) valueOf(b *branch) float64 {
	minimax := b.chance().share()
	if mean, visited := b.mean(); visited {
		return float64(n.minimax*minimax) + float64((1-n.minimax)*mean)
	}
	return minimax
}

// backUpMinimax sets a branch to the minimax of its children, and proves it if they
// do; that can only be if one of them has just been proven.
func backUpMinimax(b *branch, children []branch, proven bool) {
	if proven {
		if p := prove(children); p != unproven {
			b.setProof(p)
			return
		}
	}
	best := hopeless
	for i := range children {
		best = max(best, children[i].chance())
		if children[i].visits.Load() == 0 && children[i].proof() != drawn {
			break
		}
	}
	b.setChance(min(max(best, 1), certain-1).opponent())
}

// prove returns what the proofs of a position's children, all of them, prove
// of the position (MCTS-Solver: Winands, Björnsson and Saito, "Monte-Carlo Tree
// Search Solver", 2008). A child that is won makes the position lost for the
// side that leads to it; it is won if every child is lost.
func prove(children []branch) proof {
	quickest, longest, draws, open := turnsMask, 0, false, false
	for i := range children {
		switch p := children[i].proof(); p.end() {
		case won:
			quickest = min(quickest, p.turns())
		case lost:
			longest = max(longest, p.turns())
		case drawn:
			draws = true
		default:
			open = true
		}
	}
	switch {
	case quickest < turnsMask:
		return lost | proof(quickest+1)
	case open:
		return unproven
	case draws:
		return drawn
	}
	return won | proof(longest+1)
}
