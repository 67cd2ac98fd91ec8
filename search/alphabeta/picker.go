package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
)

// picker hands out the turns of a node, the most promising first, and makes
// them in stages, so that a cut spares making the rest (staged move generation; the
// form is Stockfish's MovePicker).
type picker struct {
	moveList    // of the stage
	scorer      *evaluation.Scorer
	history     *history
	position    *position.Position // of the node
	accumulator *evaluation.Accumulator

	staticWeight int32 // how much of history a centipawn of the static score outweighs

	stage       pickStage
	depth       int   // to which the node is searched
	entry       entry // what the table knows of the node
	previous    position.Turn
	refutations [3]position.Turn        // killers and countermove
	refuted     int                     // how many of them are handed out or passed over
	mustTake    bool                    // a row that the opponent made, before anything else
	completions []position.Turn         // else: the ring moves that complete a row
	completing  int                     // how many turns of the list take rows off; the quiet ones follow
	static      []evaluation.QuietScore // after each of the quiet ones
	handed      int                     // turns handed out, in all stages
}

// pickStage is what a picker does next.
type pickStage uint8

const (
	pickTable      pickStage = iota // the turn that the table knows, if it is quiet
	makeCompleting                  // turns that take rows off, by their static worth
	pickCompleting                  // the best of them
	pickRefutation                  // killers and countermove
	makeQuiet                       // quiet turns, by what they lead to and by history
	pickRemaining                   // those and the other turns that take rows off
	makeRest                        // a pass, if nothing else was there
	makePlacings
	pickRest
)

// start sets the picker up for its node, which is searched to a depth: with what the
// table knows of it, its killers and the turn before it.
func (k *picker) start(depth int, known entry, killers [2]position.Turn, previous position.Turn) {
	k.depth, k.entry, k.previous = depth, known, previous
	k.turns, k.next, k.handed = k.turns[:0], 0, 0
	if k.position.Placing() {
		k.stage = makePlacings
		return
	}
	k.stage = pickTable
	counter := k.history.countermove(k.position.SideToMove(), previous)
	k.refutations = [3]position.Turn{killers[0], killers[1], counter}
}

// pick returns the next turn, or None at the end. Every legal turn comes once,
// and no other.
func (k *picker) pick() position.Turn {
	for {
		t, more := k.step()
		if t != position.None {
			k.handed++
			return t
		}
		if !more {
			return position.None
		}
	}
}

// step does the work of one stage. It returns a turn or goes on to the next
// stage, if there is more.
func (k *picker) step() (t position.Turn, more bool) {
	p := k.position
	switch k.stage {
	case pickTable:
		k.stage = makeCompleting
		if p.Quiet(k.entry.Turn) {
			return k.entry.Turn, true
		}
	case makeCompleting:
		k.makeCompleting()
		k.scoreRowTaking(k.scorer.Evaluator, p, k.accumulator, k.entry)
		k.stage = pickCompleting
	case pickCompleting:
		k.stage, k.refuted = pickRefutation, 0
		return k.highest(), true
	case pickRefutation:
		if t := k.nextRefutation(); t != position.None {
			return t, true
		}
		k.stage = makeQuiet
	case makeQuiet:
		k.completing = len(k.turns)
		if !k.mustTake {
			k.turns = p.MovesBut(k.completions, k.turns)
		}
		k.scoreRemaining()
		k.stage = pickRemaining
	case pickRemaining:
		for t := k.highest(); t != position.None; t = k.highest() {
			if t != k.entry.Turn && !k.isRefutation(t, len(k.refutations)) {
				return t, true
			}
		}
		k.stage = makeRest
	case makeRest:
		if k.handed > 0 {
			return position.None, false
		}
		k.turns = p.Turns(k.turns[:0])
		k.resetScores()
		for range k.turns {
			k.addScore(0)
		}
		k.stage = pickRest
	case makePlacings:
		k.turns = root.Placings(p, k.turns[:0])
		k.scorePlacings()
		k.stage = pickRest
	case pickRest:
		t := k.highest()
		return t, t != position.None
	}
	return position.None, true
}

// makeCompleting makes the turns that take rows off.
func (k *picker) makeCompleting() {
	p := k.position
	if k.mustTake = p.HasRow(p.SideToMove()); k.mustTake {
		k.turns = p.CompletingTurns(k.turns[:0])
		return
	}
	k.completions = p.Completions(p.SideToMove(), k.completions[:0])
	k.turns = p.Takings(k.completions, k.turns[:0])
}

