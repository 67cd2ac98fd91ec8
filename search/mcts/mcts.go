// Package mcts implements search.Searcher with Monte Carlo tree search.
//
//	mcts.go    Searcher: a search from its limits to its reports and outcome
//	visit.go   one visit: selection by PUCT, and the backup of values and proofs
//	expand.go  the children of a leaf: their scores, order, priors and ends
//	arena.go   the memory of the tree, and the tree's reuse after a turn
//	chance.go  winning chances, proven ends and the search's parameters
package mcts

import (
	"context"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
	"gyre/search/internal/timemanager"
)

// Searcher is a Monte Carlo tree search over whole turns without playouts. It
// evaluates leaves, selects turns by PUCT with priors from the evaluation of the
// positions after them, and proves results where it can. It implements
// [search.Searcher].
//
// The evaluation is that of package alphabeta, patterns and crossings. A leaf computes
// its crossings once and lends them to the positions after its turns. Only the most
// promising turns get their own crossings, and turns that remove rows, because a removal
// changes the values of crossings.
//
// A node in limits and reports is a visit, which takes about as many evaluations as
// the position has turns. Depth is the length of the visited principal variation, and
// a limit on depth ends the search when that line is long enough. With one thread and
// no limit on real time, equal searches after NewGame give equal results.
//
// A proven root ends the search, unless the search is infinite or pondering. With
// several lines, the root counts as proven when all lines are. A proven win may not
// be the shortest; its score is then a lower bound. A limit on mate uses the same
// prover as package alphabeta, which is exact.
type Searcher struct {
	tree
	scorers []*evaluation.Scorer // one per thread
	params  *params
}

// New returns a searcher with one thread, a tree of the given size and the embedded
// evaluator. If there is not enough memory, New halves the size until it fits.
// Use Resize to get an error instead.
func New(mebibytes int) *Searcher {
	defaults := search.DefaultParameters()
	return &Searcher{
		tree:    tree{arena: newArena(mebibytes)},
		scorers: []*evaluation.Scorer{evaluation.NewScorer(evaluation.DefaultEvaluator())},
		params:  newParams(&defaults),
	}
}

// NewGame forgets everything about the current game.
func (s *Searcher) NewGame() { s.arena.clear() }

// Resize sets the size of the tree to the largest that fits in mebibytes, but at
// least one mebibyte, and clears it. If there is not enough memory, Resize returns an
// error and changes nothing.
func (s *Searcher) Resize(mebibytes int) error { return s.arena.resize(mebibytes) }

// Close frees the tree's memory. A closed searcher cannot search.
func (s *Searcher) Close() { s.arena.close() }

// SetThreads sets the number of threads, at least one.
func (s *Searcher) SetThreads(threads int) {
	threads = max(1, threads)
	s.scorers = slices.Delete(s.scorers, min(len(s.scorers), threads), len(s.scorers))
	for len(s.scorers) < threads {
		s.scorers = append(s.scorers, evaluation.NewScorer(s.scorers[0].Evaluator))
	}
}

// SetParameters sets the parameters of the tree search and the shares of the time,
// and clears the tree.
func (s *Searcher) SetParameters(p *search.Parameters) {
	s.params = newParams(p)
	s.NewGame()
}

// SetEvaluator sets the evaluator. If it differs from the current one, the searcher
// clears the tree.
func (s *Searcher) SetEvaluator(e *evaluation.Evaluator) {
	if e == s.scorers[0].Evaluator {
		return
	}
	for i := range s.scorers {
		s.scorers[i] = evaluation.NewScorer(e)
	}
	s.NewGame()
}

// answerVisits limits the search for a turn to play if a mate search finds no mate.
const answerVisits = 1_000

// Search searches for the best turn of a position. See [search.Searcher]. It reports
// whenever the number of visits has doubled, every second, and at the end. It reuses
// the tree of the previous search.
func (s *Searcher) Search(ctx context.Context, p position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	turns := root.Turns(&p, limits)
	if len(turns) == 0 {
		return search.Outcome{}
	}
	m := timemanager.Begin(ctx, limits, &s.params.parameters, &p, len(turns) == 1)
	defer m.End()
	var out search.Outcome
	if limits.Mate == 0 {
		out = s.search(m, &p, turns, max(1, limits.MultiPV), report)
	} else {
		answer := s.Search(ctx, p, m.AnswerLimits(answerVisits), func(search.Info) {})
		out = mate.Search(m, &p, turns, report, answer)
	}
	m.Wait()
	return out
}

