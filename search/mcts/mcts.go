// Package mcts is Monte-Carlo tree search. From the outside in:
//
//	mcts.go    the searcher: a search from its limits to its outcome
//	reuse.go   going on with the tree after a turn
//	visit.go   one visit: selection by PUCT down the tree, out at a leaf, and back up
//	expand.go  the children of a leaf: evaluation, priors, ends
//	sort.go    their order
//	quiet.go   rows about to be completed, resolved before a position is judged
//	report.go  lines, scores, and which turn is best
//	run.go     what the threads of a search share
//	backup.go  minimax and proofs, from children to their parent
//	sweep.go   making room in the memory of the tree
//	arena.go   that memory
//	proof.go   proven ends (the solver)
//	chance.go  evaluations as chances to win, and back
//	numbers.go the parameters of a search
package mcts

import (
	"context"
	"slices"
	"sync"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
	"gyre/search/internal/timemanager"
)

// Searcher is a Monte-Carlo tree search over whole turns without playouts: leaves
// are evaluated, turns are chosen by PUCT with priors from the evaluation of
// the positions they lead to, and ends of the game are proven where they can
// be. It is a [search.Searcher].
//
// A node, as limits and reports count them, is a visit: about as many
// evaluations as the position has turns. Depth is the length of the principal
// variation as far as it has been visited, so a limit of depth ends the search
// when that line is so long. With one thread and no limit of real time,
// equal searches after NewGame give equal results.
//
// A proven root ends the search, unless it has to wait for its context or to
// ponder; with several lines asked for, the root counts as proven when all of
// them are. A proven win may be longer than need be; its score is then a lower
// bound. A limit of mate is served by the prover that alpha-beta has, which is
// exact.
type Searcher struct {
	tree
	scorers []*evaluation.Scorer // one for each thread
	numbers *numbers
}

// New returns a searcher of one thread with a tree of so many mebibytes, and
// the evaluator that the program carries. On a machine without so much memory
// the tree gets half, and so on; Resize tells.
func New(mebibytes int) *Searcher {
	usual := search.DefaultParameters()
	return &Searcher{
		tree:    tree{arena: newArena(mebibytes)},
		scorers: []*evaluation.Scorer{evaluation.NewScorer(evaluation.DefaultEvaluator())},
		numbers: numbersOf(&usual),
	}
}

// NewGame forgets what belongs to one game.
func (s *Searcher) NewGame() { s.arena.clear() }

// Resize gives the tree another size, the largest that fits in mebibytes and at
// least one, and forgets it. If there is no memory for it the tree stays as it
// is.
func (s *Searcher) Resize(mebibytes int) error { return s.arena.resize(mebibytes) }

// Close gives the tree's memory back. The searcher cannot search any more.
func (s *Searcher) Close() { s.arena.close() }

// SetThreads sets how many threads search, at least one.
func (s *Searcher) SetThreads(threads int) {
	threads = max(1, threads)
	s.scorers = s.scorers[:min(len(s.scorers), threads)]
	for len(s.scorers) < threads {
		s.scorers = append(s.scorers, evaluation.NewScorer(s.scorers[0].Evaluator))
	}
}

// SetParameters gives the searcher other numbers, those of the tree search and the shares of
// the time, and forgets what was found with the old ones.
func (s *Searcher) SetParameters(p *search.Parameters) {
	s.numbers = numbersOf(p)
	s.NewGame()
}

// SetEvaluator gives the searcher another evaluator, and forgets what was found
// with the old one.
func (s *Searcher) SetEvaluator(e *evaluation.Evaluator) {
	if e == s.scorers[0].Evaluator {
		return
	}
	for i := range s.scorers {
		s.scorers[i] = evaluation.NewScorer(e)
	}
	s.NewGame()
}

// answerVisits is the effort for a turn to play when there is no win as short as asked.
const answerVisits = 5_000

