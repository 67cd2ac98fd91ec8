// Package game plays single games between two engines. It keeps the rules
// itself, watches every wait, and says who won and why; only the side whose
// engine misbehaves loses by it.
//
//	engine.go      Engine: how to start an engine, its options and limits
//	limits.go      Limits: clock, time a turn, nodes, depth, and their text
//	clock.go       the time of a side, real or virtual, and what a turn leaves of it
//	player.go      Player: a running engine, reused from game to game
//	check.go       whether an engine can play, before the first game
//	speed.go       nodes a second, by which clocks are scaled on another machine
//	reason.go      Reason: why a game ended, also by the fault of an engine
//	adjudicate.go  ends by agreement of the engines' scores
//	played.go      Played: a game that has ended, from its Opening on
//	play.go        Play: one game
//	turn.go        one turn of it
//	ponder.go      thinking in the opponent's time
//	verify.go      whether a game from elsewhere can have come of Play
//	record.go      the game as a record.Game
package game
