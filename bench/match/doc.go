// Package match plays many games between two engines or more, several at once,
// and keeps every game that has ended on disk, so that a match can be stopped
// at any moment and go on later.
//
//	schedule.go   Schedule: which game is which, by number
//	match.go      Match: what is played, and Run
//	checks.go     what stops a match: engines that cannot play, or have changed
//	collect.go    the one goroutine through which all games go to disk
//	crew.go       Crew: who plays the games, here the workers of this process
//	worker.go     Worker: one of them, with engines of its own
//	verify.go     whether a line from elsewhere can be the game that was to be played
//	pair.go       Pair: which pairs count, and what one does to a Pairing
//	standing.go   Standing: the results so far, in the order of the schedule
//	pool.go       Pool: games of several matches or files, to be counted together
//	claims.go     Claims: wins announced, and lines told, held against the game
//	line.go       Line: a game as a line of JSON
//	linegame.go   from a game to its line and back
//	log.go        the file of lines, a journal whose last line may be cut
//	records.go    the games as records, in a file made from the lines
//
// Before the first game every engine has to start, take its options, and make a
// turn. A match stops when an engine does not play in a game: when it dies, hangs,
// cannot start or breaks the rules. With Match.Recover it goes on, that engine
// started anew. Either way the pair of such a game counts for nothing, neither for
// a test nor for Elo: the game tells of the program, not of its strength, and a
// test that counted it would accept what is only broken. It can be played again.
// A game lost on time counts: time is what is played with, and an engine must not
// gain by its slowest games being left out.
//
// A game is known by its number in the schedule. Numbers two by two are pairs:
// the same opening with colours reversed. Resuming plays the numbers that are
// not on disk, so a match that was interrupted ends with the same games as one
// that was not. A sequential test looks at pairs in the order of their numbers,
// not in that in which they happen to end: so short games do not count first,
// and the verdict is the same for any number of workers.
package match