// Search looks for the best turn of a position. See [search.Searcher]. It reports when the
// number of visits has doubled, each second, and at its end. Its tree goes on
// from the one of the search before.
func (s *Searcher) Search(ctx context.Context, p position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	turns := root.Turns(&p, limits)
	if len(turns) == 0 {
		return search.Outcome{}
	}
	m := timemanager.Begin(ctx, limits, &s.numbers.parameters, &p, len(turns) == 1)
	defer m.End()
	var out search.Outcome
	if limits.Mate == 0 {
		out = s.search(m, &p, turns, max(1, limits.MultiPV), report)
	} else {
		out = mate.Search(m, &p, turns, report, answerVisits, func() search.Outcome {
			return s.search(m, &p, turns, 1, func(search.Info) {})
		})
	}
	m.Wait()
	return out
}

// search looks for the best of some turns of a position, with so many lines.
func (s *Searcher) search(m *timemanager.Manager, p *position.Position, turns []position.Turn, multiPV int, report func(search.Info)) search.Outcome {
	s.adopt(p)
	r := &run{arena: s.arena, scorer: s.scorers[0], numbers: s.numbers, root: p, scale: search.ScaleOf(p), limits: m, multiPV: multiPV}
	if !r.openRoot(turns) {
		return search.Outcome{Best: turns[0]}
	}
	var others sync.WaitGroup
	for _, scorer := range s.scorers[1:] {
		others.Go(func() { newExplorer(r, scorer).explore() })
	}
	r.lead(report)
	others.Wait()
	return r.conclude(report)
}

// openRoot sees to it that the root has just these turns for children. If it
// has others, what lies below it is forgotten. It fails if the arena has no
// room for them.
func (r *run) openRoot(turns []position.Turn) bool {
	root := &r.arena.branches[0]
	if children := r.arena.children(0); len(children) == 0 || !sameTurns(children, turns) {
		r.arena.clear()
		if r.limits.Allows(1) { // a turn is found also where no visit is left
			r.visits.Store(1)
		}
		root.visits.Store(1)
		e := newExplorer(r, r.scorer)
		if !e.expansion.expandRoot(&e.frames[0], turns) {
			return false
		}
	}
	r.done.Store(r.proven())
	return true
}

// sameTurns tells whether branches are those of the given turns.
func sameTurns(branches []branch, turns []position.Turn) bool {
	for i := range branches {
		if !slices.Contains(turns, branches[i].turn) {
			return false
		}
	}
	return len(branches) == len(turns)
}

// The rhythm of the thread that leads.
const (
	firstReport  = 64  // visits
	depthEvery   = 128 // visits from one look at depth and soft time to the next, after the first few
	reportPeriod = time.Second
)

// lead makes visits and watches over the limits until the search is over.
func (r *run) lead(report func(search.Info)) {
	e := newExplorer(r, r.scorer)
	next := uint64(firstReport)
	for own := uint64(1); !r.over() && e.visit(); own++ {
		visits := r.visits.Load()
		r.limits.Check(visits)
		if visits >= next {
			for next <= visits {
				next *= 2
			}
			r.doubled()
			r.report(report)
		} else if r.limits.Elapsed(visits)-r.reported >= reportPeriod {
			r.report(report)
		}
		if (own&(own-1) == 0 || own%depthEvery == 0) && !r.deeper() {
			break
		}
	}
	r.done.Store(true)
}

// deeper tells whether to go on, by the depth and by what the search has found.
// Proven ends are none of the time manager's business here.
func (r *run) deeper() bool {
	r.sweeping.RLock()
	best := r.ranking()[0]
	depth := len(r.pv(*r.root, best))
	score, _ := r.score(best)
	r.sweeping.RUnlock()
	if _, proven := score.Mate(); proven {
		score = 0
	}
	return r.limits.StartIteration(depth+1, r.visits.Load(), score)
}

// doubled tells the time manager how steady the search is: a doubling of the visits
// is to this search what an iteration is to another.
func (r *run) doubled() {
	r.sweeping.RLock()
	defer r.sweeping.RUnlock()
	best, root := r.ranking()[0], &r.arena.branches[0]
	effort := float64(best.visits.Load()) / float64(max(1, root.visits.Load()))
	score, _ := r.score(best)
	r.limits.IterationDone(score, best.turn != r.leader, effort)
	r.leader = best.turn
}
