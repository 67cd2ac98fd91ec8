package mcts

import (
	"cmp"
	"slices"

	"gyre/position"
	"gyre/search/internal/root"
)

// newborn is a child on its way into the arena.
type newborn struct {
	turn   position.Turn
	worth  int // for the side that makes the turn, in centipawns
	proof  proof
	weight float64 // of its prior
}

// The shape of priors.
const (
	priorScale = 60.0 // centipawns by which a turn is worse if its prior is 1/e of the best one's
	priorFloor = 0.1  // part of the attention that is shared out equally
	rowWeight  = 2.0  // by which the prior grows of a turn that takes a row off
)

// priorWeights holds the weight of a prior by how many centipawns a turn is worse than
// the best one: e^(-n/priorScale). Products of two numbers are the same on every
// architecture; math.Exp differs there in its last bit, and the search with it.
var priorWeights = func() (weights [4096]float64) {
	const factor = 0.98347145382161748948 // e^(-1/priorScale)
	weights[0] = 1
	for n := range weights[1:] {
		weights[n+1] = weights[n] * factor
	}
	return weights
}()

// open gives a leaf its children, and returns its chance by what they are
// worth. Another thread that comes by meanwhile makes do with what it was worth
// before.
func (e *explorer) open(at uint32, here *frame) chance {
	b := &e.run.arena.branches[at]
	if !b.block.CompareAndSwap(noBlock, busyBlock) {
		return b.chance()
	}
	p := &here.position
	e.turns = e.turns[:0]
	if p.Placing() {
		e.turns = root.Placings(p, e.turns)
	} else {
		e.turns = p.Turns(e.turns)
	}
	e.bear(here, e.turns, false)
	if !e.settle(at) {
		e.lacking = len(e.newborn)
		b.block.Store(noBlock)
		best := chanceOf(e.newborn[0].worth)
		b.setChance(best.opponent())
	}
	return b.chance()
}

// openRoot gives the root its children.
func (e *explorer) openRoot(turns []position.Turn) bool {
	e.bear(&e.frames[0], turns, true)
	return e.settle(0)
}

// bear makes the children of a position, the best first. Unless all are asked
// for, a turn that wins at once makes the others needless.
func (e *explorer) bear(here *frame, turns []position.Turn, all bool) {
	e.newborn = e.newborn[:0]
	for _, t := range turns {
		child := e.judge(here, t)
		if child.proof.end() == won && !all {
			e.newborn = append(e.newborn[:0], child)
			break
		}
		e.newborn = append(e.newborn, child)
	}
	slices.SortFunc(e.newborn, byWorth)
	e.resolveBest(here)
	slices.SortFunc(e.newborn, byWorth)
	e.weigh()
}

// byWorth puts the turn that is worth more first.
func byWorth(a, b newborn) int {
	if a.worth != b.worth {
		return cmp.Compare(b.worth, a.worth)
	}
	return cmp.Compare(a.turn, b.turn)
}

// judge returns what a turn is worth at first sight, and proves it if it ends
// the game or lets the opponent win at once.
func (e *explorer) judge(here *frame, t position.Turn) newborn {
	f := &e.quiet[0].frame
	here.position.Play(&f.position, t)
	if f.position.Over() {
		p := endFor(&f.position, here.position.SideToMove())
		return newborn{turn: t, worth: quietWin * p.rank(), proof: p}
	}
	if e.quiet[0].winsAtOnce() {
		return newborn{turn: t, worth: -quietWin, proof: lost | 1}
	}
	e.evaluator.Update(&f.worth, &here.worth, &here.position, t)
	return newborn{turn: t, worth: -e.evaluator.Score(&f.worth, &f.position)}
}

// resolveBest resolves the rows that the opponent can complete after the most
// promising turns, until the best of those resolved is worth no less than the
// next one is at first sight: resolving makes turns only worse.
func (e *explorer) resolveBest(here *frame) {
	best := -quietWin
	for i := range e.newborn {
		n := &e.newborn[i]
		if n.worth <= best {
			return
		}
		if n.proof == unproven {
			e.play(&e.quiet[0].frame, here, n.turn)
			n.worth = -e.resolve(0, -quietWin, -best)
		}
		best = max(best, n.worth)
	}
}

// endFor returns what the end of a game that is over is for a side.
func endFor(p *position.Position, s position.Side) proof {
	ours, theirs := p.Removed(s), p.Removed(s.Opponent())
	switch {
	case ours > theirs:
		return won
	case ours < theirs:
		return lost
	}
	return drawn
}

// weigh sets the weights of the priors, whose sum is then one or, if all turns
// lose, zero.
func (e *explorer) weigh() {
	sum, hopeful := 0.0, 0
	for i := range e.newborn {
		n := &e.newborn[i]
		n.weight = 0
		if n.proof.end() == lost {
			continue
		}
		hopeful++
		n.weight = priorWeights[min(max(e.newborn[0].worth-n.worth, 0), len(priorWeights)-1)]
		if n.turn.Removals() > 0 {
			n.weight *= rowWeight
		}
		sum += n.weight
	}
	for i := range e.newborn {
		if n := &e.newborn[i]; n.proof.end() != lost {
			n.weight = float64(n.weight/sum*(1-priorFloor)) + priorFloor/float64(hopeful)
		}
	}
}

// settle puts the children into the arena and hands what they are worth and
// prove to their parent. It fails if there is no room.
func (e *explorer) settle(at uint32) bool {
	a := e.run.arena
	block, ok := a.allot(at, len(e.newborn))
	if !ok {
		return false
	}
	children := a.blockAt(block)
	for i, n := range e.newborn {
		c := chanceOf(n.worth)
		if n.proof != unproven {
			c = n.proof.chance()
		}
		children[i].fill(n.turn, uint16(n.weight*float64(certain)), c, n.proof)
	}
	b := &a.branches[at]
	b.block.Store(block)
	inherit(b, children, true)
	return true
}
