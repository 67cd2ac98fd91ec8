// Package bench measures searchers. This package itself is the engine's
// command bench: fixed positions searched to a fixed depth, the number of nodes
// being the signature of the search (Stockfish's bench). MCTS has a fixed number of
// visits, and a hash of its answers for a signature. A change of the search that is
// meant to change nothing leaves the signature as it is; any other gives a new one.
// It is the same on every architecture.
//
//	bench.go      Run: every position to a depth, nodes and speed
//	positions.go  the positions, read from positions.txt
//	signature.go  the signatures of the default runs, from the file SIGNATURE
//
// Its folders:
//
//	game        one game between two engines, under the rules and a watchdog
//	match       many games, kept on disk as they end
//	journal     files that long runs append to, and go on with
//	load        whether the machine has time left for a match
//	report      a page of HTML about the games of a match
//	ladder      players of fixed strength, and their ratings
//	openings    what games begin with, from a seed or a file
//	conformance whether an engine keeps to the protocol
//	enginetest  good and misbehaving engines to test these with
//	stats       ratings and tests of the results of matches
//	puzzles     little problems for people, and how they are made of games
//	tactics     a suite of proven forced wins, and how fast a searcher finds them
package bench
