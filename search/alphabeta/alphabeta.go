// Package alphabeta implements search.Searcher with a principal variation search
// and a transposition table. The glossary of package search has the terms of the game, such as
// quiet and row-taking turns. A static score is an evaluation without a search: the sum that an
// accumulator keeps from turn to turn and, unless it is said to be without crossings, the value
// of the crossings, which takes longer to compute (see package evaluation).
//
//	alphabeta.go   Searcher: threads over one table, and their vote for the turn
//	root.go        one thread: iterative deepening, aspiration windows, the lines it reports
//	search.go      worker, a thread: principal variation search and quiescence search
//	pruning.go     tuning, the parameters and their tables; late-move pruning and reductions,
//	               futility pruning, singular extension
//	picker.go      move ordering: the staged picker and row-taking turns
//	history.go     move ordering: what it learns from cutoffs
//	table.go       the transposition table
//	prefetch_*.go  prefetching a bucket of the table, if the processor can
package alphabeta

import (
	"context"
	"math"
	"slices"
	"sync"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
	"gyre/search/internal/timemanager"
)

// Searcher searches with several threads that share one transposition table (lazy
// SMP). Each thread does its own full search and uses the entries of the others.
// At the end the threads vote for the turn. With one thread and a limit on depth,
// nodes or node-based time, a search after NewGame always does the same work. It
// implements [search.Searcher].
type Searcher struct {
	table     *table
	workers   []*worker
	evaluator *evaluation.Evaluator
	tuning
}

// New returns a searcher with one thread, a table of the given size and the embedded
// evaluator. If there is not enough memory, New halves the size until it fits.
// Use Resize to get an error instead.
func New(mebibytes int) *Searcher {
	s := &Searcher{table: newTable(mebibytes), evaluator: evaluation.DefaultEvaluator()}
	defaults := search.DefaultParameters()
	s.SetParameters(&defaults)
	s.SetThreads(1)
	return s
}

// NewGame forgets everything about the current game.
func (s *Searcher) NewGame() { s.NewGameFor(math.MaxUint64) }

// nodesPerEntry is the number of nodes for which the table keeps room for one entry, when the
// number of nodes is known. Most nodes are leaves, which are not stored. About one node in
// sixteen is, so an eighth of that room fills.
const nodesPerEntry = 2

// NewGameFor is like NewGame for a search of at most the given number of nodes before
// the next NewGame. It uses only as much of the table as these nodes need, so that
// clearing it takes little time compared with the search. The result of a search
// depends on the number.
func (s *Searcher) NewGameFor(nodes uint64) {
	s.table.clearFor(nodes / nodesPerEntry)
	for _, w := range s.workers {
		w.history.clear()
	}
}

// Resize sets the size of the table in mebibytes and clears it. If there is not
// enough memory, Resize returns an error and changes nothing.
func (s *Searcher) Resize(mebibytes int) error { return s.table.resize(mebibytes) }

// Close frees the table's memory. A closed searcher cannot search.
func (s *Searcher) Close() { s.table.close() }

// SetThreads sets the number of threads, at least one.
func (s *Searcher) SetThreads(threads int) {
	threads = max(1, threads)
	s.workers = slices.Delete(s.workers, min(len(s.workers), threads), len(s.workers))
	for len(s.workers) < threads {
		s.workers = append(s.workers, &worker{table: s.table, scorer: evaluation.NewScorer(s.evaluator), main: len(s.workers) == 0})
	}
}

// SetEvaluator sets the evaluator. If it differs from the current one, the searcher
// forgets what it has learned.
func (s *Searcher) SetEvaluator(e *evaluation.Evaluator) {
	if e == s.evaluator {
		return
	}
	s.evaluator = e
	s.SetParameters(&s.parameters) // the margins of crossings depend on the evaluator
	for _, w := range s.workers {
		w.scorer = evaluation.NewScorer(e)
	}
	s.NewGame()
}

