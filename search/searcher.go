package search

import (
	"context"
	"time"

	"gyre/position"
	"gyre/search/evaluation"
)

// Searcher chooses turns. A searcher serves one search at a time; between
// searches it may keep what it has learned of the game.
type Searcher interface {
	// Search looks for the best turn of root until a limit is reached or the
	// context is done, and reports its progress, always from the calling
	// goroutine. It finds a turn also when there is no time at all. The outcome
	// has no turn only when the game is over.
	Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome
	// NewGame forgets what belongs to one game.
	NewGame()
	// Resize bounds the memory, in mebibytes, and forgets what was kept in it. An
	// error says that the machine has not so much; all then stays as it was.
	Resize(mebibytes int) error
	// Close gives the memory back, which lies outside the heap of the garbage
	// collector. A searcher that is closed cannot search any more; one that is
	// lost without it gives its memory back some time.
	Close()
	// SetEvaluator sets what judges positions. If it is not the one that did, the
	// searcher forgets what it has learned.
	SetEvaluator(e *evaluation.Evaluator)
	// SetThreads sets how many threads search.
	SetThreads(threads int)
	// SetParameters sets the numbers to search by, as far as the searcher has them.
	SetParameters(p *Parameters)
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
	Time     time.Duration // since the search began, by the clock of its limits
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
