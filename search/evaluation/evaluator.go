package evaluation

import "gyre/position"

// Evaluator evaluates positions by weights, fast. It does not change, so many
// threads may share it.
type Evaluator struct {
	stretches *[stretchTable]stretchWorth // by index
	removed   [4][4]int32                 // by the own and theirs; centipawns
	tempo     int
	perMove   int
	blocked   int
	weights   Weights
}

// NewEvaluator makes weights ready.
func NewEvaluator(w *Weights) *Evaluator {
	e := &Evaluator{tempo: int(w.Tempo), perMove: int(w.Move), blocked: int(w.Blocked), weights: *w, stretches: stretchesWorth(w)}
	for own := range e.removed {
		for theirs := range e.removed[own] {
			e.removed[own][theirs] = int32(w.removed(own, theirs))
		}
	}
	return e
}

// Weights returns a copy of the weights.
func (e *Evaluator) Weights() *Weights {
	w := e.weights
	return &w
}

// Evaluate returns the worth of a position for the side to move in centipawns,
// computed from scratch. The game must not be over.
func (e *Evaluator) Evaluate(p *position.Position) int {
	var a Accumulator
	e.Reset(&a, p)
	return e.Score(&a, p)
}

// Score returns what Evaluate does of a position, from its accumulator.
func (e *Evaluator) Score(a *Accumulator, p *position.Position) int {
	us := p.SideToMove() & 1
	them := us ^ 1
	moves, blocked := p.RingMoves(us)
	theirMoves, theirBlocked := p.RingMoves(them)
	worth := e.Windows(a, us) +
		int(e.removed[p.Removed(us)&3][p.Removed(them)&3]) +
		(moves-theirMoves)*e.perMove/MoveUnit -
		(blocked-theirBlocked)*e.blocked +
		e.tempo
	return max(-Bound, min(Bound, worth))
}
