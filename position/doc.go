// Package position knows the rules of YINSH: the board, its positions and
// turns, their text, and counting them. It imports nothing else of Gyre.
// Package record, below it, keeps whole games as text.
//
// The board, from the bottom up:
//
//	rules.go      the two sides, standard and blitz
//	errors.go     the one type of error
//	bitboard.go   points on the padded board, and sets of them in two machine words
//	point.go      the 85 points and their names
//	line.go       the 33 lines through the points, and what lies between two points
//	row.go        the 123 rows: five points next to each other on a line
//	targets.go    where a ring on a line can go, by table
//
// A position and what can be done in it:
//
//	position.go   the Position value and what can be asked of it
//	zobrist.go    the keys of its hash
//	turn.go       a whole turn in one word, and its text
//	mobility.go   where the rings of a side can go
//	complete.go   which ring moves complete a row: the quick, exact tests
//	result.go     how a game ends
//	generate.go   all legal turns, and how many there are
//	quiet.go      the turns that take no row off
//	removals.go   all legal turns where rows may be taken off
//	play.go       the position after a turn
//	partial.go    a turn in the making, step by step
//	perft.go      counting sequences of turns
//	replies.go    the last two plies of a count, on the lines alone
//	playout.go    games of random steps
//	symmetry.go   the 12 symmetries of the board
//
// Text:
//
//	notation.go   reading turns
//	legal.go      whether a turn is legal, and why not
//	text.go       positions as BOARD SIDE SCORE
//	pieces.go     positions as the sets of their pieces
//	draw.go       positions as pictures
//	validate.go   which positions can stand between two turns
//
// Two values describe everything: [Position] is plain memory, without pointers,
// and is copied into a child that the caller owns; [Turn] is one machine word.
// Making and generating turns allocates nothing.
package position
