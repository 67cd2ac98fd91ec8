// Package proof proves forced wins by exhaustive AND/OR search with nothing
// but the rules: it knows neither the engine's search nor its evaluation. The
// tests of the tactical suite and the program that makes the suite use it; the
// engine does not.
//
//	solver.go   the Solver: is the game won within n turns, and by which turns
//	and.go      the defender's half: every reply is tried
//	leaf.go     the last turn: does one win at once
//	order.go    which turns to try first; this alters time, never an answer
//	memo.go     answers kept by position
//
// A side to move wins in n if, whatever the opponent does, the game is over
// and won by it after at most 2n-1 plies: the last of them its own n-th turn.
// Every end counts: the ring that wins, or more rings removed when the pool is
// empty or nobody can move.
package proof
