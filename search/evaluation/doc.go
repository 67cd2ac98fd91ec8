// Package evaluation judges a position without searching, by patterns: each
// small group of points next to each other has an index, which says what stands
// on it, and a table holds a weight for every index. There is a set of tables for
// each stage of the game. The weights are learned from games of the engine against
// itself.
//
// This is the evaluation of Othello programs: pattern tables as in Buro's GLEM
// ("From Simple Features to Sophisticated Evaluation Functions", 1998) and in
// Edax (the feature table of its eval.c), also known as n-tuple networks (Lucas,
// "Learning to Play Othello with N-Tuple Systems", 2008).
//
// The definition:
//
//	pattern.go      Pattern: the table of patterns, their places and indexes
//	stage.go        Stage: the part of the game, by who wins with the next row
//	features.go     Features: the indexes of a position, and what counts beside
//	weights.go      Weights: what each index is worth at each stage, and the sum
//	weightsfile.go  weights in a file, and those that the program carries
//	numbers.go      the numbers in such a file
//	explain.go      an evaluation in words and on the board
//
// The same, fast enough for a search:
//
//	evaluator.go    Evaluator: weights made ready
//	table.go        what the codes of a line are worth, for both sides in one number
//	lines.go        the lines of the board in machine words
//	accumulator.go  Accumulator: lines and sum, kept up from turn to turn
//	scorer.go       Scorer: an evaluator that remembers lines
//	linegains.go    what quiet turns change on a line, as it remembers it
//	quietscores.go  the static scores of all quiet children, without making them
//
// A new pattern is a row of the table in pattern.go: file, explanation and
// training go over the table, and weights from before leave it worth nothing. The
// Evaluator knows patterns of five and six points on a line; a test holds it
// against the definition for every row.
//
// The unit is the centipawn of the weights. gyre-train fit scales its models so
// that 100 of them are one logit at every stage: a side that is ahead by 100 is
// expected to win about 73% of the points between equal players. The score of a
// search is surer than an evaluation, and search.Scale tells what it is worth.
package evaluation
