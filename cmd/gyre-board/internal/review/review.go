package review

import (
	"cmp"
	"maps"
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
