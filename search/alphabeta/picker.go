package alphabeta

import (
	"math"

	"gyre/position"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
)

// picker returns the turns of a node, most promising first. It generates them in
// stages, so that a cutoff saves generating the rest (staged move generation, in the
// form of Stockfish's MovePicker).
type picker struct {
	moveList    // of the current stage
	scorer      *evaluation.Scorer
	history     *history
	position    *position.Position // of the node
	accumulator *evaluation.Accumulator

	staticWeight int32 // history points that one centipawn of the static score outweighs

	stage       pickStage
	depth       int   // depth of the node
	entry       entry // the table's entry for the node
	previous    position.Turn
	refutations [3]position.Turn        // killers and countermove
	refuted     int                     // number of them returned or skipped
	mustTake    bool                    // the opponent made a row, which must be removed first
	completions []position.Turn         // otherwise: the ring moves that complete a row
	completing  int                     // number of row-taking turns in the list; the quiet ones follow
	static      []evaluation.QuietScore // the static scores after the quiet turns
	handed      int                     // number of turns returned, in all stages
}

// pickStage is the next step of a picker.
type pickStage uint8

const (
	pickTable      pickStage = iota // the table's turn, if it is quiet
	makeCompleting                  // generate the row-taking turns, scored by the position after them
	pickCompleting                  // the best of them
	pickRefutation                  // killers and countermove
	makeQuiet                       // generate the quiet turns, scored by the position after them and by history
	pickRemaining                   // the quiet turns and the remaining row-taking turns
	makeRest                        // a pass, if there was no other turn
	makePlacings
	pickRest
)

// start initializes the picker for its node, given the depth, the table's entry, the
// killers and the previous turn.
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

// pick returns the next turn, or None after the last. It returns every legal turn
// exactly once.
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

// step performs one stage. It returns a turn, or None and whether there are more
// stages.
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

// makeCompleting generates the row-taking turns.
func (k *picker) makeCompleting() {
	p := k.position
	if k.mustTake = p.HasRow(p.SideToMove()); k.mustTake {
		k.turns = p.CompletingTurns(k.turns[:0])
		return
	}
	k.completions = p.Completions(p.SideToMove(), k.completions[:0])
	k.turns = p.Takings(k.completions, k.turns[:0])
}

// nextRefutation returns the next killer or countermove that is a quiet turn of the
// node, or None.
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

// isRefutation reports whether t is among the first killers and countermoves.
func (k *picker) isRefutation(t position.Turn, first int) bool {
	for _, refutation := range k.refutations[:first] {
		if t == refutation {
			return true
		}
	}
	return false
}

// scorePlacings scores the turns, all placings, by the static scores after them. The
// table's turn comes first.
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

// scoreRemaining scores the quiet turns, which follow the row-taking turns in the
// list. At the last ply it uses only the static scores after them, which are all the
// search needs there; before it, it adds their history. Row-taking turns have no
// history and keep their scores, which use the same unit. If the best of them did not
// cut, the others seldom do: they often differ only in the ring they pay with.
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

// skipQuiet drops the quiet turns that are not yet returned.
func (k *picker) skipQuiet() {
	for i := k.completing; i < len(k.scores); i++ {
		if k.scores[i] != handedOut {
			k.scores[i] = handedOut
			k.next++
		}
	}
}

// staticScore returns the static score after the turn that was last returned, or nil
// if the picker does not know it.
func (k *picker) staticScore() *evaluation.QuietScore {
	if k.stage != pickRemaining || k.last < k.completing {
		return nil
	}
	return &k.static[k.last-k.completing]
}

// moveScore combines the score of a turn with its place from the end of the list. So
// no two are equal, and the highest identifies its turn.
type moveScore int64

// placeBits is the number of bits of the place in a move score.
const placeBits = 31

// handedOut is the move score of a turn that was already returned.
const handedOut moveScore = math.MinInt64

// moveScoreAt returns the move score for the turn at a place in the list.
func moveScoreAt(score int32, place int) moveScore {
	return moveScore(score)<<placeBits | moveScore(1<<placeBits-1-place)
}

func (s moveScore) score() int32 { return int32(s >> placeBits) }

func (s moveScore) place() int { return 1<<placeBits - 1 - int(s&(1<<placeBits-1)) }

