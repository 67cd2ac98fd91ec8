// Package review judges the turns of a game by what an engine makes of the
// positions before and after them.
//
//	review.go  going through a game, and what is said of a turn and of a side's turns
//	score.go   scores, and the points that they promise
package review
