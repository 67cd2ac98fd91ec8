// Package coach says what there is to say of a turn: sentences for players, each of which is
// a fact that the rules prove. What a turn is worth the engine says; why, in part, is here.
//
//	fact.go      Fact: what can be said, and its sentence
//	position.go  what is looked at in a position: rows one turn away, fours, a won next turn
//	turn.go      the facts of a turn, the most telling first
package coach
