// Package fit finds the weights of the evaluation that foretell best how games
// end and what a search says of their positions.
//
//	example.go   Example: a position to learn from, and its 35 bytes
//	shard.go     examples on disk
//	dataset.go   Deck: all examples, dealt at random in bounded memory; games held out
//	loss.go      what is foretold, and the logistic loss
//	scale.go     how many centipawns of the scores make a logit
//	values.go    a model in logits
//	shape.go     the parameters that the values are made of
//	gradient.go  losses and gradients, on several threads, and the optimiser
//	options.go   Options: what a fit is told
//	fit.go       Fit: epoch by epoch to the least loss held out
//	plot.go      the losses as a picture
//
// The model is linear: a position is worth the sum of its 123 windows and 96 sixes,
// by their index, and of a few numbers beside them. The share of the points that the side
// to move gets is foretold as sigmoid(worth). The target is a mixture of the
// game's result and of sigmoid(score / scale), where the scale is fitted to the
// results first.
//
// A fit is the same for the same deck and options, on whatever number of threads.
// Only another kind of processor may round otherwise.
package fit