// nextRefutation returns the next killer or countermove that is a quiet turn of
// the node, or None.
func (k *picker) nextRefutation() position.Turn {
	for k.refuted < len(k.refutations) {
		t := k.refutations[k.refuted]
		k.refuted++
		if t != k.entry.Turn && !k.isRefutation(t, k.refuted-1) && k.position.Quiet(t) {
			return t
		}
	}
	return position.None
}

// isRefutation reports whether t is one of the first killers and countermoves.
func (k *picker) isRefutation(t position.Turn, first int) bool {
	for _, refutation := range k.refutations[:first] {
		if t == refutation {
			return true
		}
	}
	return false
}

// scorePlacings scores the turns, which place rings, by the static scores after them.
// The turn that the table knows comes first.
func (k *picker) scorePlacings() {
	k.resetScores()
	for _, t := range k.turns {
		score := scoreAfter(k.scorer.Evaluator, k.position, k.accumulator, t)
		if k.entry.sameTurn(t) {
			score = tableFirst
		}
		k.addScore(score)
	}
}

// scoreRemaining scores the quiet turns, which follow the row-taking ones in the list, by
// the static scores after them: at the last ply, where that is all that becomes of them, by
// nothing else, before it with their history. Row-taking turns, which know no history, keep
// the score they have, in the same measure: when the best of them has not cut, the others,
// which often differ from it only in the ring they pay with, seldom do.
func (k *picker) scoreRemaining() {
	side, quiet := k.position.SideToMove(), k.turns[k.completing:]
	k.static = k.scorer.ScoreQuiet(k.accumulator, k.position, quiet, k.static[:0])
	weight := int32(1)
	if k.depth > 1 {
		weight = k.staticWeight
	}
	for i, s := range k.scores {
		if s != handedOut {
			k.scores[i] = moveScoreAt(weight*min(s.score(), winFirst), i)
		}
	}
	for i, t := range quiet {
		score := weight * int32(k.static[i].Score)
		if k.depth > 1 {
			score += k.history.score(side, t, k.previous)
		}
		k.addScore(score)
	}
}

// skipQuiet leaves the quiet turns out that are not handed out yet.
func (k *picker) skipQuiet() {
	for i := k.completing; i < len(k.scores); i++ {
		if k.scores[i] != handedOut {
			k.scores[i] = handedOut
			k.next++
		}
	}
}

// staticScore returns the static score after the turn handed out last, nil if the
// picker does not know it.
func (k *picker) staticScore() *evaluation.QuietScore {
	if k.stage != pickRemaining || k.last < k.completing {
		return nil
	}
	return &k.static[k.last-k.completing]
}

// moveScore is how promising a turn of a list is, above its place from the end of
// the list: so no two are equal, and the highest names its turn.
type moveScore int64

// placeBits is the width of the place in a move score.
const placeBits = 31

// handedOut is the move score of a turn that was handed out.
const handedOut moveScore = math.MinInt64

// moveScoreAt returns the move score of the turn at a place of a list.
func moveScoreAt(score int32, place int) moveScore {
	return moveScore(score)<<placeBits | moveScore(1<<placeBits-1-place)
}

// score returns how promising the turn is.
func (s moveScore) score() int32 { return int32(s >> placeBits) }

// place returns the place of the turn of a move score in its list.
func (s moveScore) place() int { return 1<<placeBits - 1 - int(s&(1<<placeBits-1)) }

// moveList is a list of turns that hands out the most promising first.
type moveList struct {
	turns  []position.Turn
	scores []moveScore // of the turns
	next   int         // how many of them are handed out
	last   int         // place of the turn handed out last
}

// resetScores begins to score the turns of the list.
func (l *moveList) resetScores() { l.scores, l.next = l.scores[:0], 0 }

// addScore scores the next turn of the list.
func (l *moveList) addScore(score int32) {
	l.scores = append(l.scores, moveScoreAt(score, len(l.scores)))
}

// highest returns the turn with the highest score of those that are left, or None. It
// looks for it without branches: which one it is cannot be predicted.
func (l *moveList) highest() position.Turn {
	if l.next >= len(l.turns) {
		return position.None
	}
	l.next++
	best := handedOut
	for _, s := range l.scores {
		best = max(best, s)
	}
	l.last = best.place()
	l.scores[l.last] = handedOut
	return l.turns[l.last]
}

// The turns that take a row off come in groups: the same ring move and row, and
// a choice of five rings to pay with. They are scored by what the patterns are
// worth after them. It is computed for the first of a group, unless there is only
// one group; the others differ from it by what the rings are worth where they
// stand.

// tableFirst is the move score of the table's turn.
const tableFirst = 1 << 30

