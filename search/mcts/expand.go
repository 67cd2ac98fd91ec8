package mcts

import (
	"cmp"
	"slices"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
)

// expansion creates the children of leaves.
type expansion struct {
	arena    *arena
	scorer   *evaluation.Scorer
	params   *params
	stopped  func() bool     // whether the search must end
	turns    []position.Turn // of the position whose children are created
	children []newChild      // not yet in the arena
	static   staticScores
	sorted   []newChild // buffer for sorting
	keys     []sortKey
	quiet    quiescence
}

// newExpansion returns an expansion for a tree. stopped reports whether the search must end.
func newExpansion(a *arena, s *evaluation.Scorer, p *params, stopped func() bool) expansion {
	return expansion{arena: a, scorer: s, params: p, stopped: stopped, quiet: quiescence{scorer: s, stopped: stopped}}
}

// newChild is a child that is not yet in the arena.
type newChild struct {
	turn  position.Turn
	proof proof
	own   bool    // whether the score is by crossings of the position after the turn, not of the one before
	score int     // for the side that makes the turn, in centipawns
	prior float64 // share of the parent's prior
}

// expand creates the children of a leaf and returns the chance of the leaf, given
// their values. If the arena has no room, expand returns how many children lack room,
// and only updates the chance. Another thread that visits the leaf meanwhile uses its
// old chance. If the search is stopped on the way, the leaf stays as it was.
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
	if !x.makeChildren(here, x.turns, false) {
		b.block.Store(noBlock)
		return b.chance(), 0
	}
	if !x.storeChildren(at) {
		lacking = len(x.children)
		b.block.Store(noBlock)
		best := x.params.chanceOf(x.children[0].score)
		b.setChance(best.opponent())
	}
	return b.chance(), lacking
}

// expandRoot creates the children of the root. It reports whether there was room, and time
// before a stop.
func (x *expansion) expandRoot(here *frame, turns []position.Turn) bool {
	return x.makeChildren(here, turns, true) && x.storeChildren(0)
}

// makeChildren creates the children of a position, best first. Unless all is set, a
// turn that wins at once makes the others unnecessary. It reports false if the search is
// stopped within a long list.
func (x *expansion) makeChildren(here *frame, turns []position.Turn, all bool) bool {
	here.crossings = x.scorer.Crossings(&here.accumulator, &here.position)
	if !x.scoreTurns(here, turns, all) {
		return false
	}
	x.sortByScore()
	x.judgeBest(here)
	x.resolveBest(here)
	x.sortNearly()
	x.setPriors()
	return true
}

// scoreTurns creates children with their initial values. It reports false if the search is
// stopped within a long list.
func (x *expansion) scoreTurns(here *frame, turns []position.Turn, all bool) bool {
	x.children = x.children[:0]
	x.static.begin(&here.position, turns)
	for i, t := range turns {
		if root.EndsAt(i, x.stopped) {
			return false
		}
		switch {
		case !x.static.fits(t):
			child := x.scoreTurn(here, t)
			if child.proof.end() == won && !all {
				x.children = append(x.children[:0], child)
				return true
			}
			x.children = append(x.children, child)
		case x.static.threatened && x.losesAtOnce(here, t):
			x.children = append(x.children, lostAtOnce(t))
		default:
			x.static.take(t)
		}
	}
	x.children = x.static.score(x.scorer, here, x.children)
	return true
}

// scoreTurn returns the initial value of a turn. It is proven if the turn ends the
// game or lets the opponent win at once.
func (x *expansion) scoreTurn(here *frame, t position.Turn) newChild {
	f := &x.quiet.plies[0].frame
	here.position.Play(&f.position, t)
	if f.position.Over() {
		p := endFor(&f.position, here.position.SideToMove())
		return newChild{turn: t, score: quietWin * p.rank(), proof: p}
	}
	if x.quiet.plies[0].winsAtOnce() {
		return lostAtOnce(t)
	}
	f.evaluate(x.scorer, here, t)
	return newChild{turn: t, score: -f.score()}
}

