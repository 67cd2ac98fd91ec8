package alphabeta

import (
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

// isRefutation tells whether t is one of the first killers and countermoves.
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
