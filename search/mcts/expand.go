package mcts

import (
	"gyre/position"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
)

// expansion gives leaves their children.
type expansion struct {
	arena    *arena
	scorer   *evaluation.Scorer
	numbers  *numbers
	turns    []position.Turn // of the position whose children are made
	children []newChild      // on their way into the arena
	statics  statics
	sorted   []newChild // memory for sorting
	keys     []sortKey
	quiet    quiescence
}

// newExpansion returns the means to expand leaves of a tree.
func newExpansion(a *arena, s *evaluation.Scorer, n *numbers) expansion {
	return expansion{arena: a, scorer: s, numbers: n, quiet: quiescence{evaluator: s.Evaluator}}
}

// newChild is a child on its way into the arena.
type newChild struct {
	turn  position.Turn
	worth int // for the side that makes the turn, in centipawns
	proof proof
	prior float64 // share of the attention
}

// expand gives a leaf its children, and returns its chance by what they are
// worth. If the arena has no room for them it tells how many they are, and makes do with
// the chance. Another thread that comes by meanwhile makes do with what the leaf was
// worth before.
func (x *expansion) expand(at uint32, here *frame) (c chance, lacking int) {
	b := &x.arena.branches[at]
	if !b.block.CompareAndSwap(noBlock, busyBlock) {
		return b.chance(), 0
	}
	p := &here.position
	x.turns = x.turns[:0]
	if p.Placing() {
		x.turns = root.Placings(p, x.turns)
	} else {
		x.turns = p.Turns(x.turns)
	}
	x.makeChildren(here, x.turns, false)
	if !x.storeChildren(at) {
		lacking = len(x.children)
		b.block.Store(noBlock)
		best := x.numbers.chanceOf(x.children[0].worth)
		b.setChance(best.opponent())
	}
	return b.chance(), lacking
}

// expandRoot gives the root its children, and tells whether there was room.
func (x *expansion) expandRoot(here *frame, turns []position.Turn) bool {
	x.makeChildren(here, turns, true)
	return x.storeChildren(0)
}

// makeChildren makes the children of a position, the best first. Unless all are asked
// for, a turn that wins at once makes the others needless.
func (x *expansion) makeChildren(here *frame, turns []position.Turn, all bool) {
	x.scoreTurns(here, turns, all)
	x.sortByWorth()
	x.resolveBest(here)
	x.sortNearly()
	x.setPriors()
}

// scoreTurns makes children of turns with what they are worth at first sight.
func (x *expansion) scoreTurns(here *frame, turns []position.Turn, all bool) {
	x.children = x.children[:0]
	x.statics.begin(&here.position, turns)
	for _, t := range turns {
		switch {
		case !x.statics.fits(t):
			child := x.scoreTurn(here, t)
			if child.proof.end() == won && !all {
				x.children = append(x.children[:0], child)
				return
			}
			x.children = append(x.children, child)
		case x.statics.threatened && x.losesAtOnce(here, t):
			x.children = append(x.children, lostAtOnce(t))
		default:
			x.statics.take(t)
		}
	}
	x.children = x.statics.score(x.scorer, here, x.children)
}

// scoreTurn returns what a turn is worth at first sight, and proves it if it ends
// the game or lets the opponent win at once.
func (x *expansion) scoreTurn(here *frame, t position.Turn) newChild {
	f := &x.quiet.plies[0].frame
	here.position.Play(&f.position, t)
	if f.position.Over() {
		p := endFor(&f.position, here.position.SideToMove())
		return newChild{turn: t, worth: quietWin * p.rank(), proof: p}
	}
	if x.quiet.plies[0].winsAtOnce() {
		return lostAtOnce(t)
	}
	x.scorer.Update(&f.worth, &here.worth, &here.position, t)
	return newChild{turn: t, worth: -f.worth.Score(f.position.SideToMove())}
}

// losesAtOnce tells whether the opponent wins at once after a turn that does not end the
// game.
func (x *expansion) losesAtOnce(here *frame, t position.Turn) bool {
	here.position.Play(&x.quiet.plies[0].position, t)
	return x.quiet.plies[0].winsAtOnce()
}

// lostAtOnce returns the child by a turn after which the opponent wins at once.
func lostAtOnce(t position.Turn) newChild {
	return newChild{turn: t, worth: -quietWin, proof: lost | 1}
}

// resolveBest resolves the rows that the opponent can complete after the most
// promising turns, until the best of those resolved is worth no less than the
// next one is at first sight: resolving makes turns only worse.
func (x *expansion) resolveBest(here *frame) {
	best := -quietWin
	for i := range x.children {
		n := &x.children[i]
		if n.worth <= best {
			return
		}
		if n.proof == unproven {
			x.quiet.plies[0].play(x.scorer.Evaluator, here, n.turn)
			n.worth = -x.quiet.resolve(0, -quietWin, -best)
		}
		best = max(best, n.worth)
	}
}

// setPriors sets the priors, whose sum is then one or, if all turns
// lose, zero.
func (x *expansion) setPriors() {
	sum, hopeful, floor := 0.0, 0, x.numbers.priorFloor
	for i := range x.children {
		n := &x.children[i]
		n.prior = 0
		if n.proof.end() == lost {
			continue
		}
		hopeful++
		n.prior = x.numbers.priorWeight(max(x.children[0].worth-n.worth, 0))
		if n.turn.Removals() > 0 {
			n.prior *= x.numbers.priorOfRow
		}
		sum += n.prior
	}
	for i := range x.children {
		if n := &x.children[i]; n.proof.end() != lost {
			n.prior = float64(n.prior/sum*(1-floor)) + floor/float64(hopeful)
		}
	}
}

// storeChildren puts the children into the arena and backs up what they are worth and
// prove to their parent. It fails if there is no room.
func (x *expansion) storeChildren(at uint32) bool {
	a := x.arena
	block, ok := a.allot(at, len(x.children))
	if !ok {
		return false
	}
	children := a.blockAt(block)
	for i, n := range x.children {
		c := x.numbers.chanceOf(n.worth)
		if n.proof != unproven {
			c = n.proof.chance()
		}
		children[i].fill(n.turn, uint16(n.prior*float64(certain)), c, n.proof)
	}
	b := &a.branches[at]
	b.block.Store(block)
	backUpMinimax(b, children, true)
	return true
}
