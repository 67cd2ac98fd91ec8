package protocol

import (
	"time"

	"gyre/position"
)

// Clock is one side's clock. The zero value is a clock that nobody set.
type Clock struct {
	Set       bool          // whether the time left was given at all
	Left      time.Duration // never negative
	Increment time.Duration // added after each turn, never negative
}

// Limits is what a `go` asks of a search: where it may stop and what it may
// look at. Several limits hold together, and the first one reached ends the
// search. Times have whole milliseconds on the wire.
type Limits struct {
	Clock     [2]Clock // by side: position.White is player 1
	MovesToGo int      // turns until the next time control; 0 means all of the game

	MoveTime    time.Duration // time for this turn, when HasMoveTime
	HasMoveTime bool
	Depth       int // plies (whole turns), at least 1, when HasDepth
	HasDepth    bool
	Nodes       uint64 // at least 1, when HasNodes
	HasNodes    bool

	// Mate asks for a win within so many turns of the side to move; 0 asks
	// for none.
	Mate int

	// Infinite asks to search until stopped. Ponder asks to search on the
	// opponent's time, until stopped or until the turn pondered on is played.
	Infinite, Ponder bool

	// SearchTurns are the only turns to look at in the root; none means all.
	SearchTurns []position.Turn
}

// bounded reports whether a search for side under these limits ends by
// itself, Infinite and Ponder aside.
func (l *Limits) bounded(side position.Side) bool {
	return l.HasMoveTime || l.HasDepth || l.HasNodes || l.Mate > 0 || l.Clock[side].Set
}

// settle returns the limits as the engine gets them for side to move: a side
// without a clock takes its opponent's, and a search without any limit is an
// infinite one.
func (l Limits) settle(side position.Side) Limits {
	if !l.Clock[side].Set {
		l.Clock[side] = l.Clock[side.Opponent()]
	}
	if !l.bounded(side) {
		l.Infinite = true
	}
	return l
}
