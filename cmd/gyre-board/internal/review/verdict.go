package review

import (
	"gyre/position"
	"gyre/protocol"
)

// Label is how bad a turn was.
type Label string

// The labels. A turn that cost less than an inaccuracy has none.
const (
	Fine       Label = ""
	Inaccuracy Label = "inaccuracy"
	Mistake    Label = "mistake"
	Blunder    Label = "blunder"
)

// thresholds are what a turn has to lose for its label, in per cent of a point, worst first.
var thresholds = []struct {
	lost  float64
	label Label
}{
	{30, Blunder},
	{20, Mistake},
	{10, Inaccuracy},
}

// LabelOf returns the label of a turn that lost so much, in per cent of a point.
func LabelOf(lost float64) Label {
	for _, t := range thresholds {
		if lost >= t.lost {
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
	Turn          position.Turn
	Best          []position.Turn // what the engine would have played, and how it expects the game to go on
	Before, After protocol.Score  // with the best turn, and after the one played
	Lost          float64         // chances, in per cent of a point
	Accuracy      float64         // 0 to 100
	Label         Label
	MissedRow     bool // whether it should have taken a row, or one more, and did not
}

// verdict judges the turn that led from before to after.
func verdict(p *position.Position, turn position.Turn, before, after Judgement) Verdict {
	v := Verdict{Side: p.SideToMove(), Turn: turn, Best: before.Line, Before: before.Score, After: negated(after.Score)}
	if turn != before.best() {
		v.Lost = Lost(v.Before, v.After)
	}
	v.Accuracy, v.Label = accuracyOf(v.Lost), LabelOf(v.Lost)
	v.MissedRow = missedRow(p, turn, before.best(), v.Label)
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
	Accuracy     float64 // 0 to 100; 0 of no turns
	Lost         float64 // by all turns together, in per cent of a point
	Inaccuracies int
	Mistakes     int
	Blunders     int
	MissedRows   int
}

// add counts a verdict.
func (t *Summary) add(v *Verdict) {
	t.Turns++
	t.Lost += v.Lost
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
