package review

import (
	"gyre/position"
	"gyre/protocol"
)

// Judgement is what an engine makes of a position.
type Judgement struct {
	Score protocol.Score // for the side to move
	Best  position.Turn  // None where the game is over
}

// Game judges each turn of a game. positions are those before the first turn and
// after each, so one more than turns. judge is asked about each position where
// the game is not over, by its number, once and in order; report is told each
// verdict as soon as it is known. Game returns the summaries by side, of the turns
// judged so far when judge fails, with its error.
func Game(positions []position.Position, turns []position.Turn, judge func(ply int) (Judgement, error), report func(Verdict)) ([2]Summary, error) {
	var summaries [2]Summary
	var before Judgement
	for i := range positions {
		now := Judgement{Score: outcome(&positions[i])}
		if !positions[i].Over() {
			var err error
			if now, err = judge(i); err != nil {
				return summaries, err
			}
		}
		if i > 0 {
			v := verdict(&positions[i-1], turns[i-1], before, now)
			v.Ply = i
			summaries[v.Side].add(v)
			report(v)
		}
		before = now
	}
	return summaries, nil
}

// Label is how bad a turn was.
type Label string

// The labels. A turn that cost less than an inaccuracy has none.
const (
	Fine       Label = ""
	Inaccuracy Label = "inaccuracy"
	Mistake    Label = "mistake"
	Blunder    Label = "blunder"
)

// thresholds are the part of a point that a turn has to throw away for its
// label, worst first. Scores of short searches differ by some hundredths of a
// point from one turn to the next, so that less means nothing.
var thresholds = []struct {
	loss  float64
	label Label
}{
	{0.30, Blunder},
	{0.20, Mistake},
	{0.10, Inaccuracy},
}

// labelOf returns the label of a turn that threw away part of a point.
func labelOf(loss float64) Label {
	for _, t := range thresholds {
		if loss >= t.loss {
			return t.label
		}
	}
	return Fine
}

// Verdict is what is said of a turn. Scores are those of the side that played
// it.
type Verdict struct {
	Ply           int // from 1
	Side          position.Side
	Turn, Best    position.Turn  // played, and what the engine would have played
	Before, After protocol.Score // with the best turn, and after the one played
	// Loss is by how much the score fell, in hundredths of the protocol's unit,
	// where a decided game counts 1000. It is never negative.
	Loss      int
	Label     Label
	MissedRow bool // whether it should have taken a row, or one more, and did not
}

// verdict judges the turn that led from before to after.
func verdict(p *position.Position, turn position.Turn, before, after Judgement) Verdict {
	v := Verdict{Side: p.SideToMove(), Turn: turn, Best: before.Best, Before: before.Score, After: negated(after.Score)}
	if turn != before.Best {
		v.Loss = max(bounded(v.Before)-bounded(v.After), 0)
		v.Label = labelOf(expected(v.Before) - expected(v.After))
	}
	v.MissedRow = missedRow(p, turn, before.Best, v.Label)
	return v
}

// missedRow tells whether a turn that took a row, or more rows than the one
// played, was there and would have been better: because it was the engine's, or
// because the one played was no good. Not every row is worth its ring.
func missedRow(p *position.Position, turn, best position.Turn, label Label) bool {
	if best.Removals() > turn.Removals() {
		return true
	}
	if label == Fine {
		return false
	}
	for _, t := range p.CompletingTurns(nil) {
		if t.Removals() > turn.Removals() {
			return true
		}
	}
	return false
}

// Summary sums up the turns of a side.
type Summary struct {
	Turns        int
	Loss         int // of all turns together
	Inaccuracies int
	Mistakes     int
	Blunders     int
	MissedRows   int
}

// MeanLoss returns the loss of the average turn, 0 if there is none.
func (t Summary) MeanLoss() float64 {
	if t.Turns == 0 {
		return 0
	}
	return float64(t.Loss) / float64(t.Turns)
}

// add counts a verdict.
func (t *Summary) add(v Verdict) {
	t.Turns++
	t.Loss += v.Loss
	switch v.Label {
	case Inaccuracy:
		t.Inaccuracies++
	case Mistake:
		t.Mistakes++
	case Blunder:
		t.Blunders++
	}
	if v.MissedRow {
		t.MissedRows++
	}
}
