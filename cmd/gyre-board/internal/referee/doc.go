// Package referee answers the page's questions about the rules: what a game
// looks like after each of its turns, what can be done next within a turn, and
// all of it in words. It keeps nothing: every question brings the whole game.
//
//	path.go    the way to a position: a start and turns, and the same position with
//	           the other side to move; what is wrong with a question, and where
//	view.go    a position as the page draws it
//	step.go    the parts of a turn
//	steps.go   what can be done next in a turn
//	prompt.go  what the player is asked for
//	replay.go  games in files that hold steps
//	game.go    a whole game, turn by turn
//	words.go   turns in words
//	setup.go   positions that somebody sets up
package referee
