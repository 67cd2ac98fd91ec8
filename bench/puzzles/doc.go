// Package puzzles holds little problems for people to solve: positions of games
// in which one turn is right.
//
//	puzzle.go       Puzzle; the set, puzzles.jsonl
//	read.go         reading and writing it, a line each
//	check.go        what has to hold of a puzzle by the rules
//	theme.go        themes, by facts of the position and the turn
//	same.go         when two turns are the same answer
//	judge.go        Judge: what turns are worth, by a search of so many nodes
//	unique.go       Lead; whether a turn is the only right one
//	puzzles.jsonl   the set: made by gyre-train puzzles
//
// # One right turn
//
// The chance of a turn is the share of the points that a search expects after it,
// in thousandths: 1000 times win + draw/2 of the model of package search, and 1000
// or 0 where the search proves the end. A puzzle is chosen if the chance of its first
// turn is 300 above that of every other answer, the loss at which a review of a game
// says "blunder", with 100,000 nodes for the right turn and 100,000 for the others. It
// comes into the set only if it is as far above with ten times as many: so a check of any
// puzzle of the set with 1,000,000 nodes finds no other right turn. A check with other
// nodes, or by another engine, may find less: as long as the turn is [Tolerance] above,
// the loss at which a review says "inaccuracy", no other is right.
//
// Two turns are the same answer if they move the same ring to the same point and
// take the same rows off: see [Same]. Which ring pays counts where the theme is
// [RightRing], and there every other ring is worse by as much.
//
// A puzzle with Mate N is proven, by a search of all replies, to be won in N turns
// of the solver and in no fewer.
//
// Folder compose makes puzzles.
package puzzles
