// Package mcts implements search.Searcher with Monte Carlo tree search.
//
//	mcts.go    Searcher: a search from its limits to its reports and outcome
//	visit.go   one visit: selection by PUCT, and the backup of values and proofs
//	expand.go  the children of a leaf: their scores, order, priors and ends
//	arena.go   the memory of the tree, and the tree's reuse after a turn
//	chance.go  winning chances, proven ends (the solver) and the search's parameters
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

// sameTurns reports whether branches are those of the given turns.
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

// deeper reports whether to go on, by the depth and by what the search has found.
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

// run is one search: what its threads share.
type run struct {
	arena    *arena
	scorer   *evaluation.Scorer // of the thread that leads
	numbers  *numbers
	root     *position.Position
	scale    search.Scale // of the root's scores
	limits   *timemanager.Manager
	multiPV  int          // lines asked for
	sweeping sync.RWMutex // held for reading in a visit, for writing while room is made
	visits   atomic.Uint64
	deepest  atomic.Int32 // turns from the root
	done     atomic.Bool  // set once, by whoever finds that the search is over
	reported time.Duration
	info     search.Info   // of the best line as last reported
	leader   position.Turn // the best when the number of visits last doubled
}

// over reports whether the search has to end.
func (r *run) over() bool { return r.done.Load() || r.limits.Stopped() }

// claim counts a visit about to be made, and reports whether it may be.
func (r *run) claim() bool {
	if !r.limits.Allows(r.visits.Add(1)) {
		r.visits.Add(^uint64(0))
		r.done.Store(true)
		return false
	}
	return true
}

// proven reports whether the lines that are asked for are proven: so many win,
// or all turns are proven.
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

// better reports whether one turn is to be played rather than another: a win
// rather than none, the quickest; no loss if there is another way, and else the
// longest; and between the rest the one visited more. A draw that is proven
// counts by the visits that it was credited with, like any guess.
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

// best returns the child to play, and whether there is one that is known
// about: visited or proven.
func best(children []branch) (b *branch, ok bool) {
	for i := range children {
		if b == nil || children[i].better(b) {
			b = &children[i]
		}
	}
	return b, b != nil && (b.visits.Load() > 0 || b.proof() != unproven)
}

// ranking returns the root's children, the best first.
func (r *run) ranking() []*branch {
	children := r.arena.children(0)
	list := make([]*branch, len(children))
	for i := range children {
		list[i] = &children[i]
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].better(list[j]) })
	return list
}

// pv returns the principal variation from the position p that begins with a
// child of it.
func (r *run) pv(p position.Position, first *branch) []position.Turn {
	var list []position.Turn
	for b, ok := first, true; ok && len(list) < search.MaxDepth; b, ok = best(r.arena.blockAt(b.block.Load())) {
		list = append(list, b.turn)
		var child position.Position
		p.Play(&child, b.turn)
		p = child
		if b.proof() == lost|1 {
			return append(list, winningTurn(&p))
		}
	}
	return list
}

// winningTurn returns a turn that wins at once in a position that has one.
func winningTurn(p *position.Position) position.Turn {
	var child position.Position
	for _, t := range p.CompletingTurns(nil) {
		if p.Play(&child, t); child.Over() && endFor(&child, p.SideToMove()) == won {
			return t
		}
	}
	for _, t := range p.Turns(nil) {
		if p.Play(&child, t); child.Over() && endFor(&child, p.SideToMove()) == won {
			return t
		}
	}
	return position.None
}

// report reports the lines that are asked for.
func (r *run) report(report func(search.Info)) {
	r.sweeping.RLock()
	ranking := r.ranking()
	lines := make([]search.Info, min(r.multiPV, len(ranking)))
	for i := range lines {
		lines[i] = r.describe(ranking[i], i+1)
	}
	r.sweeping.RUnlock()
	r.reported = r.limits.Elapsed(r.visits.Load())
	r.info = lines[0]
	for _, info := range lines {
		report(info)
	}
}

// describe returns what there is to say of a line.
func (r *run) describe(first *branch, number int) search.Info {
	pv := r.pv(*r.root, first)
	visits := r.visits.Load()
	info := search.Info{
		Depth: len(pv), SelDepth: max(len(pv), int(r.deepest.Load())), MultiPV: number,
		Nodes: visits, Time: r.limits.Elapsed(visits), HashFull: r.arena.full(), PV: pv,
	}
	info.Score, info.Bound = r.score(first)
	return info
}

// score returns the score of a turn of the root for the side that makes it, and what bound
// it is.
func (r *run) score(b *branch) (search.Score, search.Bound) {
	if p := b.proof(); p != unproven {
		return p.score()
	}
	return scoreOf(r.numbers.valueOf(b), r.scale), search.Exact
}

// conclude makes the last report and returns the outcome.
func (r *run) conclude(report func(search.Info)) search.Outcome {
	r.report(report)
	outcome := search.Outcome{Best: r.info.PV[0], Info: r.info}
	if len(r.info.PV) > 1 {
		outcome.Ponder = r.info.PV[1]
	}
	return outcome
}
