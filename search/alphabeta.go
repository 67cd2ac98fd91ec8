package search

import (
	"context"
	"runtime/debug"
	"sync"

	"gyre/position"
	"gyre/search/evaluation"
)

// AlphaBeta searches with several threads over one transposition table (lazy
// SMP): each does a whole search of its own and finds what the others left in
// the table. With one thread and a limit of depth or nodes it does the same
// work every time after NewGame.
type AlphaBeta struct {
	table     *Table
	workers   []*worker
	evaluator *evaluation.Evaluator
}

// NewAlphaBeta returns a searcher of one thread with a table of so many
// mebibytes, and the evaluator that the program carries.
func NewAlphaBeta(mebibytes int) *AlphaBeta {
	s := &AlphaBeta{table: NewTable(mebibytes), evaluator: evaluation.DefaultEvaluator()}
	s.SetThreads(1)
	return s
}

// NewGame forgets what belongs to one game.
func (s *AlphaBeta) NewGame() {
	s.table.Clear()
	for _, w := range s.workers {
		w.history.clear()
	}
}

// Resize gives the table another size in mebibytes, and forgets what it knew.
func (s *AlphaBeta) Resize(mebibytes int) {
	s.share(nil)
	debug.FreeOSMemory() // the old memory has to go before the new comes
	s.share(NewTable(mebibytes))
}

// share gives all threads a table.
func (s *AlphaBeta) share(table *Table) {
	s.table = table
	for _, w := range s.workers {
		w.table = table
	}
}

// SetThreads sets how many threads search, at least one.
func (s *AlphaBeta) SetThreads(threads int) {
	threads = max(1, threads)
	s.workers = s.workers[:min(len(s.workers), threads)]
	for len(s.workers) < threads {
		s.workers = append(s.workers, &worker{table: s.table, evaluator: s.evaluator, main: len(s.workers) == 0})
	}
}

// SetEvaluator gives the searcher another evaluator, and forgets what was found
// with the old one.
func (s *AlphaBeta) SetEvaluator(e *evaluation.Evaluator) {
	if e == s.evaluator {
		return
	}
	s.evaluator = e
	for _, w := range s.workers {
		w.evaluator = e
	}
	s.NewGame()
}

// Search looks for the best turn of root. See [Searcher].
func (s *AlphaBeta) Search(ctx context.Context, root position.Position, limits Limits, report func(Info)) Outcome {
	turns := rootTurns(&root, limits)
	if len(turns) == 0 {
		return Outcome{}
	}
	c := Begin(ctx, limits, len(turns) == 1)
	defer c.End()
	if limits.Mate > 0 {
		out := s.searchMate(ctx, c, &root, turns, report)
		c.Wait(ctx)
		return out
	}
	s.table.NextSearch()
	for i, w := range s.workers {
		w.others = s.othersOf(i)
		w.start(&root, turns, c)
	}
	var helpers sync.WaitGroup
	for i, w := range s.workers[1:] {
		helpers.Go(func() { w.iterate(1, 1+i%2, nil) })
	}
	main := s.workers[0]
	main.iterate(max(1, limits.MultiPV), 1, report)
	c.Wait(ctx)
	c.Stop()
	helpers.Wait()
	main.reportLines(main.rootDepth, min(max(1, limits.MultiPV), len(main.roots)), report)
	return main.outcome()
}

// othersOf returns what counts the nodes of all threads but one.
func (s *AlphaBeta) othersOf(one int) func() uint64 {
	return func() (nodes uint64) {
		for i, w := range s.workers {
			if i != one {
				nodes += w.seen.Load()
			}
		}
		return nodes
	}
}

// outcome is the best root turn as it stands. It is there also when not even
// the first iteration came to its end.
func (w *worker) outcome() Outcome {
	best := &w.roots[0]
	out := Outcome{Best: best.turn, Info: w.info(w.rootDepth, 0)}
	if len(best.line) > 1 {
		out.Ponder = best.line[1]
	}
	return out
}

// mateFallback is the effort for a turn to play when no win is proven.
const mateFallback = 100_000

// searchMate serves a search for a win in so many turns. Without one the turn
// to play comes from a short search of the usual kind.
func (s *AlphaBeta) searchMate(ctx context.Context, c *Manager, root *position.Position, turns []position.Turn, report func(Info)) Outcome {
	if out, found := Prove(c, root, turns, report); found {
		return out
	}
	nodes := uint64(mateFallback)
	if c.Stopped() {
		nodes = 1
	}
	return s.Search(ctx, *root, Limits{Nodes: nodes, SearchTurns: turns}, func(Info) {})
}
