// Package review judges the turns of a game by what an engine makes of the
// positions before and after them.
//
//	review.go    a review in the making: judgements come, verdicts go
//	verdict.go   what is said of a turn: what it lost, and its label
//	accuracy.go  accuracy, of a turn and of a side
//	score.go     scores, and the chances that they promise
//
// # What is measured
//
// A side's chances are its expected part of a point, in per cent. PROTOCOL.md says what a
// score is worth: n hundredths stand for 1 / (1 + e^(-n/100)) of a point. A game that is
// decided, on the board or by a proof, is worth all or nothing.
//
// What a turn lost is the chances of its side before it, with the engine's best turn, less
// those after it. A turn that is the engine's best has lost nothing, nor has one after which
// the chances are higher.
//
// A turn that lost 10 or more of the 100 per cent is an inaccuracy, from 20 on a mistake,
// and from 30 on a blunder. (lichess draws its lines at 5, 10 and 15; scores of short searches
// of YINSH differ by more from one turn to the next than those of chess.)
//
// Accuracy, from 0 to 100, is that of lichess (AccuracyPercent.scala of lila, whose numbers
// were fitted there): of a turn that lost l it is
//
//	103.1668100711649 e^(-0.04354415386753951 l) - 3.166924740191411 + 1
//
// within 0 to 100, and 100 where it lost nothing. That of a side in a game is half the sum
// of two means over its turns: the mean weighted by volatility, and the harmonic mean, which
// a few bad turns pull down (and to which no turn counts for less than 1). The volatility
// about a turn is the standard deviation of White's chances in a window of positions, as
// many as a tenth of the turns but 2 to 8, within 0.5 to 12; the first window stands for the
// turns before it, too.
package review
