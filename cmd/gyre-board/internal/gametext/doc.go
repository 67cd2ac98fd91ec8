// Package gametext reads and writes games as a person pastes, opens and saves
// them: positions, lists of turns, records, files of boardspace.net, and logs of
// boardgamearena.com.
//
//	read.go   finding out what a text is, and reading it
//	turns.go  lists of turns, and other ways to number them
//	tree.go   variations, and what else a record holds in a tag of its own
//	write.go  writing a record
//
// Whole trees in files of boardspace.net:
//
//	sgfwrite.go  writing them
//	sgfread.go   reading them
package gametext
