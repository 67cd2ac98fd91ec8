// Package game plays single games between two engines. It keeps the rules
// itself, watches every wait, and says who won and why; only the side whose
// engine misbehaves loses by it.
//
//	engine.go      Engine: how to start an engine, its options and limits
//	limits.go      Limits: clock, time a turn, nodes, depth, and their text
//	player.go      Player: a running engine, reused from game to game
//	clock.go       what a turn may take, and what is left afterwards
//	reason.go      Reason: why a game ended
//	adjudicate.go  ends by agreement of the engines' scores
//	opening.go     Opening: the position and the turns that a game begins with
//	play.go        Play: one game
//	turn.go        one turn of it
//	fault.go       from a failure of an engine to the reason of its loss
//	record.go      the game as a position.Record
package game
