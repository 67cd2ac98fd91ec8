package search

import (
	"context"

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
}
