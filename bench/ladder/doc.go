// Package ladder has players of fixed strength to measure engines with, and
// their ratings. They are plain and stay as they are: nothing here uses package
// search, whose changes would move the scale.
//
//	players.go     Players: the reference players, by name
//	serve.go       a player as an engine of the protocol
//	judgement.go   how the players judge a position
//	oneply.go      uniformly random turns, and the best position after one turn
//	alphabeta.go   plain alpha-beta to a number of nodes
//	boardspace.go  the robots of boardspace.net, by description
//	mcts.go        plain Monte-Carlo tree search with random playouts
//	ratings.go     Ratings: the scale, as it was measured
//	ratings.txt    the numbers
//	outside.go     Outside: ratings of other programs on that scale
//	outside.txt    the numbers
package ladder