// search searches the given turns of a position and reports the given number of
// lines.
func (s *Searcher) search(m *timemanager.Manager, p *position.Position, turns []position.Turn, multiPV int, report func(search.Info)) search.Outcome {
	s.adopt(p)
	r := &run{arena: s.arena, params: s.params, root: p, scale: evaluation.ScaleOf(p), limits: m, multiPV: multiPV}
	main := newSearchThread(r, s.scorers[0])
	if !r.openRoot(main, turns) { // no room, or stopped on the way
		return search.Outcome{Best: turns[0]}
	}
	var others sync.WaitGroup
	for _, scorer := range s.scorers[1:] {
		others.Go(func() { newSearchThread(r, scorer).search() })
	}
	r.lead(main, report)
	others.Wait()
	best := r.report(report)
	outcome := search.Outcome{Best: best.PV[0], Info: best}
	if len(best.PV) > 1 {
		outcome.Ponder = best.PV[1]
	}
	return outcome
}

// openRoot ensures that the children of the root are exactly these turns. If the root
// has other children, it clears the tree. It reports whether there was room for the
// children, and time before a stop.
func (r *run) openRoot(main *searchThread, turns []position.Turn) bool {
	if children := r.arena.children(0); len(children) == 0 || !sameTurns(children, turns) {
		r.arena.clear()
		if r.limits.Allows(1) { // a search without visits still returns a turn
			r.visits.Store(1)
		}
		r.arena.branches[0].visits.Store(1)
		if !main.expansion.expandRoot(&main.frames[0], turns) {
			return false
		}
	}
	r.done.Store(r.proven())
	return true
}

// sameTurns reports whether the branches are those of the given turns. Neither list
// contains a turn twice.
func sameTurns(branches []branch, turns []position.Turn) bool {
	if len(branches) != len(turns) {
		return false
	}
	sorted := slices.Clone(turns)
	slices.Sort(sorted)
	for i := range branches {
		if _, found := slices.BinarySearch(sorted, branches[i].turn); !found {
			return false
		}
	}
	return true
}

// The intervals of the main thread.
const (
	firstReport  = 64  // visits
	depthEvery   = 128 // visits between checks of the depth and the soft time limit, after the first few
	reportPeriod = time.Second
)

