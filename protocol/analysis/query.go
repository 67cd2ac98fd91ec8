package analysis

import (
	"time"

	"gyre/position"
)

// Request is a line to the program: a [Query], a [Terminate] or a [QueryVersion].
type Request interface{ request() }

// Query asks for the analysis of positions of one game.
type Query struct {
	ID         string
	Start      position.Position
	Turns      []position.Turn // legal, one after the other
	At         []uint16        // how many of the turns were played, ascending, for each position wanted
	Limits     Limits
	Priority   int           // the higher, the sooner
	DuringEach time.Duration // after which to tell what a search has found so far; 0 for never
}

// Terminate asks to end all queries of an id.
type Terminate struct{ ID, TerminateID string }

// QueryVersion asks what the program is.
type QueryVersion struct{ ID string }

func (*Query) request()        {}
func (*Terminate) request()    {}
func (*QueryVersion) request() {}

// Limits is what bounds the search of a position. The first limit that is reached
// ends it; there is one at least.
type Limits struct {
	Nodes   uint64        // positions to visit; 0 for any number
	Time    time.Duration // 0 for any time
	MultiPV int           // lines wanted, at least 1
}

// DefaultNodes is the limit of a query without one.
const DefaultNodes = 100_000

// The bounds of numbers in queries.
const (
	mostTime     = 1_000_000_000_000 // ms
	mostMultiPV  = 64
	mostPriority = 1_000_000
)

// positionAfter returns the position after so many turns.
func (q *Query) positionAfter(turns int) position.Position {
	p := q.Start
	for _, t := range q.Turns[:turns] {
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return p
}

// Error is a line that was refused, and why. It has no ID where the line tells none.
type Error struct {
	ID     string
	HasID  bool
	Field  string // that is wrong; empty where the line is no JSON object
	Reason string
}

// Error returns the field and the reason.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}
