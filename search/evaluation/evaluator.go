package evaluation

import "fmt"

// Evaluator evaluates positions by weights, fast. It does not change, so many
// threads may share it.
//
// It computes with integers alone: weights are whole numbers, and sums of them
// are rounded once. So an evaluation is the same on every
// architecture, whatever it does with floating point, and with it the search.
type Evaluator struct {
	worths  [StageCount]table
	beside  [StageCount][besideStates][besideStates]pair // by White's and Black's rings removed
	weights *Weights
}

// besideStates is the number of rings that a side can have removed, the last one
// included.
const besideStates = RemovedStates + 1

// The fast evaluation knows patterns of so many points. A longer one has no
// code; of a shorter one there are places that no code of a line begins with.
const (
	fewestPoints = linePoints - codesALine + 1
	mostPoints   = codePoints
)

// NewEvaluator makes weights ready, which have to pass [Weights.Check]. It keeps
// a copy of them.
func NewEvaluator(w *Weights) *Evaluator {
	e := &Evaluator{weights: w.clone()}
	for k := range patterns {
		e.addPattern(k)
	}
	for stage := range StageCount {
		for white := range besideStates {
			for black := range besideStates {
				e.beside[stage][white][black] = pairOf(w.beside(stage, white, black), w.beside(stage.Swapped(), black, white))
			}
		}
	}
	return e
}

// beside returns what counts beside the patterns, in FinestUnit-ths of a centipawn.
func (w *Weights) beside(s Stage, own, theirs int) int {
	return FinestUnit * (w.removed(own, theirs) + int(w.Sets[s].Tempo))
}

// addPattern adds the weights of a pattern to all codes that begin with it,
// whatever stands on the points after it, also beyond the edge.
func (e *Evaluator) addPattern(k int) {
	p := &patterns[k]
	if p.Points < fewestPoints || p.Points > mostPoints {
		panic(fmt.Sprintf("pattern %s has %d points: the evaluator knows %d to %d", p.Name, p.Points, fewestPoints, mostPoints)) // a test makes one
	}
	for index := range p.States {
		swapped, code := p.Swapped(index), codeOf(index, p.Points)
		for s := range StageCount {
			worth := pairOf(e.weights.worth(s, k, index), e.weights.worth(s.Swapped(), k, swapped))
			for rest := range 1 << (pointBits * (mostPoints - p.Points)) {
				e.worths[s][code|rest<<(pointBits*p.Points)] += worth
			}
		}
	}
}

// Weights returns a copy of the weights.
func (e *Evaluator) Weights() *Weights { return e.weights.clone() }