// winFirst is the move score of a turn that wins.
const winFirst = 1 << 20

// scoreRowTaking scores the turns of a list, which all take a row off, by the position
// and its accumulator. The turn that the table knows comes first.
func (l *moveList) scoreRowTaking(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, known entry) {
	l.resetScores()
	if len(l.turns) == 0 {
		return
	}
	prices := ringPricesOf(e, p, a)
	var base int32
	group := l.turns[0].WithoutLastRing()
	if l.turns[len(l.turns)-1].WithoutLastRing() != group {
		group = position.None // there are several: compare them
	}
	for _, t := range l.turns {
		price := prices.of(t.Removal(t.Removals() - 1).Ring)
		if g := t.WithoutLastRing(); g != group {
			group = g
			base = scoreAfter(e, p, a, t) + price
		}
		score := base - price
		if known.sameTurn(t) {
			score = tableFirst
		}
		l.addScore(score)
	}
}

// ringPrices is what the patterns lose for the side to move when one of its
// rings goes and the turn is the opponent's. A ring that has just moved is not
// among them, and costs nothing.
type ringPrices struct {
	rings  [position.RingsPerSide]position.Point
	prices [position.RingsPerSide]int32
}

// ringPricesOf returns the prices of the rings of the side to move.
func ringPricesOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator) (r ringPrices) {
	i := 0
	for b := p.Rings(p.SideToMove()); !b.IsEmpty(); b = b.WithoutFirst() {
		r.rings[i] = b.First()
		r.prices[i] = int32(e.RingPrice(a, p, r.rings[i]))
		i++
	}
	return r
}

// of returns the price of the ring at a point.
func (r *ringPrices) of(at position.Point) int32 {
	for i, ring := range r.rings {
		if ring == at {
			return r.prices[i]
		}
	}
	return 0
}

// scoreAfter scores a turn by the static score after it, which takes no board.
func scoreAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) int32 {
	us := p.SideToMove()
	if p.Removed(us)+t.Removals() >= p.Rules().WinningRings() {
		return winFirst
	}
	var after evaluation.Accumulator
	e.Update(&after, a, p, t)
	return -int32(after.Score(us.Opponent()))
}

// history is what the order of quiet turns learns from those that made a cut:
// for each ring move a number that goes up when it cuts and down when it is
// tried in vain (the history heuristic, Schaeffer 1989, with the gravity of
// Stockfish), the same by the turn before (continuation history, Stockfish), and
// for each turn the best reply to it (the countermove heuristic, Uiterwijk 1992).
type history struct {
	moves         [2][points][points]int16  // by side, from, to
	continuations [points][points]int16     // by the target of the turn before, and the target
	countermoves  [2][points][points]uint16 // quiet turns, which have no higher bits
}

// points is the length of tables by point.
const points = 128

// mostHistory bounds the numbers.
const mostHistory = 8192

// score returns how promising a quiet turn is.
func (h *history) score(side position.Side, t, previous position.Turn) int32 {
	return int32(h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)]) +
		int32(h.continuations[previous.To()&(points-1)][t.To()&(points-1)])
}

// countermove returns the turn that last cut after a turn of the opponent of side.
func (h *history) countermove(side position.Side, previous position.Turn) position.Turn {
	return position.Turn(h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)])
}

// update learns from a cut at a depth: by the last of the tried turns, which
// were all quiet.
func (h *history) update(side position.Side, tried []position.Turn, previous position.Turn, depth int) {
	bonus := int32(min(16*depth*depth+32*depth, 1600))
	for i, t := range tried {
		sign := int32(-1)
		if i == len(tried)-1 {
			sign = 1
		}
		adjust(&h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)], sign*bonus)
		adjust(&h.continuations[previous.To()&(points-1)][t.To()&(points-1)], sign*bonus)
	}
	h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)] = uint16(tried[len(tried)-1])
}

// adjust moves a number towards a bonus, the less the nearer it is to its bound.
func adjust(number *int16, bonus int32) {
	size := max(bonus, -bonus)
	*number += int16(bonus - int32(*number)*size/mostHistory)
}

// age halves all numbers: what was learned in the last search still counts, but
// less than what this one learns.
func (h *history) age() {
	for s := range h.moves {
		for from := range h.moves[s] {
			for to := range h.moves[s][from] {
				h.moves[s][from][to] /= 2
			}
		}
	}
	for from := range h.continuations {
		for to := range h.continuations[from] {
			h.continuations[from][to] /= 2
		}
	}
}

// clear forgets all.
func (h *history) clear() { *h = history{} }
