// Package evaluation judges a position without searching. What it knows are
// weights, learned from games of the engine against itself: a worth for each
// way in which the five points of a window can stand, and the six of two windows
// that overlap, and a few beside.
//
//	weights.go      what is counted, what it is worth, and the sum
//	windowindex.go  the index of a window or six: what stands on its points
//	sixes.go        the sixes of the board
//	weightsfile.go  weights in a file
//	embedded.go     the weights that the program carries
//	hand.go         the weights from before the engine learned any
//	quantise.go     weights from the real numbers of a fit
//	explain.go      an evaluation in words and on the board
//
// The same, fast enough for a search:
//
//	evaluator.go    weights made ready
//	lines.go        the lines of the board in machine words
//	accumulator.go  the windows of a position, kept up from turn to turn
//	outlook.go      what the quiet turns of a position lead to
//
// The unit is the centipawn: 100 are what a side is ahead by when it wins about 73%
// of the points between equal players. A search's score is surer, and worth more;
// what the protocol gives out takes account of that.
package evaluation

// Bound limits the evaluation: no position is worth more than Bound, so that no
// evaluation is taken for a proven end.
const Bound = 20000