// lead makes visits and checks the limits until the search is over.
func (r *run) lead(main *searchThread, report func(search.Info)) {
	next := uint64(firstReport)
	for own := uint64(1); !r.over() && main.visit(); own++ {
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

// deeper reports whether to continue, given the depth and the results so far. The
// time manager does not need to know about proven results here.
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

// doubled reports to the time manager how steady the search is. A doubling of the
// visits counts as an iteration.
func (r *run) doubled() {
	r.sweeping.RLock()
	defer r.sweeping.RUnlock()
	best := r.ranking()[0]
	effort := float64(best.visits.Load()) / float64(r.arena.branches[0].visits.Load())
	score, _ := r.score(best)
	r.limits.IterationDone(score, best.turn != r.leader, effort)
	r.leader = best.turn
}

// run is the state of one search that its threads share.
type run struct {
	arena    *arena
	params   *params
	root     *position.Position
	scale    evaluation.Scale // of the root's scores
	limits   *timemanager.Manager
	multiPV  int          // lines requested
	sweeping sync.RWMutex // read-locked during a visit, write-locked during a sweep
	visits   atomic.Uint64
	deepest  atomic.Int32 // turns from the root
	done     atomic.Bool  // set once by the thread that finds that the search is over
	reported time.Duration
	leader   position.Turn // the best turn when the number of visits last doubled
}

func (r *run) over() bool { return r.done.Load() || r.limits.Stopped() }

// claim counts the next visit, and reports whether it is allowed.
func (r *run) claim() bool {
	if !r.limits.Allows(r.visits.Add(1)) {
		r.visits.Add(^uint64(0))
		r.done.Store(true)
		return false
	}
	return true
}

// proven reports whether the requested lines are proven: that many turns win, or all
// turns are proven.
func (r *run) proven() bool {
	wins, open := 0, 0
	children := r.arena.children(0)
	for i := range children {
		switch children[i].proof().end() {
		case won:
			wins++
		case unproven:
			open++
		}
	}
	return open == 0 || wins >= r.multiPV
}

// better reports whether b is preferable to than. A win beats everything else, and a
// shorter win is better. A loss is worse than everything else, and a longer loss is
// better. Otherwise the turn with more visits is better. A proven draw counts by the
// visits credited to it, like an unproven turn.
func (b *branch) better(than *branch) bool {
	p, q := b.proof(), than.proof()
	if r, s := p.rank(), q.rank(); r != s {
		return r > s
	}
	switch p.end() {
	case won:
		return p.turns() < q.turns()
	case lost:
		return p.turns() > q.turns()
	}
	if n, m := b.visits.Load(), than.visits.Load(); n != m {
		return n > m
	}
	return b.chance() > than.chance()
}

// best returns the best child, and whether any child is visited or proven.
func best(children []branch) (b *branch, ok bool) {
	for i := range children {
		if b == nil || children[i].better(b) {
			b = &children[i]
		}
	}
	return b, b != nil && (b.visits.Load() > 0 || b.proof() != unproven)
}

// ranking returns the root's children, best first. Visits lag behind values: the first is the one with
// the highest value among those with at least half of the most visits, unless it is proven to win or lose.
func (r *run) ranking() []*branch {
	children := r.arena.children(0)
	list := make([]*branch, len(children))
	for i := range children {
		list[i] = &children[i]
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].better(list[j]) })
	best, most := 0, list[0].visits.Load()
	for i, b := range list {
		if b.proof().rank() != 0 || b.visits.Load() < most/2 {
			break
		}
		if r.params.valueOf(b) > r.params.valueOf(list[best]) {
			best = i
		}
	}
	first := list[best]
	copy(list[1:], list[:best])
	list[0] = first
	return list
}

// pv returns the principal variation from p that starts with first.
func (r *run) pv(p position.Position, first *branch) []position.Turn {
	var list []position.Turn
	for b, ok := first, true; ok && len(list) < search.MaxDepth; b, ok = best(r.arena.blockAt(b.block.Load())) {
		list = append(list, b.turn)
		p = p.After(b.turn)
		if b.proof() == lost|1 { // the opponent wins at once
			return append(list, winningTurn(&p))
		}
	}
	return list
}

// winningTurn returns a turn that wins at once; p must have one.
func winningTurn(p *position.Position) position.Turn {
	for _, t := range p.Turns(p.CompletingTurns(nil)) { // the likely ones first
		if child := p.After(t); child.Over() && endFor(&child, p.SideToMove()) == won {
			return t
		}
	}
	return position.None
}

// report reports the requested lines and returns the best one.
func (r *run) report(report func(search.Info)) search.Info {
	r.sweeping.RLock()
	ranking := r.ranking()
	lines := make([]search.Info, min(r.multiPV, len(ranking)))
	for i := range lines {
		lines[i] = r.describe(ranking[i], i+1)
	}
	r.sweeping.RUnlock()
	r.reported = r.limits.Elapsed(r.visits.Load())
	for _, info := range lines {
		report(info)
	}
	return lines[0]
}

// describe returns the report of a line.
func (r *run) describe(first *branch, number int) search.Info {
	pv := r.pv(*r.root, first)
	visits := r.visits.Load()
	info := search.Info{
		Depth: len(pv), SelDepth: max(len(pv), int(r.deepest.Load())), MultiPV: number,
		Nodes: visits, Time: r.limits.Elapsed(visits), HashFull: r.arena.full(), PV: pv,
	}
	if first.visits.Load() == 0 && first.proof() == unproven {
		info.Depth = 0 // the score is static
	}
	info.Score, info.Bound = r.score(first)
	return info
}

// score returns the score of a root turn for the side that makes it, and its bound.
func (r *run) score(b *branch) (search.Score, search.Bound) {
	if p := b.proof(); p != unproven {
		return p.score()
	}
	return scoreOf(r.params.valueOf(b), r.scale), search.Exact
}
