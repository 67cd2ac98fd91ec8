// Package sgf reads and writes games of YINSH as boardspace.net keeps them: files
// in the Smart Game Format, whose nodes hold what the players did with the mouse.
//
//	game.go    games as trees of turns
//	read.go    files as games, each replayed by the rules
//	lex.go     the format: nodes with their properties
//	action.go  what a player did, and the steps that it makes
//	tags.go    what the file tells about the game
//	write.go   games as files
//	notes.go   arrows, circles and clocks
//
// Boardspace numbers points as we do. It writes a turn in pieces, a node each: a
// marker placed and a ring dropped, or a move; the row and the ring that come off;
// and "Done" after each. The end of a turn follows from the rules, so that "Done"
// says nothing here. What only prepares, such as picking a piece up, makes no step.
//
// The same form holds whole trees, with what FF[4] has for notes: C, AR and CR
// (arrows, circles), WL and BL (clocks), DO and BM (turns that are not good). What it
// has nothing for is in properties of our own, which other programs keep or pass
// over: GYRESTART, the position that the game begins with; GYREGAME and GYRE, texts
// of the caller about the game and about a node. A note that is not understood means
// nothing, and keeps no game from being read.
package sgf
