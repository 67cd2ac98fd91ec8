// Command generate makes the tactical suite, bench/tactics/suite.txt, from the
// games in games.txt next to it:
//
//	go generate ./bench/tactics
//
// The same games make the same suite, whatever the engine has become since.
// With -play it makes the games instead, by the engine as it is today:
//
//	cd bench/tactics; go run ./generate -play 320 -seed 1
//
// Its files:
//
//	main.go       the flags
//	games.go      the file of games
//	play.go       games of the searcher against itself, and of chance
//	candidate.go  the forced wins in a game, proven
//	select.go     which of them come into the suite
package main
