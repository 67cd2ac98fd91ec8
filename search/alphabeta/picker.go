package alphabeta

import (
	"math"
	"slices"

	"gyre/position"
	"gyre/search"
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

	stage            pickStage
	depth            int                     // depth of the node
	known            position.Turn           // the table's turn, as the table stores it; None if there is none
	previous         position.Turn           // of the opponent
	refutations      [3]position.Turn        // killers and countermove
	triedRefutations int                     // how many of them were tried
	mustTake         bool                    // the opponent made a row, which must be removed first
	completions      []position.Turn         // otherwise: the ring moves that complete a row
	rowTakings       int                     // number of row-taking turns in the list; the quiet ones follow
	quietScores      []evaluation.QuietScore // the static scores after the quiet turns
	picked           bool                    // whether a turn was returned
}

// pickStage is the next step of a picker.
type pickStage uint8

const (
	pickTable      pickStage = iota // the table's turn, if it is quiet
	makeRowTakings                  // generate the row-taking turns, scored by the position after them
	pickRowTaking                   // the best of them
	pickRefutation                  // killers and countermove
	makeQuiet                       // generate the quiet turns, scored by the position after them and by history
	pickRemaining                   // the quiet turns and the remaining row-taking turns
	makePass                        // if there was no other turn
	makePlacings
	pickOther // the placings, or the pass
	pickedAll
)

// start initializes the picker for its node, given the depth, the table's turn, the
// killers and the previous turn.
func (k *picker) start(depth int, known position.Turn, killers [2]position.Turn, previous position.Turn) {
	k.depth, k.known, k.previous = depth, known, previous
	k.turns, k.used = k.turns[:0], 0
	k.picked = false
	if k.position.Placing() {
		k.stage = makePlacings
		return
	}
	k.stage = pickTable
	counter := k.history.countermove(k.position.SideToMove(), previous)
	k.refutations = [3]position.Turn{killers[0], killers[1], counter}
}

// pick returns the next turn, or None after the last, and whether it is a quiet turn whose
// static score quietScore returns. It returns every legal turn exactly once, but only one of
// several symmetric placings.
func (k *picker) pick() (t position.Turn, scored bool) {
	for k.stage != pickedAll {
		if t, scored := k.step(); t != position.None {
			k.picked = true
			return t, scored
		}
	}
	return position.None, false
}

// step performs one stage. It returns a turn like pick, or None if the stage has none left.
func (k *picker) step() (t position.Turn, scored bool) {
	p := k.position
	switch k.stage {
	case pickTable:
		k.stage = makeRowTakings
		if p.Quiet(k.known) {
			return k.known, false
		}
	case makeRowTakings:
		k.generateRowTakings()
		k.scoreRowTaking(k.known)
		k.stage = pickRowTaking
	case pickRowTaking:
		k.stage, k.triedRefutations = pickRefutation, 0
		return k.highest(), false
	case pickRefutation:
		if t := k.nextRefutation(); t != position.None {
			return t, false
		}
		k.stage = makeQuiet
	case makeQuiet:
		k.rowTakings = len(k.turns)
		if !k.mustTake {
			k.turns = p.MovesBut(k.completions, k.turns)
		}
		k.scoreRemaining()
		k.stage = pickRemaining
	case pickRemaining:
		for t := k.highest(); t != position.None; t = k.highest() {
			if k.last < k.rowTakings {
				return t, false
			}
			if !k.pickedBefore(t) {
				return t, true
			}
		}
		k.stage = makePass
	case makePass:
		if k.picked {
			k.stage = pickedAll
			break
		}
		k.turns = p.Turns(k.turns[:0])
		k.scoreOther()
		k.stage = pickOther
	case makePlacings:
		k.turns = root.Placings(p, k.turns[:0])
		k.scoreOther()
		k.stage = pickOther
	case pickOther:
		if t := k.highest(); t != position.None {
			return t, false
		}
		k.stage = pickedAll
	}
	return position.None, false
}

// generateRowTakings generates the row-taking turns.
func (k *picker) generateRowTakings() {
	p := k.position
	if k.mustTake = p.HasRow(p.SideToMove()); k.mustTake {
		k.turns = p.CompletingTurns(k.turns[:0])
		return
	}
	k.completions = p.Completions(p.SideToMove(), k.completions[:0])
	k.turns = p.RowTakings(k.completions, k.turns[:0])
}

// nextRefutation returns the next killer or countermove that is a quiet turn of the
// node, or None.
func (k *picker) nextRefutation() position.Turn {
	for k.triedRefutations < len(k.refutations) {
		t := k.refutations[k.triedRefutations]
		k.triedRefutations++
		if t != k.known && !slices.Contains(k.refutations[:k.triedRefutations-1], t) && k.position.Quiet(t) {
			return t
		}
	}
	return position.None
}

// pickedBefore reports whether a quiet turn was returned before the stage of quiet turns. The
// table stores a quiet turn whole.
func (k *picker) pickedBefore(t position.Turn) bool {
	return t == k.known || slices.Contains(k.refutations[:], t)
}

