// Package review judges the turns of a game by an engine's scores of the positions before
// and after them.
//
// # What is measured
//
// A side's chances are its expected result in percent. PROTOCOL.md defines what a score is
// worth: a score of n hundredths means an expected result of 1 / (1 + e^(-n/100)). A game
// that is decided, on the board or by proof, is worth 0 or 100.
//
// A turn's loss is its side's chances before the turn, with the engine's best turn, minus
// the chances after it. The engine's best turn loses nothing, and neither does a turn that
// increases the chances.
//
// A loss of 10 or more is an inaccuracy, from 20 a mistake, and from 30 a blunder. (lichess
// uses 5, 10 and 15. Scores of short searches vary more from turn to turn in YINSH than in
// chess.)
//
// Accuracy, from 0 to 100, is that of lichess (AccuracyPercent.scala of lila, which also
// fitted the constants). The accuracy of a turn that loses l is
//
//	103.1668100711649 e^(-0.04354415386753951 l) - 3.166924740191411 + 1
//
// clamped to 0 and 100; it is 100 if the turn loses nothing. The accuracy of a side is half
// the sum of two means over its turns: a mean weighted by volatility, and the harmonic mean,
// which a few bad turns pull down. In the harmonic mean every turn counts for at least 1.
// The volatility at a turn is the standard deviation of White's chances in a window of
// positions, clamped to 0.5 and 12. The window's length is a tenth of the turns, clamped to 2
// and 8. The first window also applies to the turns before it.
package review

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gyre/position"
	"gyre/protocol"
)

// Judgement is what an engine makes of a position.
type Judgement struct {
	Score protocol.Score  // for the side to move
	Line  []position.Turn // how the engine would go on; none where the game is over
}

// best returns the turn that the engine would play, None if it told none.
func (j *Judgement) best() position.Turn {
	if len(j.Line) == 0 {
		return position.None
	}
	return j.Line[0]
}

// Review is a review of a game in the making. It is told what an engine makes of the
// positions, in any order and again when a longer search makes more of one, and says what
// that means for the turns.
type Review struct {
	positions []position.Position
	turns     []position.Turn
	judged    []*Judgement // by the number of the position
}

// New returns the review of a game, of which nothing is judged but an end on the board.
// positions are those before the first turn and after each, so one more than turns.
func New(positions []position.Position, turns []position.Turn) *Review {
	r := &Review{positions: positions, turns: turns, judged: make([]*Judgement, len(positions))}
	for i := range positions {
		if positions[i].Over() {
			r.judged[i] = &Judgement{Score: outcome(&positions[i])}
		}
	}
	return r
}

// Judge takes down the judgement of the position after so many turns, and returns the
// verdicts that it makes or changes.
func (r *Review) Judge(ply int, j Judgement) []Verdict {
	r.judged[ply] = &j
	var changed []Verdict
	for turn := ply; turn <= ply+1; turn++ {
		if v, ok := r.verdict(turn); ok {
			changed = append(changed, v)
		}
	}
	return changed
}

// verdict returns that of the turn with a number, from 1, if both positions are judged.
func (r *Review) verdict(ply int) (Verdict, bool) {
	if ply < 1 || ply >= len(r.positions) || r.judged[ply-1] == nil || r.judged[ply] == nil {
		return Verdict{}, false
	}
	v := verdict(&r.positions[ply-1], r.turns[ply-1], *r.judged[ply-1], *r.judged[ply])
	v.Ply = ply
	return v, true
}

// verdicts returns those of all turns that can be judged by now.
func (r *Review) verdicts() (list []Verdict) {
	for ply := range r.positions {
		if v, ok := r.verdict(ply); ok {
			list = append(list, v)
		}
	}
	return list
}

// Doubtful returns the positions around the turns that lost most, so many turns at most, in
// their order: these are worth a longer search. Turns that lost less than an inaccuracy are
// in no doubt.
func (r *Review) Doubtful(most int) []int {
	worst := slices.DeleteFunc(r.verdicts(), func(v Verdict) bool { return v.Label == Fine })
	slices.SortStableFunc(worst, func(a, b Verdict) int { return cmp.Compare(b.Lost, a.Lost) })
	plies := map[int]bool{}
	for _, v := range worst[:min(most, len(worst))] {
		for _, ply := range []int{v.Ply - 1, v.Ply} {
			plies[ply] = !r.positions[ply].Over()
		}
	}
	maps.DeleteFunc(plies, func(_ int, ongoing bool) bool { return !ongoing })
	return slices.Sorted(maps.Keys(plies))
}