// losesAtOnce reports whether the opponent wins at once after a turn that does not
// end the game.
func (x *expansion) losesAtOnce(here *frame, t position.Turn) bool {
	here.position.Play(&x.quiet.plies[0].position, t)
	return x.quiet.plies[0].winsAtOnce()
}

// lostAtOnce returns the child for a turn after which the opponent wins at once.
func lostAtOnce(t position.Turn) newChild {
	return newChild{turn: t, score: -quietWin, proof: lost | 1}
}

// judgeBest judges the most promising quiet turns with their own crossings, and sorts the
// children again.
func (x *expansion) judgeBest(here *frame) {
	if here.position.Placing() {
		return
	}
	for i := range min(x.params.parameters[search.TreeCrossings], len(x.children)) {
		if n := &x.children[i]; n.proof == unproven && n.turn.Quiet() {
			n.own = true
			n.score = -x.playChild(here, n).score()
		}
	}
	x.sortNearly()
}

// playChild plays and evaluates the turn of a child at the first ply of quiescence.
func (x *expansion) playChild(here *frame, n *newChild) *frame {
	f := &x.quiet.plies[0].frame
	here.position.Play(&f.position, n.turn)
	f.evaluate(x.scorer, here, n.turn)
	if n.own {
		f.crossings = x.scorer.Crossings(&f.accumulator, &f.position)
	}
	return f
}

// resolveBest resolves the rows that the opponent can complete after the most
// promising turns, until the best resolved turn is worth no less than the next turn's
// initial value. The opponent need not take a row, so resolving raises no value, unless
// the turn completed a row of the opponent, who must remove it. If the search is stopped
// within a long list, the rest keeps its values.
func (x *expansion) resolveBest(here *frame) {
	best := -quietWin
	for i := range x.children {
		n := &x.children[i]
		if n.score <= best || root.EndsAt(i, x.stopped) {
			return
		}
		if n.proof == unproven {
			x.playChild(here, n)
			n.score = -x.quiet.resolve(0, -quietWin, -best)
		}
		best = max(best, n.score)
	}
}

// setPriors sets the priors. They add up to one, or to zero if all turns lose.
func (x *expansion) setPriors() {
	sum, hopeful, floor := 0.0, 0, x.params.priorFloor
	for i := range x.children {
		n := &x.children[i]
		n.prior = 0
		if n.proof.end() == lost {
			continue
		}
		hopeful++
		n.prior = x.params.priorWeight(max(x.children[0].score-n.score, 0))
		if n.turn.Removals() > 0 {
			n.prior *= x.params.priorOfRow
		}
		sum += n.prior
	}
	for i := range x.children {
		if n := &x.children[i]; n.proof.end() != lost {
			n.prior = float64(n.prior/sum*(1-floor)) + floor/float64(hopeful)
		}
	}
}

