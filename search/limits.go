package search

import (
	"time"

	"gyre/position"
)

// Limits says when a search has to end: at the first of them that is reached. Without
// any limit it goes on to [MaxDepth] or until its context is done. While it is the
// opponent's time, neither time nor nodes are limited.
//
// With NodesTime the clock goes by the nodes visited, and with one thread a search with
// limits of time does the same work every time.
//
// A search for a win by Mate ends when it is found, or found not to exist. The turn to
// play comes then from a short search of the usual kind, within what the other limits
// leave.
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
	Overhead    time.Duration   // kept back of a turn's time for what lies between engine and clock; a tenth of MoveTime at most
	NodesTime   uint64          // nodes that count as a millisecond: all times go by nodes then; 0 for real time
}

// Clock is the time that the side to move has for its game.
type Clock struct {
	Left      time.Duration // on the clock now
	Increment time.Duration // added after each turn
	MovesToGo int           // turns until the next time control; 0 if the time is for the whole game
}