// scoreOther scores the turns, placings or a pass, by the static scores after them. The
// table's turn comes first.
func (k *picker) scoreOther() {
	k.resetScores()
	for _, t := range k.turns {
		score := scoreAfter(k.scorer.Evaluator, k.position, k.accumulator, t)
		if asStored(t) == k.known {
			score = tableTurnScore
		}
		k.addScore(score)
	}
}

// scoreRowTaking scores the turns of the list, which all remove a row. The table's turn comes
// first: it is k.known, or None in quiescence search, which does not start the picker.
//
// Row-taking turns come in groups: the same ring move and row, with a choice of rings to
// pay with. Their score is the static score after them, without crossings. It is computed
// only for the first turn of a group, and only if there are several groups. The others
// differ from it by the prices of their rings.
func (k *picker) scoreRowTaking(known position.Turn) {
	k.resetScores()
	if len(k.turns) == 0 {
		return
	}
	e, p, a := k.scorer.Evaluator, k.position, k.accumulator
	var prices [points]int32 // of the rings, by point; one that has just moved costs nothing
	for b := p.Rings(p.SideToMove()); !b.IsEmpty(); b = b.WithoutFirst() {
		prices[b.First()&(points-1)] = int32(e.RingPrice(a, p, b.First()))
	}
	var base int32
	group := k.turns[0].WithoutLastRing()
	if k.turns[len(k.turns)-1].WithoutLastRing() != group {
		group = position.None // there are several groups: compare them
	}
	for _, t := range k.turns {
		price := prices[t.Removal(t.Removals()-1).Ring&(points-1)]
		if g := t.WithoutLastRing(); g != group {
			group = g
			base = scoreAfter(e, p, a, t) + price
		}
		score := base - price
		if asStored(t) == known {
			score = tableTurnScore
		}
		k.addScore(score)
	}
}

// scoreRemaining scores the quiet turns, which follow the row-taking turns in the
// list. At the last ply it uses only the static scores after them, which are all the
// search needs there; before it, it adds their history. Row-taking turns have no
// history and keep their scores. Those of a single group are only the prices of their rings, so
// its place among the quiet turns is arbitrary; full scores gained nothing (bench/EXPERIMENTS.md).
// If the best of them did not cut, the others seldom do: they often differ only in the ring they
// pay with.
func (k *picker) scoreRemaining() {
	side, quiet := k.position.SideToMove(), k.turns[k.rowTakings:]
	k.quietScores = k.scorer.ScoreQuiet(k.accumulator, k.position, quiet, k.quietScores[:0])
	weight := int32(1)
	if k.depth > 1 {
		weight = k.staticWeight
	}
	for i, s := range k.scores {
		if s != taken { // a turn that is stored like the table's may be left: its score must not overflow
			k.scores[i] = moveScoreAt(weight*min(s.score(), winningScore), i)
		}
	}
	for i, t := range quiet {
		score := weight * int32(k.quietScores[i].Score)
		if k.depth > 1 {
			score += k.history.score(side, t, k.previous)
		}
		k.addScore(score)
	}
}

// skipQuiet drops the quiet turns that were not returned yet, and returns their number.
func (k *picker) skipQuiet() (skipped int) {
	for i := k.rowTakings; i < len(k.scores); i++ {
		if k.scores[i] != taken {
			k.scores[i] = taken
			k.used++
			if !k.pickedBefore(k.turns[i]) {
				skipped++
			}
		}
	}
	return skipped
}

// quietScore returns the static score after the turn that was last returned as scored.
func (k *picker) quietScore() *evaluation.QuietScore { return &k.quietScores[k.last-k.rowTakings] }

// moveScore combines the score of a turn with its place from the end of the list. So
// no two are equal, and the highest identifies its turn.
type moveScore int64

// placeBits is the number of bits of the place in a move score.
const placeBits = 31

// taken is the move score of a turn that was taken from the list.
const taken moveScore = math.MinInt64

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
	used   int         // number of turns returned or dropped
	last   int         // place of the turn that was last returned
}

func (l *moveList) resetScores() { l.scores, l.used = l.scores[:0], 0 }

// addScore sets the score of the next turn in the list.
func (l *moveList) addScore(score int32) {
	l.scores = append(l.scores, moveScoreAt(score, len(l.scores)))
}

// highest returns the remaining turn with the highest score, or None. It searches
// without branches, because they would be unpredictable.
func (l *moveList) highest() position.Turn {
	if l.used >= len(l.turns) {
		return position.None
	}
	l.used++
	best := taken
	for _, s := range l.scores {
		best = max(best, s)
	}
	l.last = best.place()
	l.scores[l.last] = taken
	return l.turns[l.last]
}

// The scores of turns that need no evaluation.
const (
	tableTurnScore = 1 << 30               // of the table's turn
	winningScore   = int32(search.Win) - 1 // of a turn that wins
)

// scoreAfter scores a turn by the static score after it without crossings, for the side that
// makes it. It does not play the turn.
func scoreAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) int32 {
	us := p.SideToMove()
	if p.Removed(us)+t.Removals() >= p.Rules().WinningRings() {
		return winningScore
	}
	var after evaluation.Accumulator
	e.Update(&after, a, p, t)
	return -int32(after.Score(us.Opponent()))
}
