// Package alphabeta searches by principal variation search with a transposition
// table. From the outside in:
//
//	alphabeta.go    the searcher: threads over one table
//	iterate.go      iterative deepening with aspiration windows, and what it reports
//	node.go         principal variation search of a node, late-move reductions, quiescence
//	pruning.go      late-move, futility and reverse futility pruning, by the search's parameters
//	quiescence.go   leaves: standing pat, turns that take rows off, threats to win
//	worker.go       what one thread owns
//	vote.go         which thread's turn is played
//	ply.go          from ply to ply: positions, their evaluations, ends of the game
//	root.go         the turns at the root
//	picker.go       the order of the turns of a node, in stages
//	rowtaking.go    the order of the turns that take rows off
//	movelist.go     a list that hands out the turn with the highest score first
//	history.go      what the order learns: history, continuation history, countermoves
//	table.go        the transposition table
//	prefetch_*.go   fetching a line of it early, where the processor can
package alphabeta

import (
	"context"
	"math"
	"sync"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
	"gyre/search/internal/timemanager"
)

// Searcher searches with several threads over one transposition table (lazy
// SMP): each does a whole search of its own and finds what the others left in
// the table, and in the end they vote for the turn. With one thread and a limit
// of depth or nodes, or of time that goes by nodes, it does the same work every
// time after NewGame. It is a [search.Searcher].
type Searcher struct {
	table     *table
	workers   []*worker
	evaluator *evaluation.Evaluator
	numbers
}

// New returns a searcher of one thread with a table of so many mebibytes, and
// the evaluator that the program carries. On a machine without so much memory
// the table gets half, and so on; Resize tells.
func New(mebibytes int) *Searcher {
	s := &Searcher{table: newTable(mebibytes), evaluator: evaluation.DefaultEvaluator()}
	usual := search.DefaultParameters()
	s.SetParameters(&usual)
	s.SetThreads(1)
	return s
}

// NewGame forgets what belongs to one game.
func (s *Searcher) NewGame() { s.NewGameFor(math.MaxUint64) }

// nodesPerEntry is how many nodes have an entry of the table for them where their
// number is known. Most are leaves, which have none: about one in sixteen is kept.
const nodesPerEntry = 2

// NewGameFor is NewGame where at most so many nodes will be searched until the next
// one: no more of the table is used than these need, so that to empty it again takes
// little of the time of the search. What it finds depends on that number.
func (s *Searcher) NewGameFor(nodes uint64) {
	s.table.clearFor(nodes / nodesPerEntry)
	for _, w := range s.workers {
		w.history.clear()
	}
}

// Resize gives the table another size in mebibytes, and forgets what it knew. If
// there is no memory for it the table stays as it is.
func (s *Searcher) Resize(mebibytes int) error { return s.table.resize(mebibytes) }

// Close gives the table's memory back. The searcher cannot search any more.
func (s *Searcher) Close() { s.table.close() }

// SetThreads sets how many threads search, at least one.
func (s *Searcher) SetThreads(threads int) {
	threads = max(1, threads)
	s.workers = s.workers[:min(len(s.workers), threads)]
	for len(s.workers) < threads {
		s.workers = append(s.workers, &worker{table: s.table, scorer: evaluation.NewScorer(s.evaluator), main: len(s.workers) == 0})
	}
}

// SetEvaluator gives the searcher another evaluator, and forgets what was found
// with the old one.
func (s *Searcher) SetEvaluator(e *evaluation.Evaluator) {
	if e == s.evaluator {
		return
	}
	s.evaluator = e
	for _, w := range s.workers {
		w.scorer = evaluation.NewScorer(e)
	}
	s.NewGame()
}

// SetParameters gives the searcher other numbers to search by, from its next search on.
func (s *Searcher) SetParameters(p *search.Parameters) { s.numbers = numbersOf(p) }

// answerNodes is the effort for a turn to play when there is no win as short as asked.
const answerNodes = 100_000

// Search looks for the best turn of a position. See [search.Searcher].
func (s *Searcher) Search(ctx context.Context, p position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	turns := root.Turns(&p, limits)
	if len(turns) == 0 {
		return search.Outcome{}
	}
	m := timemanager.Begin(ctx, limits, &s.parameters, &p, len(turns) == 1)
	defer m.End()
	if limits.Mate == 0 {
		return s.search(m, &p, turns, min(max(1, limits.MultiPV), len(turns)), report)
	}
	out := mate.Search(m, &p, turns, report, answerNodes, func() search.Outcome {
		return s.search(m, &p, turns, 1, func(search.Info) {})
	})
	m.Wait()
	return out
}

// search looks for the best of some turns of a position, with so many lines.
func (s *Searcher) search(m *timemanager.Manager, p *position.Position, turns []position.Turn, lines int, report func(search.Info)) search.Outcome {
	s.table.nextSearch()
	for i, w := range s.workers {
		w.others, w.numbers = s.othersOf(i), s.numbers
		w.start(p, turns, m)
	}
	var helpers sync.WaitGroup
	for i, w := range s.workers[1:] {
		helpers.Go(func() {
			w.iterate(1, 1+i%2, nil)
			w.seen.Store(w.nodes)
		})
	}
	main := s.workers[0]
	main.iterate(lines, 1, report)
	m.Wait()
	m.Stop()
	helpers.Wait()
	main.seen.Store(main.nodes)
	chosen := main
	if lines == 1 && !m.DepthLimited() { // the others heed no limit of depth
		chosen = elect(s.workers)
	}
	chosen.reportLines(chosen.rootDepth, lines, report)
	return chosen.outcome()
}

// othersOf returns what counts the nodes of all threads but one.
func (s *Searcher) othersOf(one int) func() uint64 {
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
func (w *worker) outcome() search.Outcome {
	best := &w.roots[0]
	out := search.Outcome{Best: best.turn, Info: w.info(w.rootDepth, 0)}
	if len(best.pv) > 1 {
		out.Ponder = best.pv[1]
	}
	return out
}
