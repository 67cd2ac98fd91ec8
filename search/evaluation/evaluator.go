package evaluation

import (
	"fmt"

	"gyre/position"
)

// Evaluator evaluates positions by weights, fast. It does not change, so many
// threads may share it.
//
// It computes with integers alone: weights are whole numbers, and sums of them
// are divided once, towards zero. So an evaluation is the same on every
// architecture, whatever it does with floating point, and with it the search.
type Evaluator struct {
	worths  [codes]pair // by code: of all patterns that begin with its first point
	removed [4][4]int32 // by the own and theirs; centipawns
	tempo   int
	weights *Weights
}

// The fast evaluation knows patterns of so many points. A longer one has no
// code; of a shorter one there are places that no code of a line begins with.
const (
	fewestPoints = linePoints - codesALine + 1
	mostPoints   = codePoints
)

// pair is what patterns are worth for each side when it is to move, in one
// number, so that one addition adds both: White's in units of one, Black's in
// units of 2 to the power of 32. The unit is the FinestUnit-th of a centipawn.
// All places together are far from filling 32 bits.
type pair int64

// pairOf returns the pair of two numbers.
func pairOf(white, black int) pair { return pair(white) + pair(black)<<32 }

// of returns the number of a side.
func (p pair) of(s position.Side) int {
	white := int32(p)
	if s == position.White {
		return int(white)
	}
	return int((p - pair(white)) >> 32)
}

// NewEvaluator makes weights ready, which have to pass [Weights.Check]. It keeps
// a copy of them.
func NewEvaluator(w *Weights) *Evaluator {
	e := &Evaluator{tempo: int(w.Tempo), weights: w.clone()}
	for k := range patterns {
		e.addPattern(k)
	}
	for own := range e.removed {
		for theirs := range e.removed[own] {
			e.removed[own][theirs] = int32(w.removed(own, theirs))
		}
	}
	return e
}

// addPattern adds the weights of a pattern to all codes that begin with it,
// whatever stands on the points after it, also beyond the edge.
func (e *Evaluator) addPattern(k int) {
	p := &patterns[k]
	if p.Points < fewestPoints || p.Points > mostPoints {
		panic(fmt.Sprintf("pattern %s has %d points: the evaluator knows %d to %d", p.Name, p.Points, fewestPoints, mostPoints)) // a test makes one
	}
	for index := range p.States {
		worth := pairOf(e.weights.worth(k, index), e.weights.worth(k, p.Swapped(index)))
		code := codeOf(index, p.Points)
		for rest := range 1 << (pointBits * (mostPoints - p.Points)) {
			e.worths[code|rest<<(pointBits*p.Points)] += worth
		}
	}
}

// Weights returns a copy of the weights.
func (e *Evaluator) Weights() *Weights { return e.weights.clone() }

// Removed returns what the rings removed are worth for the side to move, in
// centipawns: the part of the evaluation that needs only their numbers, its own
// and theirs, of which none is above 3.
func (e *Evaluator) Removed(own, theirs int) int { return int(e.removed[own&3][theirs&3]) }

// score returns the evaluation for a side that is to move, by the sum of the
// patterns and the rings removed by it and by the other side.
func (e *Evaluator) score(patterns pair, toMove position.Side, own, theirs int) int {
	return bounded(patterns.of(toMove)/FinestUnit + e.Removed(own, theirs) + e.tempo)
}