// storeChildren stores the children in the arena and backs up their values and proofs
// to the parent. It reports whether there was room.
func (x *expansion) storeChildren(at uint32) bool {
	a := x.arena
	block, ok := a.allot(at, len(x.children))
	if !ok {
		return false
	}
	children := a.blockAt(block)
	for i, n := range x.children {
		c := x.params.chanceOf(n.score)
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

// staticScores holds the turns whose initial value is the static score after them:
// they do not end the game, and if the opponent is one row from winning, they leave
// it no row to complete.
type staticScores struct {
	quietsFit, rowTakingsFit bool            // whether no turn of this kind can end the game
	threatened               bool            // whether the opponent is one row from winning
	quiets, rowTakings       []position.Turn // the turns of this kind
	quietScores              []evaluation.QuietScore
	rowTakingScores          []int
}

// begin determines which kinds of turns cannot end the game, given all turns of the
// position or some of them.
//
// If two rings of a side can move along two lines each, that side can still move after
// a quiet turn, which takes at most one line from a ring that it does not move. So the
// game does not end. A row-taking turn also removes one ring.
func (s *staticScores) begin(p *position.Position, turns []position.Turn) {
	s.quiets, s.rowTakings = s.quiets[:0], s.rowTakings[:0]
	s.quietsFit, s.rowTakingsFit = false, false
	us := p.SideToMove()
	if p.Placing() || p.Pool() <= 1 || p.HasRow(us) {
		return
	}
	free := freeRings(turns, 3)
	s.quietsFit = free >= 2
	s.rowTakingsFit = free >= 3 && !mate.OneRowFromWinning(p, us)
	s.threatened = mate.OneRowFromWinning(p, us.Opponent())
}

// freeRings counts the rings that can move along at least two lines, up to the given
// limit. It misses some if the turns of a ring are not consecutive.
func freeRings(turns []position.Turn, limit int) (free int) {
	from := position.Point(0) // which is not on the board
	var line position.Direction
	var counted position.Bitboard
	for _, t := range turns {
		d, _ := position.DirectionOf(t.From(), t.To())
		switch {
		case t.Kind() != position.Move:
		case t.From() != from:
			from, line = t.From(), d
		case d != line && !counted.Has(from):
			counted = counted.Or(position.BitboardOf(from))
			if free++; free == limit {
				return free
			}
		}
	}
	return free
}

// fits reports whether it is certain that a turn does not end the game.
func (s *staticScores) fits(t position.Turn) bool {
	if t.Quiet() {
		return s.quietsFit
	}
	return s.rowTakingsFit && t.Removals() == 1 // with a ring move: there was no row before it
}

// take adds a turn that fits and after which the opponent does not win at once.
func (s *staticScores) take(t position.Turn) {
	if t.Quiet() {
		s.quiets = append(s.quiets, t)
	} else {
		s.rowTakings = append(s.rowTakings, t)
	}
}

// score appends the turns to children with their values.
func (s *staticScores) score(by *evaluation.Scorer, here *frame, children []newChild) []newChild {
	s.quietScores = by.ScoreQuiet(&here.accumulator, &here.position, s.quiets, s.quietScores[:0])
	lent := here.crossings.Score(here.position.SideToMove().Opponent())
	for i, t := range s.quiets {
		score := max(-evaluation.MaxScore, min(evaluation.MaxScore, s.quietScores[i].Score-lent))
		children = append(children, newChild{turn: t, score: score})
	}
	s.rowTakingScores = by.ScoreRowTaking(&here.accumulator, &here.position, s.rowTakings, s.rowTakingScores[:0])
	for i, t := range s.rowTakings {
		children = append(children, newChild{turn: t, score: s.rowTakingScores[i]})
	}
	return children
}

// sortKey combines a child's value and its place before sorting. The best child has
// the lowest key. To sort the children themselves takes the search 5% more instructions.
type sortKey int64

// placeBits is the number of bits of the place in a key.
const placeBits = 32

// keyOf returns the key of a child at a place.
func keyOf(score, place int) sortKey { return sortKey(-score)<<placeBits | sortKey(place) }

// sortByScore sorts the children by descending value, and equal ones by their turns.
func (x *expansion) sortByScore() {
	x.keys = x.keys[:0]
	for i := range x.children {
		x.keys = append(x.keys, keyOf(x.children[i].score, i))
	}
	slices.Sort(x.keys)
	x.sorted = x.sorted[:0]
	for _, key := range x.keys {
		x.sorted = append(x.sorted, x.children[key&(1<<placeBits-1)])
	}
	x.children, x.sorted = x.sorted, x.children
	x.sortNearly()
}

// nearly is the number of places by which sortNearly moves children, on average, before it
// gives up insertion sort.
const nearly = 32

// sortNearly sorts children that are nearly in order: except for equal ones, or for
// some of the first whose values have dropped. It returns by how many places it moved
// children. In a long list nearly all can be equal.
func (x *expansion) sortNearly() (moved int) {
	for i := 1; i < len(x.children); i++ {
		if !x.children[i].before(&x.children[i-1]) {
			continue
		}
		if moved > nearly*len(x.children) {
			slices.SortFunc(x.children, func(a, b newChild) int {
				return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.turn, b.turn))
			})
			return moved
		}
		child, to := x.children[i], i
		for ; to > 0 && child.before(&x.children[to-1]); to-- {
			x.children[to] = x.children[to-1]
		}
		moved += i - to
		x.children[to] = child
	}
	return moved
}