// moveList is a list of turns that returns the most promising turn first.
type moveList struct {
	turns  []position.Turn
	scores []moveScore // of the turns
	next   int         // number of turns returned
	last   int         // place of the turn that was last returned
}

func (l *moveList) resetScores() { l.scores, l.next = l.scores[:0], 0 }

// addScore sets the score of the next turn in the list.
func (l *moveList) addScore(score int32) {
	l.scores = append(l.scores, moveScoreAt(score, len(l.scores)))
}

// highest returns the remaining turn with the highest score, or None. It searches
// without branches, because they would be unpredictable.
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

// Row-taking turns come in groups: the same ring move and row, with a choice of five
// rings to pay with. Their score is the static score after them. It is computed only
// for the first turn of a group, and only if there are several groups. The others
// differ from it by the values of the rings at their points.

// tableFirst is the move score of the table's turn.
const tableFirst = 1 << 30

// winFirst is the move score of a turn that wins.
const winFirst = 1 << 20

// scoreRowTaking scores the turns of the list, which all remove a row, given the
// position and its accumulator. The table's turn comes first.
func (l *moveList) scoreRowTaking(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, known entry) {
	l.resetScores()
	if len(l.turns) == 0 {
		return
	}
	prices := ringPricesOf(e, p, a)
	var base int32
	group := l.turns[0].WithoutLastRing()
	if l.turns[len(l.turns)-1].WithoutLastRing() != group {
		group = position.None // there are several groups: compare them
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

// ringPrices holds what the side to move loses in static score if one of its rings is
// removed and the opponent is to move. A ring that has just moved is not included and
// costs nothing.
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

// scoreAfter scores a turn by the static score after it, without playing it.
func scoreAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) int32 {
	us := p.SideToMove()
	if p.Removed(us)+t.Removals() >= p.Rules().WinningRings() {
		return winFirst
	}
	var after evaluation.Accumulator
	e.Update(&after, a, p, t)
	return -int32(after.Score(us.Opponent()))
}

// history learns from the quiet turns that caused a cutoff, for move ordering. It
// keeps a number per ring move that grows when the move cuts and shrinks when it is
// tried in vain (the history heuristic, Schaeffer 1989, with Stockfish's gravity). It
// keeps the same per previous turn (continuation history, Stockfish), and the best
// reply to each turn (the countermove heuristic, Uiterwijk 1992).
type history struct {
	moves         [2][points][points]int16  // by side, from, to
	continuations [points][points]int16     // by the target of the previous turn, and the target
	countermoves  [2][points][points]uint16 // quiet turns fit into 16 bits
}

// points is the length of tables indexed by point.
const points = 128

// maxHistory bounds the absolute value of the numbers.
const maxHistory = 8192

// score returns the history score of a quiet turn.
func (h *history) score(side position.Side, t, previous position.Turn) int32 {
	return int32(h.moves[side&1][t.From()&(points-1)][t.To()&(points-1)]) +
		int32(h.continuations[previous.To()&(points-1)][t.To()&(points-1)])
}

// countermove returns the turn that last caused a cutoff after the opponent's turn
// previous.
func (h *history) countermove(side position.Side, previous position.Turn) position.Turn {
	return position.Turn(h.countermoves[side&1][previous.From()&(points-1)][previous.To()&(points-1)])
}

// update learns from a cutoff at a depth by the last of the tried turns, which were
// all quiet.
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

// adjust moves a number toward a bonus, by less the closer it is to its bound.
func adjust(number *int16, bonus int32) {
	size := max(bonus, -bonus)
	*number += int16(bonus - int32(*number)*size/maxHistory)
}

// age halves all numbers: the last search still counts, but less than this one.
func (h *history) age() {
	for s := range h.moves {
		for from := range h.moves[s] {
			halve(&h.moves[s][from])
		}
	}
	for from := range h.continuations {
		halve(&h.continuations[from])
	}
}

// halve halves numbers. Most rows are empty, and it is faster to see that than to halve them: age
// took almost a fifth of the time of self-play with 300 nodes.
func halve(row *[points]int16) {
	if *row == [points]int16{} {
		return
	}
	for i := range row {
		row[i] /= 2
	}
}

func (h *history) clear() { *h = history{} }
