// Package alphabeta implements search.Searcher with a principal variation search
// and a transposition table.
//
//	alphabeta.go   Searcher: threads over one table, and their vote for the turn
//	search.go      one thread: iterative deepening, principal variation search, quiescence
//	pruning.go     late-move, futility and reverse futility pruning, by the search's parameters
//	picker.go      move ordering: the staged picker, row-taking turns and history
//	table.go       the transposition table
//	prefetch_*.go  prefetching a bucket of the table, if the processor can
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

// votes is how much the threads speak for a turn.
type votes struct {
	turn   position.Turn
	weight int
}

// What the weight of a vote is made of: how many centipawns a thread's best turn is above
// the worst of theirs, with a base that all have, times the depth that it is known to.
const (
	voteBase = 20   // centipawns
	voteMost = 1000 // centipawns that a score counts as at most, a proven end too
)

// elect returns the thread whose best turn is to be played, of some that searched the same
// root: the turn with the most votes by score and depth (Stockfish's get_best_thread), and
// of the threads for it the one that knows it deepest. A proven win needs no vote: the
// quickest is played. The first thread leads, and keeps the lead where nothing decides.
func elect(workers []*worker) *worker {
	worst := search.Score(voteMost)
	for _, w := range workers {
		score, _ := w.standing()
		worst = min(worst, counted(score))
	}
	var all []votes
	best := workers[0]
	for _, w := range workers {
		score, depth := w.standing()
		all = vote(all, w.roots[0].turn, (int(counted(score)-worst)+voteBase)*depth)
		if leader, _ := best.standing(); score >= search.WinThreshold && score > leader {
			best = w
		}
	}
	if score, _ := best.standing(); score >= search.WinThreshold {
		return best
	}
	for _, w := range workers[1:] {
		_, depth := w.standing()
		_, leaders := best.standing()
		mine, theirs := weightOf(all, w.roots[0].turn), weightOf(all, best.roots[0].turn)
		if mine > theirs || mine == theirs && w.roots[0].turn == best.roots[0].turn && depth > leaders {
			best = w
		}
	}
	return best
}

// counted returns a score as far as it counts for a vote.
func counted(s search.Score) search.Score { return min(max(s, -voteMost), voteMost) }

// vote adds a weight for a turn.
func vote(all []votes, turn position.Turn, weight int) []votes {
	for i := range all {
		if all[i].turn == turn {
			all[i].weight += weight
			return all
		}
	}
	return append(all, votes{turn, weight})
}

// weightOf returns the weight of the votes for a turn.
func weightOf(all []votes, turn position.Turn) int {
	for _, v := range all {
		if v.turn == turn {
			return v.weight
		}
	}
	return 0
}

// standing returns the score of the thread's best turn, and the depth that it is known to:
// one less than that of the iteration if this one did not get to it, and 0 with the static
// score if none did.
func (w *worker) standing() (score search.Score, depth int) {
	r := &w.roots[0]
	switch {
	case r.score > -search.Infinity:
		return r.score, w.rootDepth
	case r.before > -search.Infinity:
		return r.before, max(w.rootDepth-1, 1)
	}
	return r.static, 0
}
