package mcts

import (
	"math"

	"gyre/search"
	"gyre/search/evaluation"
)

// searchThread is one thread of a search, with the memory for its visits.
type searchThread struct {
	run       *run
	path      []uint32 // places from the root to the current branch
	atLeast   []chance // by ply: the chance that the side to move can secure otherwise
	frames    []frame  // the positions on the path
	expansion expansion
}

// newSearchThread returns a thread of a search.
func newSearchThread(r *run, s *evaluation.Scorer) *searchThread {
	t := &searchThread{run: r, frames: make([]frame, search.MaxDepth+1), expansion: newExpansion(r.arena, s, r.params, r.limits.Stopped)}
	t.frames[0].position = *r.root
	s.Reset(&t.frames[0].accumulator, r.root)
	return t
}

// search makes visits until the search is over.
func (t *searchThread) search() {
	for !t.run.over() && t.visit() {
	}
}

// visit walks from the root to a leaf, creates its children, and backs up their
// value. It reports whether a visit was possible.
func (t *searchThread) visit() bool {
	if !t.run.claim() {
		return false
	}
	t.run.sweeping.RLock()
	value, lacking := t.descend()
	t.backUp(value)
	t.run.sweeping.RUnlock()
	if lacking > 0 {
		t.run.sweeping.Lock()
		t.run.arena.makeRoom(lacking)
		t.run.sweeping.Unlock()
	}
	return true
}

// descend follows the most promising turns to a leaf, and returns its chance and for how
// many of its children the arena had no room.
func (t *searchThread) descend() (c chance, lacking int) {
	a := t.run.arena
	t.path, t.atLeast = append(t.path[:0], 0), t.atLeast[:0]
	b := &a.branches[0]
	b.visits.Add(1)
	for ply := 0; ; ply++ {
		block := b.block.Load()
		switch {
		case ply > 0 && b.proof() != unproven || block == busyBlock || ply == search.MaxDepth:
			return b.chance(), 0
		case block == noBlock:
			t.note(ply + 1)
			return t.expansion.expand(t.path[ply], &t.frames[ply])
		}
		i, atLeast, found := t.run.params.selectChild(b, a.blockAt(block), ply == 0 && t.run.multiPV > 1)
		if !found {
			return b.chance(), 0 // another thread is proving it right now
		}
		t.atLeast = append(t.atLeast, atLeast)
		at := block + 1 + uint32(i)
		t.path = append(t.path, at)
		b = &a.branches[at]
		b.visits.Add(1)
		t.frames[ply+1].play(t.expansion.scorer.Evaluator, &t.frames[ply], b.turn)
	}
}

// note updates the depth of the deepest line.
func (t *searchThread) note(depth int) {
	for {
		deepest := t.run.deepest.Load()
		if int32(depth) <= deepest || t.run.deepest.CompareAndSwap(deepest, int32(depth)) {
			return
		}
	}
}

// selectChild returns the child to visit: the one with the largest sum of value and
// exploration term (PUCT: Rosin, "Multi-armed Bandits with Episode Context", 2011;
// with priors as in AlphaZero, Silver et al. 2017). Before its first visit, a child's
// value is its own evaluation minus the firstVisit parameter. Children are sorted by
// evaluation, so the first unvisited child represents all that follow. Proven losses
// are never selected. A proven win ends the selection, unless the search needs other
// lines, too.
//
// A proven draw needs no further visits. If it has the largest sum, it is credited with
// the visit, which goes to the best unproven child. The result of that visit then
// counts as at least a draw, which atLeast reports.
func (p *params) selectChild(parent *branch, children []branch, manyLines bool) (best int, atLeast chance, found bool) {
	exploration := p.exploration * math.Sqrt(float64(parent.visits.Load())) / float64(certain)
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
		score := p.valueOf(c) + float64(exploration*float64(c.prior))/float64(n+1)
		if n == 0 && end == unproven {
			score -= p.firstVisit
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

// backUp adds the result of a visit to all branches on its path and updates their
// minimax and proofs. If a branch becomes proven, the branches above it get the
// proven value.
func (t *searchThread) backUp(value chance) {
	a := t.run.arena
	for ply := len(t.path) - 1; ply >= 0; ply-- {
		b := &a.branches[t.path[ply]]
		if ply > 0 && ply < len(t.path)-1 {
			backUpMinimax(b, a.children(t.path[ply]), a.branches[t.path[ply+1]].proof() != unproven)
			if b.proof() != unproven {
				value = b.chance()
			}
		}
		b.total.Add(int64(value))
		if ply > 0 {
			value = max(value, t.atLeast[ply-1]).opponent()
		}
	}
	if len(t.path) > 1 && a.branches[t.path[1]].proof() != unproven && t.run.proven() {
		t.run.done.Store(true)
	}
}

// valueOf returns the estimated share of the points of a turn: a mix of the mean of
// its visits and the minimax of its subtree (implicit minimax backups: Lanctot et
// al., "Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
// Backups", 2014).
func (p *params) valueOf(b *branch) float64 {
	minimax := b.chance().share()
	if mean, visited := b.mean(); visited {
		return float64(p.minimax*minimax) + float64((1-p.minimax)*mean)
	}
	return minimax
}

// backUpMinimax sets a branch to the minimax of its children. It also proves the branch
// if possible, which requires that a child has just been proven.
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

// prove returns the proof of a position that follows from the proofs of all its
// children (MCTS-Solver: Winands, Björnsson and Saito, "Monte-Carlo Tree Search
// Solver", 2008). A won child makes the position lost for the side whose turn led to
// it. The position is won for that side if every child is lost.
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
