package mcts

import (
	"sort"

	"gyre/position"
	"gyre/search"
)

// better tells whether one turn is to be played rather than another: a win
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
