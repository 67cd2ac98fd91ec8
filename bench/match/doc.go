// Package match plays many games between two engines or more, several at once,
// and keeps every game that has ended on disk, so that a match can be stopped
// at any moment and go on later.
//
//	schedule.go   Schedule: which game is which, by number
//	match.go      Match: what is played, and Run
//	collect.go    the one goroutine through which all games go to disk
//	worker.go     the workers, each with engines of its own
//	standing.go   Standing: the results so far, in the order of the schedule
//	line.go       Line: a game as a line of JSON
//	linegame.go   from a game to its line and back
//	log.go        the file of lines, a journal whose last line may be cut
//	records.go    the games as records, in a file made from the lines
//
// A game is known by its number in the schedule. Numbers two by two are pairs:
// the same opening with colours reversed. Resuming plays the numbers that are
// not on disk, so a match that was interrupted ends with the same games as one
// that was not. A sequential test looks at pairs in the order of their numbers,
// not in that in which they happen to end: so short games do not count first,
// and the verdict is the same for any number of workers.
package match
