// Package search chooses turns. It is the contract that two searchers keep,
// [Searcher]: alpha-beta in package alphabeta, and Monte-Carlo tree search in package
// mcts. Both work on positions and the evaluation, end by the same limits, and
// report through a callback; neither prints.
//
//	searcher.go  the form of a searcher
//	limits.go    when to end, and what is reported
//	score.go     scores, and proven ends
//	wdl.go       from a score to the chances of winning, drawing and losing, and back
//	skill.go     playing below full strength
//
// What the searchers share lies in packages of their own below internal:
//
//	timemanager  all limits of a search
//	root         the turns at the root, and placings on a board with symmetries
//	mate         a win in so many turns or that there is none, and rows that decide a game
package search
