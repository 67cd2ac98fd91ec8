package mcts

import (
	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
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

// expandRoot gives the root its children, and reports whether there was room.
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

// losesAtOnce reports whether the opponent wins at once after a turn that does not end the
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

// statics are the turns of a position of which the static score says what they are worth at
// first sight: they do not end the game, and if the opponent is one row from winning, he
// cannot make that row after them.
type statics struct {
	quietTurns, takeRow bool            // whether a turn of each kind cannot end the game
	threatened          bool            // whether the opponent is one row from winning
	quiets, takings     []position.Turn // the turns of each kind
	quietScores         []evaluation.QuietScore
	takingScores        []int
}

// begin finds out which turns of a position cannot end the game, by all of its turns or some.
//
// Where two rings of a side can move on two lines each, neither side is blocked after a
// quiet turn: it takes at most one line from a ring that it does not move. A turn that takes
// a row off removes one ring more.
func (s *statics) begin(p *position.Position, turns []position.Turn) {
	s.quiets, s.takings = s.quiets[:0], s.takings[:0]
	s.quietTurns, s.takeRow = false, false
	us := p.SideToMove()
	if p.Placing() || p.Pool() <= 1 || p.HasRow(us) {
		return
	}
	free := freeRings(turns, 3)
	s.quietTurns = free >= 2
	s.takeRow = free >= 3 && !mate.OneRowFromWinning(p, us)
	s.threatened = mate.OneRowFromWinning(p, us.Opponent())
}

// freeRings returns how many rings can move on two lines and more by the turns of a
// position, at most so many as asked for.
func freeRings(turns []position.Turn, most int) (free int) {
	from := position.Point(0)
	var line position.Direction
	for _, t := range turns {
		d, _ := position.DirectionOf(t.From(), t.To())
		switch {
		case t.Kind() != position.Move:
		case t.From() != from:
			from, line = t.From(), d
		case d != line && line < position.Directions:
			if line, free = position.Directions, free+1; free == most {
				return free
			}
		}
	}
	return free
}

// fits reports whether a turn cannot end the game, as far as that is known.
func (s *statics) fits(t position.Turn) bool {
	if t.Quiet() {
		return s.quietTurns
	}
	return s.takeRow && t.Removals() == 1 // with a ring move: no row was there before
}

// take keeps a turn that fits, and after which the opponent does not win at once.
func (s *statics) take(t position.Turn) {
	if t.Quiet() {
		s.quiets = append(s.quiets, t)
	} else {
		s.takings = append(s.takings, t)
	}
}

// score appends the turns taken to children, with what they are worth.
func (s *statics) score(by *evaluation.Scorer, here *frame, children []newChild) []newChild {
	s.quietScores = by.ScoreQuiet(&here.worth, &here.position, s.quiets, s.quietScores[:0])
	for i, t := range s.quiets {
		children = append(children, newChild{turn: t, worth: s.quietScores[i].Score})
	}
	s.takingScores = by.ScoreRowTaking(&here.worth, &here.position, s.takings, s.takingScores[:0])
	for i, t := range s.takings {
		children = append(children, newChild{turn: t, worth: s.takingScores[i]})
	}
	return children
}

// sortKey is a child by its worth, above its place before sorting: the best is the least.
type sortKey int64

// placeBits is the width of the place in a key.
const placeBits = 32

// keyOf returns the key of a child at a place.
func keyOf(worth, place int) sortKey { return sortKey(-worth)<<placeBits | sortKey(place) }

// shellGaps are the strides of Shell's method (Ciura, "Best Increments for the Average Case
// of Shellsort", 2001), enough for the turns of a position.
var shellGaps = [...]int{57, 23, 10, 4, 1}

// sortByWorth puts the children that are worth more first, equal ones by their turns.
func (x *expansion) sortByWorth() {
	x.keys = x.keys[:0]
	for i := range x.children {
		x.keys = append(x.keys, keyOf(x.children[i].worth, i))
	}
	for _, gap := range shellGaps {
		for i := gap; i < len(x.keys); i++ {
			key, at := x.keys[i], i
			for ; at >= gap && key < x.keys[at-gap]; at -= gap {
				x.keys[at] = x.keys[at-gap]
			}
			x.keys[at] = key
		}
	}
	x.sorted = x.sorted[:0]
	for _, key := range x.keys {
		x.sorted = append(x.sorted, x.children[key&(1<<placeBits-1)])
	}
	x.children, x.sorted = x.sorted, x.children
	x.sortNearly()
}

// sortNearly does the same for children that are nearly in that order: but for equal ones,
// or for some of the first that have become worth less.
func (x *expansion) sortNearly() {
	for i, child := range x.children {
		for ; i > 0 && child.before(&x.children[i-1]); i-- {
			x.children[i] = x.children[i-1]
		}
		x.children[i] = child
	}
}

// before reports whether a child comes before another one.
func (c *newChild) before(other *newChild) bool {
	return c.worth > other.worth || c.worth == other.worth && c.turn < other.turn
}

// frame is a position with what its evaluation keeps up.
type frame struct {
	position position.Position
	worth    evaluation.Accumulator
}

// play sets a frame to the position after a turn from another.
func (f *frame) play(e *evaluation.Evaluator, from *frame, t position.Turn) {
	from.position.Play(&f.position, t)
	e.Update(&f.worth, &from.worth, &from.position, t)
}

// quietWin is what a position is worth in which the side to move wins with its
// turn: more than any evaluation.
const quietWin = 30000

// quietPlies is how many turns that complete rows may follow each other before
// a position is judged as it stands.
const quietPlies = 1

// quietPly is the memory for one ply of that.
type quietPly struct {
	frame
	turns []position.Turn
}

// quiescence judges positions in which rows can be completed.
type quiescence struct {
	evaluator *evaluation.Evaluator
	plies     [quietPlies + 1]quietPly
}

// resolve returns the worth of the position at a ply for the side to move, which may
// complete rows before it is judged or leave it at that: the minimax value if it lies
// between alpha and beta, and else a bound. It is quietWin only if that side wins with
// its turn. The game must not be over.
func (q *quiescence) resolve(ply, alpha, beta int) int {
	here := &q.plies[ply]
	p := &here.position
	us := p.SideToMove()
	switch {
	case here.winsAtOnce():
		return quietWin
	case p.HasRow(us):
		return int(mate.ScoreOpponentsRow(p, ply, func(_ position.Turn, after *position.Position) search.Score {
			return search.Score(q.evaluator.Evaluate(after))
		}))
	}
	best := here.worth.Score(us)
	if ply == quietPlies || best >= beta {
		return best
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	next := &q.plies[ply+1]
	for _, t := range here.turns {
		next.play(q.evaluator, &here.frame, t)
		worth := 0
		if next.position.Over() {
			worth = quietWin * endFor(&next.position, us).rank()
		} else {
			worth = -q.resolve(ply+1, -beta, -max(alpha, best))
		}
		if best = max(best, worth); best >= beta {
			break
		}
	}
	return best
}

// winsAtOnce reports whether the side to move wins by completing one row. Two at
// once may win where one does not.
func (here *quietPly) winsAtOnce() bool {
	p := &here.position
	us := p.SideToMove()
	if !mate.OneRowFromWinning(p, us) {
		return false
	}
	return p.HasRow(us) || p.CanComplete(us)
}
