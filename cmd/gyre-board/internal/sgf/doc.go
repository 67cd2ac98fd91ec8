// Package sgf reads games of YINSH as boardspace.net keeps them: files in the
// Smart Game Format, whose nodes hold what the players did with the mouse.
//
//	read.go    files as records: each game from its nodes
//	tree.go    the format: nodes with their properties
//	action.go  what a player did, and the steps that it makes
//	tags.go    what the file tells about the game
//
// Boardspace numbers points as we do. It writes a turn in pieces: a marker
// placed and a ring dropped, or a move; the row and the ring that come off; and
// "Done" after each. The end of a turn follows from the rules, so "Done" says
// nothing here. What only prepares, such as picking a piece up, makes no step.
package sgf
