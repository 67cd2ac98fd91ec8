// Package evaluation judges a position without searching.
//
//	evaluation.go   what a position is worth: the sum of all terms
//	weights.go      what is counted, and what it is worth
//	windowindex.go  the index of a window: what stands on its five points
//	weightsfile.go  weights in a file
//	quantise.go     weights from the real numbers of a fit
//	hand.go         the weights from before the engine learned any
//	terms.go        the terms beside the windows: rings removed, mobility, tempo
//	windows.go      the 123 windows of five points and the table of their worth
//	accumulator.go  the windows of a position, kept up from turn to turn
//	explain.go      the terms in words
//
// The unit is the centipawn of the protocol: 100 are what a side is ahead by
// when it wins about 73% of the points between equal players.
package evaluation

import "gyre/position"

// Bound limits the evaluation: no position is worth Bound or more, so that no
// evaluation is taken for a proven end.
const Bound = 20000

// Evaluate returns the worth of a position for the side to move, computed from
// scratch. The game must not be over.
func Evaluate(p *position.Position) int {
	var a Accumulator
	a.Reset(p)
	return a.Score(p)
}

// Score returns the worth for the side to move of the position that a belongs
// to: what Evaluate returns.
func (a *Accumulator) Score(p *position.Position) int {
	worth := int(a.sum)/windowUnit + materialWorth(p) + mobilityWorth(p) + tempoWorth(p)
	if p.SideToMove() == position.Black {
		worth = -worth
	}
	return max(-Bound, min(Bound, worth))
}