// SetParameters sets the parameters of the following searches.
func (s *Searcher) SetParameters(p *search.Parameters) { s.tuning = newTuning(p, s.evaluator) }

// answerNodes limits the search for a turn to play if a mate search finds no mate.
const answerNodes = 20_000

// Search searches for the best turn of a position. See [search.Searcher].
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
	answer := s.Search(ctx, p, m.AnswerLimits(answerNodes), func(search.Info) {})
	out := mate.Search(m, &p, turns, report, answer)
	m.Wait()
	return out
}

// search searches the given turns of a position and reports the given number of
// lines.
func (s *Searcher) search(m *timemanager.Manager, p *position.Position, turns []position.Turn, lines int, report func(search.Info)) search.Outcome {
	s.table.nextSearch()
	for _, w := range s.workers {
		w.threads, w.tuning = s.workers, s.tuning
		w.start(p, turns, m)
	}
	var helpers sync.WaitGroup
	for i, w := range s.workers[1:] {
		helpers.Go(func() {
			w.iterate(1, 1+i%2, nil)
			w.published.Store(w.nodes)
		})
	}
	main := s.workers[0]
	main.iterate(lines, 1, report)
	m.Wait()
	m.Stop()
	helpers.Wait()
	main.published.Store(main.nodes)
	chosen := main
	if lines == 1 && !m.DepthLimited() { // the helpers search one line and ignore the limit on depth
		shareLosses(s.workers)
		chosen = elect(s.workers)
	}
	return chosen.conclude(lines, report)
}

// shareLosses makes every thread know the root turns that any of them has proven to lose.
func shareLosses(workers []*worker) {
	lost := map[position.Turn]search.Score{}
	for _, w := range workers {
		for _, r := range w.roots {
			if r.lost() {
				lost[r.turn] = min(lost[r.turn], r.upper)
			}
		}
	}
	for _, w := range workers {
		for i := range w.roots {
			r := &w.roots[i]
			if upper, ok := lost[r.turn]; ok && upper < r.upper {
				r.setUpper(upper, w.rootDepth)
			}
		}
		sortRoots(w.roots)
	}
}

// conclude reports the lines and returns the outcome. It is valid even if the first iteration did
// not finish.
func (w *worker) conclude(lines int, report func(search.Info)) search.Outcome {
	list := w.reportLines(lines, report)
	out := search.Outcome{Best: list[0].PV[0], Info: list[0]}
	if len(out.Info.PV) > 1 {
		out.Ponder = out.Info.PV[1]
	}
	return out
}

// A thread's vote weighs the centipawns by which its score exceeds the lowest score
// of all threads, plus a base, times its depth.
const (
	voteBase = 20   // centipawns
	voteMax  = 1000 // cap on scores and proven results, in centipawns
)

// elect returns the thread whose best turn is played, among threads that searched the
// same root. A proven win needs no vote: the quickest one is chosen. Otherwise it is
// the turn with the most votes by score and depth (Stockfish's get_best_thread), and
// among its threads the one with the greatest depth. The first thread wins ties.
func elect(workers []*worker) *worker {
	worst := search.Score(voteMax)
	for _, w := range workers {
		score, _ := w.bestResult()
		worst = min(worst, clampVote(score))
	}
	votes := map[position.Turn]int{}
	for _, w := range workers {
		score, depth := w.bestResult()
		votes[w.roots[0].turn] += (int(clampVote(score)-worst) + voteBase) * depth
	}
	best := workers[0]
	for _, w := range workers[1:] {
		score, depth := w.bestResult()
		bestScore, bestDepth := best.bestResult()
		turn, bestTurn := w.roots[0].turn, best.roots[0].turn
		if max(score, bestScore) >= search.WinThreshold {
			if score > bestScore {
				best = w
			}
		} else if votes[turn] > votes[bestTurn] || turn == bestTurn && depth > bestDepth {
			best = w
		}
	}
	return best
}

// clampVote clamps a score to the range that counts for a vote.
func clampVote(s search.Score) search.Score { return min(max(s, -voteMax), voteMax) }
