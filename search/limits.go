package search

import (
	"time"

	"gyre/position"
)

// Limits says when a search has to end. Without any limit it goes on to
// [MaxDepth] or until its context is done.
type Limits struct {
	Clock       *Clock          // the game's clock; nil without one
	MoveTime    *time.Duration  // time for this turn; nil without
	Depth       int             // deepest iteration in turns; 0 without
	Nodes       uint64          // nodes to visit; 0 without
	Mate        int             // end when a win in at most so many turns of the winner is found; 0 without
	Infinite    bool            // go on until the context is done, also when all is known
	Ponder      <-chan struct{} // non-nil while it is the opponent's time: the clock starts when it is closed
	SearchTurns []position.Turn // the only turns to consider at the root; all if empty
	MultiPV     int             // lines to report; 0 means 1
	Overhead    time.Duration   // kept back of the time of a turn for what lies between engine and clock

	Now func() time.Time // tells the time, to any thread; nil for [time.Now]
}

// Clock is the time that the side to move has for its game.
type Clock struct {
	Left      time.Duration // on the clock now
	Increment time.Duration // added after each turn
	MovesToGo int           // turns until the next time control; 0 if the time is for the whole game
}

// Bound tells whether a score is exact.
type Bound uint8

// The bounds.
const (
	Exact Bound = iota
	Lower       // the true score is at least this
	Upper       // the true score is at most this
)

// Info is what a search reports of its progress.
type Info struct {
	Depth    int           // turns of the iteration
	SelDepth int           // turns of the deepest line looked at
	MultiPV  int           // which line, from 1
	Score    Score         // for the side to move
	Bound    Bound         // what Score is
	Nodes    uint64        // positions visited, of all threads: searched, or decided by their evaluation
	Time     time.Duration // since the search began
	HashFull int           // filled share of the table or tree, in thousandths
	PV       []position.Turn
	Message  string // in words, without a score; empty otherwise
}

// Outcome is the end of a search.
type Outcome struct {
	Best   position.Turn // the turn to play; None if the game is over
	Ponder position.Turn // the reply that is expected; None if unknown
	Info   Info          // the last exact line of the best turn
}
