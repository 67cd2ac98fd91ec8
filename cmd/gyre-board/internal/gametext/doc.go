// Package gametext reads and writes games as a person pastes, opens and saves
// them: positions, lists of turns, records, and files of boardspace.net.
//
//	read.go   finding out what a text is, and reading it
//	write.go  writing a record
package gametext