// before reports whether c comes before other.
func (c *newChild) before(other *newChild) bool {
	return c.score > other.score || c.score == other.score && c.turn < other.turn
}

// frame is a position with its accumulator.
type frame struct {
	position    position.Position
	accumulator evaluation.Accumulator
	crossings   evaluation.CrossingScores // set by makeChildren and by evaluate
}

// play sets the frame to the position after a turn, without crossings.
func (f *frame) play(e *evaluation.Evaluator, from *frame, t position.Turn) {
	from.position.Play(&f.position, t)
	e.Update(&f.accumulator, &from.accumulator, &from.position, t)
}

// evaluate sets the accumulator and the crossings of the position after a turn that
// has been played. If the turn removes no row, the position gets the crossings of the
// one before, which are nearly the same and cost nothing. A removal changes the values
// of crossings.
func (f *frame) evaluate(s *evaluation.Scorer, from *frame, t position.Turn) {
	s.Update(&f.accumulator, &from.accumulator, &from.position, t)
	f.crossings = from.crossings
	if t.Removals() > 0 {
		f.crossings = s.Crossings(&f.accumulator, &f.position)
	}
}

// score returns the evaluation of an evaluated frame for the side to move.
func (f *frame) score() int { return f.accumulator.ScoreWith(f.crossings, f.position.SideToMove()) }

// quietWin is the value of a position in which the side to move wins with its turn.
// It is higher than any evaluation.
const quietWin = 30000

// quietPlies is the number of consecutive row-completing turns that quiescence
// considers before it evaluates a position.
const quietPlies = 1

// quietPly is the memory for one ply of quiescence.
type quietPly struct {
	frame
	turns []position.Turn
}

// quiescence evaluates positions in which rows can be completed.
type quiescence struct {
	scorer  *evaluation.Scorer
	stopped func() bool
	plies   [quietPlies + 1]quietPly
}

// resolve returns the value of the evaluated position at a ply for the side to move,
// which may complete rows first or stand pat. The value is the minimax value if it is between
// alpha and beta, and otherwise a bound. It is quietWin only if that side wins with
// its turn. If the search is stopped within a long list, the rest does not count. The
// game must not be over.
func (q *quiescence) resolve(ply, alpha, beta int) int {
	here := &q.plies[ply]
	p := &here.position
	us := p.SideToMove()
	switch {
	case here.winsAtOnce():
		return quietWin
	case p.HasRow(us):
		return int(mate.ScoreOpponentsRow(p, ply, func(t position.Turn, next *position.Position) search.Score {
			var after evaluation.Accumulator
			q.scorer.Update(&after, &here.accumulator, p, t)
			return search.Score(after.ScoreWith(q.scorer.Crossings(&after, next), next.SideToMove()))
		}))
	}
	best := here.score()
	if ply == quietPlies || best >= beta {
		return best
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	next := &q.plies[ply+1]
	for i, t := range here.turns {
		if root.EndsAt(i, q.stopped) {
			break
		}
		p.Play(&next.position, t)
		score := 0
		if next.position.Over() {
			score = quietWin * endFor(&next.position, us).rank()
		} else {
			next.evaluate(q.scorer, &here.frame, t)
			score = -q.resolve(ply+1, -beta, -max(alpha, best))
		}
		if best = max(best, score); best >= beta {
			break
		}
	}
	return best
}

// winsAtOnce reports whether the side to move wins by completing one row. Completing
// two rows at once may win where this reports false.
func (here *quietPly) winsAtOnce() bool {
	p := &here.position
	us := p.SideToMove()
	if !mate.OneRowFromWinning(p, us) {
		return false
	}
	return p.HasRow(us) || p.CanComplete(us)
}