// Summaries returns the summaries by side, of the turns judged by now. The accuracy is that
// of the turns from the first on of which all before are judged.
func (r *Review) Summaries() (sides [2]Summary) {
	verdicts := r.verdicts()
	for i := range verdicts {
		sides[verdicts[i].Side].add(&verdicts[i])
	}
	known := slices.IndexFunc(r.judged, func(j *Judgement) bool { return j == nil })
	if known < 0 {
		known = len(r.judged)
	}
	for side, accuracy := range accuracies(verdicts[:min(max(known-1, 0), len(verdicts))]) {
		sides[side].Accuracy = accuracy
	}
	return sides
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

// whole is a point in per cent.
const whole = 100

// chances returns the part of a point that a score promises, in per cent.
func chances(s protocol.Score) float64 {
	switch {
	case s.Mate && s.Value > 0:
		return whole
	case s.Mate:
		return 0
	}
	return whole / (1 + math.Exp(-float64(s.Value)/100))
}

// Lost returns the chances, in per cent of a point, that are lost where the best turn is worth
// one score and the one played another, both the side's that plays it.
func Lost(best, played protocol.Score) float64 { return max(chances(best)-chances(played), 0) }

// negated returns a score from the other side's point of view.
func negated(s protocol.Score) protocol.Score { return protocol.Score{Mate: s.Mate, Value: -s.Value} }

// outcome returns the score of a position where the game is over, for the side
// to move: a game won counts as if it were to be won by the next turn.
func outcome(p *position.Position) protocol.Score {
	switch result := p.Result(); {
	case result == position.Draw:
		return protocol.Score{}
	case (result == position.WhiteWins) == (p.SideToMove() == position.White):
		return protocol.Score{Mate: true, Value: 1}
	}
	return protocol.Score{Mate: true, Value: -1}
}

// The curve of the accuracy of a turn, and what is added because a judgement is none too
// sure.
const (
	curveHeight = 103.1668100711649
	curveFall   = 0.04354415386753951
	curveFloor  = -3.166924740191411
	curveBonus  = 1
)

// accuracyOf returns the accuracy of a turn that lost so much, in per cent of a point.
func accuracyOf(lost float64) float64 {
	if lost <= 0 {
		return whole
	}
	return min(max(float64(curveHeight*math.Exp(-curveFall*lost))+curveFloor+curveBonus, 0), whole)
}

// The bounds of a window, in positions, and of the weight that its volatility gives.
const (
	leastWindow, mostWindow = 2, 8
	leastWeight, mostWeight = 0.5, 12
)

// weights returns the weight of each turn, by White's chances before the first turn and
// after each.
func weights(chances []float64) []float64 {
	turns := len(chances) - 1
	window := min(max(turns/10, leastWindow), mostWindow)
	list := make([]float64, turns)
	for i := range list {
		from := max(i-(window-2), 0)
		list[i] = min(max(deviation(chances[from:from+window]), leastWeight), mostWeight)
	}
	return list
}

// deviation returns the standard deviation of all there is.
func deviation(values []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(squares / float64(len(values)))
}

// sum is what the means of a side's accuracy are made of.
type sum struct {
	turns                        int
	weighted, weight, reciprocal float64
}

// add counts a turn.
func (s *sum) add(accuracy, weight float64) {
	s.turns++
	s.weighted += float64(accuracy * weight)
	s.weight += weight
	s.reciprocal += 1 / max(accuracy, 1)
}

// accuracy returns the side's accuracy, 0 if there is no turn.
func (s *sum) accuracy() float64 {
	if s.turns == 0 {
		return 0
	}
	return (s.weighted/s.weight + float64(s.turns)/s.reciprocal) / 2
}

// accuracies returns the accuracy of both sides in a game of these verdicts.
func accuracies(verdicts []Verdict) (sides [2]float64) {
	if len(verdicts) == 0 {
		return sides
	}
	forWhite := func(v *Verdict, chances float64) float64 {
		if v.Side == position.White {
			return chances
		}
		return whole - chances
	}
	white := []float64{forWhite(&verdicts[0], chances(verdicts[0].Before))}
	for i := range verdicts {
		white = append(white, forWhite(&verdicts[i], chances(verdicts[i].After)))
	}
	var sums [2]sum
	for i, weight := range weights(white) {
		sums[verdicts[i].Side].add(verdicts[i].Accuracy, weight)
	}
	for side := range sides {
		sides[side] = sums[side].accuracy()
	}
	return sides
}
