// Package fit finds the weights of the evaluation that best predict how games end
// and what a search says of their positions. It is a logistic regression by
// stochastic gradient descent, what chess programmers know as Texel tuning.
//
//	example.go   Example: a position to learn from, and its 32 bytes
//	shard.go     examples on disk
//	dataset.go   Dataset: all examples, shuffled in bounded memory; games held out
//	loss.go      the target, and the logistic loss
//	scale.go     how many centipawns of the scores make a logit
//	phase.go     the phases that losses and scales are told apart by
//	values.go    a model in logits
//	shape.go     the parameters that the values are made of
//	gradient.go  losses and gradients, on several threads, and the optimiser
//	options.go   Options: what a fit is told
//	fit.go       Fit: epoch by epoch to the least loss held out
//	plot.go      the losses as a picture
//
// The model is linear: a position is worth the sum of its patterns by their
// index, over all places, and of a few numbers beside them. It predicts the share
// of the points that the side to move gets as sigmoid(worth). The target is a
// mixture of the game's result and of sigmoid(score / scale); the scale of each phase
// and source is fitted to its results first, for a score means less the earlier it is,
// and what its engine makes of it. So what a model is worth means the same chance at
// every stage.
//
// A fit is the same for the same dataset and options, whatever the number of
// threads, on one kind of processor. On another its last bits may differ: where
// the processor has a fused multiply-add the compiler uses it (arm64, ppc64le,
// s390x, riscv64, amd64 from GOAMD64=v3 on), which rounds once instead of twice,
// and math.Exp is assembly on some, which on amd64 asks for it when it runs. The
// differences grow over the steps of a fit. No engine depends on it: weights are
// whole numbers, and a file of them is the same everywhere.
package fit
