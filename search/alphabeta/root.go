package alphabeta

import (
	"cmp"
	"slices"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/root"
)

// rootTurn is a turn at the root and what the search knows about it.
type rootTurn struct {
	turn          position.Turn
	score         search.Score    // of this iteration; -Infinity if it is not searched yet, or only known to be no better
	bound         search.Bound    // of score
	previousScore search.Score    // of the previous iteration; -Infinity if there is none, or only an upper bound
	static        search.Score    // static score of the position after it, without crossings
	upper         search.Score    // upper bound by the last search of it; Infinity if there is none. A proven loss is kept
	upperDepth    int             // depth of the last iteration that found upper
	pv            []position.Turn // principal variation of the last score, starting with the turn
	selDepth      int             // deepest ply of the search that found the score
	nodes         uint64          // searched below it in this search
}

// rootTurnsOf appends turns to roots, sorted by the static scores after them. Once stopped reports
// true, it leaves out the rest of a long list.
func rootTurnsOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, turns []position.Turn, roots []rootTurn, stopped func() bool) []rootTurn {
	for i, t := range turns {
		if root.EndsAt(i, stopped) {
			break
		}
		roots = append(roots, rootTurn{
			turn: t, score: -search.Infinity, previousScore: -search.Infinity, upper: search.Infinity, static: search.Score(scoreAfter(e, p, a, t)), pv: []position.Turn{t},
		})
	}
	slices.SortStableFunc(roots, func(a, b rootTurn) int { return cmp.Compare(b.static, a.static) })
	return roots
}

// lost reports whether the turn is proven to lose.
func (r *rootTurn) lost() bool { return r.upper <= -search.WinThreshold }

// setUpper sets the upper bound that an iteration of a depth has found.
func (r *rootTurn) setUpper(upper search.Score, depth int) {
	if !r.lost() || upper <= r.upper {
		r.upper, r.upperDepth = upper, depth
	}
}

// beginIteration makes the score that of the previous iteration.
func (r *rootTurn) beginIteration() {
	r.previousScore = r.score
	if r.bound == search.Upper {
		r.previousScore = -search.Infinity
	}
	r.score = -search.Infinity
}

// searched reports whether any iteration has searched the turn.
func (r *rootTurn) searched() bool { return r.score > -search.Infinity || r.upper < search.Infinity }

// rank returns the score by which root turns are sorted. Proven losses come last: any other turn may
// be better, even if this iteration has not reached it. So turns without a score of this iteration
// rank just above the losses.
func (r *rootTurn) rank() search.Score {
	switch {
	case r.lost():
		return r.upper
	case r.score > -search.Infinity:
		return r.score
	case r.searched():
		return 2 - search.WinThreshold // before turns that were never searched
	}
	return 1 - search.WinThreshold
}

// sortRoots sorts root turns, the best first. Turns of equal rank keep their order.
func sortRoots(roots []rootTurn) {
	slices.SortStableFunc(roots, func(a, b rootTurn) int { return cmp.Compare(b.rank(), a.rank()) })
}

// iterate searches with increasing depth (iterative deepening, Slate and Atkin 1977)
// until the time manager stops it, with the given number of lines. Helper threads
// start at different depths.
func (w *worker) iterate(lines, first int, report func(search.Info)) {
	for depth := first; depth <= search.MaxDepth; depth++ {
		if w.main && !w.limits.StartIteration(depth, w.allNodes(), w.roots[0].score) || w.limits.Stopped() {
			return
		}
		w.rootDepth = depth
		leader := w.roots[0].turn
		for i := range w.roots {
			w.roots[i].beginIteration()
		}
		for w.pvIndex = 0; w.pvIndex < lines; w.pvIndex++ {
			w.selDepth = 0
			if !w.searchPV(depth, report) {
				return
			}
			sortRoots(w.roots[:w.pvIndex+1])
		}
		if w.main {
			best := &w.roots[0]
			w.limits.IterationDone(best.score, best.turn != leader, float64(best.nodes)/float64(max(w.nodes, 1)))
			w.reportLines(lines, report)
		}
	}
}

// searchPV finds the best of the root turns that do not have a line yet. It starts
// with a window around the score of the last iteration and widens it until the score
// is inside (aspiration windows). It reports whether it finished.
func (w *worker) searchPV(depth int, report func(search.Info)) bool {
	alpha, beta := -search.Infinity, search.Infinity
	width := search.Score(w.parameters[search.AspirationWindow])
	previous := w.roots[w.pvIndex].previousScore
	// A line without a score has -Infinity, which counts as proven: it gets the full window.
	if _, proven := previous.Mate(); depth >= w.parameters[search.AspirationFrom] && !proven {
		alpha, beta = previous-width, previous+width
	}
	for ; ; width *= 3 {
		score := w.searchRoot(depth, alpha, beta)
		stopped := w.limits.Stopped()
		sortRoots(w.roots[w.pvIndex:])
		switch {
		case stopped:
			return false
		case score <= alpha && alpha > -search.Infinity:
			w.reportBound(report)
			alpha = windowAlpha(score, width)
		case score >= beta && beta < search.Infinity:
			w.reportBound(report)
			beta = -windowAlpha(-score, width)
		default:
			return true
		}
	}
}

// searchRoot searches the root turns from pvIndex on to a depth, and returns the best
// score, or that of the first turn if none is above alpha.
func (w *worker) searchRoot(depth int, alpha, beta search.Score) search.Score {
	best := -search.Infinity
	for i := w.pvIndex; i < len(w.roots); i++ {
		r := &w.roots[i]
		nodes := w.nodes
		w.play(0, r.turn)
		moveCount := i - w.pvIndex + 1
		const improving = true // there is nothing to compare the root with: reduce less
		score := w.searchTurn(0, depth, moveCount, alpha, beta, improving)
		r.nodes += w.nodes - nodes
		if w.limits.Stopped() {
			return best
		}
		if r.lost() && score > r.upper { // the table has lost the proof
			score, w.stack[1].pv = r.upper, w.stack[1].pv[:0]
		}
		if moveCount > 1 && score <= alpha {
			r.score = -search.Infinity
			r.setUpper(score, depth)
			continue
		}
		best = max(best, score)
		r.score, r.bound, r.selDepth = score, search.Exact, w.selDepth
		r.pv = append(append(r.pv[:0], r.turn), w.stack[1].pv...)
		if score >= beta {
			r.bound = search.Lower
			r.setUpper(search.Infinity, depth)
			break
		}
		if score <= alpha {
			r.bound = search.Upper
		}
		r.setUpper(score, depth)
		alpha = max(alpha, score)
	}
	return best
}

// windowAlpha returns the alpha of a window that reaches down to score - width. Far below any
// usual score it opens the window: only proven losses are left to find.
func windowAlpha(score, width search.Score) search.Score {
	if score-width < -search.WinThreshold/2 {
		return -search.Infinity
	}
	return score - width
}

// reportBoundAfter is the time in seconds before which bounds are not reported.
const reportBoundAfter = 1

// reportBound reports that the score of the current line is outside its window, if
// the search is long enough for someone to watch.
func (w *worker) reportBound(report func(search.Info)) {
	if w.main && w.limits.Elapsed(w.allNodes()).Seconds() >= reportBoundAfter {
		info := w.info(w.pvIndex)
		// Not by completeMate: whether a bound is reported depends on the time, so it must not
		// change the search.
		info.PV, info.Score = w.extendMate(info.PV, info.Score)
		report(info)
	}
}

// reportLines reports at most the given number of lines, and returns them.
func (w *worker) reportLines(count int, report func(search.Info)) []search.Info {
	list := w.lines(count)
	for _, info := range list {
		report(info)
	}
	return list
}

// lines describes at most the given number of lines, the best first. If the search was stopped, it
// leaves out turns that were never searched, and bounds that such turns make meaningless.
func (w *worker) lines(count int) []search.Info {
	type line struct {
		search.Info
		rank search.Score // by which lines are sorted
	}
	var list []line
	for len(list) < count && (len(list) == 0 || w.roots[len(list)].searched()) {
		info := w.info(len(list))
		rank := info.Score
		if info.Bound == search.Upper { // the bound is about later turns, too: it does not raise this one
			rank = min(rank, w.roots[len(list)].upper)
			if len(list) > 0 {
				if info.Score >= search.WinThreshold {
					break // no bound worth reporting: Infinity if a later turn was never searched
				}
				rank = min(rank, list[len(list)-1].rank)
			}
		}
		if w.completeMate(len(list), &info) { // a quicker end may change the order
			sortRoots(w.roots)
			list = list[:0]
			continue
		}
		list = append(list, line{info, rank})
	}
	// Scores of a stopped iteration and of the one before may be out of order. With several lines,
	// this decides the turn that is played.
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(b.rank, a.rank) })
	infos := make([]search.Info, len(list))
	for i := range list {
		infos[i] = list[i].Info
		infos[i].MultiPV = i + 1
	}
	return infos
}

// info describes a line.
func (w *worker) info(line int) search.Info {
	r := &w.roots[line]
	score, bound, depth := w.resultOf(line)
	nodes := w.allNodes()
	info := search.Info{
		Depth: depth, SelDepth: r.selDepth, MultiPV: line + 1, Score: score, Bound: bound,
		Nodes: nodes, Time: w.limits.Elapsed(nodes), HashFull: w.table.full(), PV: slices.Clone(r.pv),
	}
	if bound == search.Upper && score != r.score {
		info.PV = info.PV[:1] // the rest is of another score
	}
	return info
}

// completeMate extends a described line to the end of the game if its result is proven. If the
// table proves a quicker end, the line's turn takes that end and its score, and completeMate
// reports true: the description is then out of date.
func (w *worker) completeMate(line int, info *search.Info) (quicker bool) {
	r := &w.roots[line]
	if _, proven := info.Score.Mate(); !proven || info.Bound == search.Upper && !r.lost() {
		return false
	}
	pv, score := w.extendMate(info.PV, info.Score)
	if info.PV = pv; score == info.Score {
		return false
	}
	r.score, r.bound, r.pv = score, info.Bound, append(r.pv[:0], pv...)
	if info.Bound != search.Lower {
		r.setUpper(score, info.Depth)
	}
	return true
}

// resultOf returns the score of a line: what the search knows about its turn and, if the score is an
// upper bound, about all turns that follow. The depth is that of the iteration that found it: of the
// one before if a stopped iteration did not reach the turn, and 0 for a static score.
func (w *worker) resultOf(line int) (score search.Score, bound search.Bound, depth int) {
	r := &w.roots[line]
	// This iteration has refuted the score of the one before.
	refuted := r.upperDepth == w.rootDepth && r.upper < r.previousScore
	switch {
	case r.lost():
		// Exact if it was found as a score, not only as a bound.
		if r.upper == r.score && r.bound == search.Exact || r.upper == r.previousScore {
			return r.upper, search.Exact, r.upperDepth
		}
		return r.upper, search.Upper, r.upperDepth
	case r.score > -search.Infinity && r.bound != search.Upper:
		return r.score, r.bound, w.rootDepth
	case r.score == -search.Infinity && r.previousScore > -search.Infinity && !refuted:
		// A complete line of this iteration limits the lines after it. Their own upper bounds may be
		// higher: the search of the next line, with a higher window, has replaced them.
		if w.pvIndex > 0 && w.pvIndex <= line && r.previousScore > w.roots[w.pvIndex-1].score {
			return w.roots[w.pvIndex-1].score, search.Upper, w.rootDepth
		}
		return r.previousScore, search.Exact, w.rootDepth - 1
	case r.searched():
		score, depth = -search.Infinity, w.rootDepth
		for _, rest := range w.roots[line:] {
			score = max(score, rest.upper)
			if !rest.lost() { // a proof holds at any depth
				depth = min(depth, rest.upperDepth)
			}
		}
		// If a later turn was never searched, the bound of the first line says nothing about them all.
		if line > 0 || score < search.Infinity {
			return score, search.Upper, depth
		}
	}
	return r.static, search.Exact, 0
}

// bestResult returns the score and depth of the thread's best turn, for the vote. The depth is one
// less than that of the iteration if only the iteration before scored the turn. It is 0, with the
// static score, if neither did, even if the turn has an upper bound. Unlike resultOf, it takes a
// score outside the window as it is.
func (w *worker) bestResult() (score search.Score, depth int) {
	r := &w.roots[0]
	switch {
	case r.lost():
		return r.upper, w.rootDepth
	case r.score > -search.Infinity:
		return r.score, w.rootDepth
	case r.previousScore > -search.Infinity:
		return r.previousScore, w.rootDepth - 1
	}
	return r.static, 0
}

// extendMate extends a line with a proven result to the end of the game, by turns that keep the
// result. The line is shorter if a node took the result from the table or from a leaf. If the table
// has proofs of a quicker end, extendMate returns the score of that end, which its line shows. If the
// table has lost the proof, the line stays shorter.
func (w *worker) extendMate(pv []position.Turn, score search.Score) ([]position.Turn, search.Score) {
	if plies, _ := score.Mate(); max(plies, -plies) <= len(pv) {
		return pv, score
	}
	m := mateLine{worker: w, left: mateLineNodes}
	for kept := len(pv); ; kept = 1 { // if the end of the line leads nowhere, only its first turn counts
		p, sign := w.stack[0].position.AfterAll(pv[:kept]...), search.Score(1-kept%2*2) // 1 if the root's side is to move
		rest, found, whole := m.end(&p, kept, sign*score)
		if whole && (kept == 1 || sign*found == score) {
			return append(pv[:kept:kept], rest...), sign * found
		}
		if kept == 1 {
			return pv, score
		}
	}
}

// mateLine extends lines whose result is proven to the end of the game, with the proofs of the table
// where Stockfish uses tablebases (syzygy_extend_pv).
type mateLine struct {
	*worker
	left int // positions that it may still look up
}

// mateLineNodes limits the positions that the extension of a line looks up.
const mateLineNodes = 20_000

// end returns a line from a position at a ply to the end of the game, given its proven score. The
// winner plays the quickest win that the table knows, and the loser the turn that holds out longest.
// The score found is that of the line: it may be quicker than the given one. whole is false if the
// table does not have all proofs that are needed.
func (m *mateLine) end(p *position.Position, ply int, score search.Score) (pv []position.Turn, found search.Score, whole bool) {
	if p.Over() {
		return nil, finalScore(p, ply), true
	}
	replies, proven := m.replies(p, ply, score)
	for _, r := range replies {
		if len(pv) > 0 && r.score <= found {
			break // a loser's reply that loses no later than the best one
		}
		child := p.After(r.turn)
		rest, restScore, ok := m.end(&child, ply+1, -r.score)
		if !ok {
			proven = proven && score > 0 // a loser's reply without a proof may hold out longer
			continue
		}
		if len(pv) == 0 || -restScore > found {
			pv, found = append([]position.Turn{r.turn}, rest...), -restScore
		}
		if score > 0 || found == score { // enough for the winner; the loser cannot hold out longer
			return pv, found, true
		}
	}
	return pv, found, proven && len(pv) > 0
}

// reply is a turn and its score, for the side that makes it.
type reply struct {
	turn  position.Turn
	score search.Score
}

// replies returns the turns of a position that are proven to win, or to lose, at least as quickly as
// its score says, the best first. For losses, all reports whether every turn is one of them.
func (m *mateLine) replies(p *position.Position, ply int, score search.Score) (list []reply, all bool) {
	turns := p.Turns(nil)
	if m.left -= len(turns); m.left < 0 {
		return nil, false
	}
	for _, t := range turns {
		child := p.After(t)
		switch lower, upper := m.provenBounds(&child, ply+1); {
		case score > 0 && upper <= -score:
			list = append(list, reply{t, -upper})
		case score < 0 && lower >= -score:
			list = append(list, reply{t, -lower})
		}
	}
	slices.SortStableFunc(list, func(a, b reply) int { return cmp.Compare(b.score, a.score) })
	return list, score > 0 || len(list) == len(turns)
}

// provenBounds returns the bounds that rules, a winning row and the table prove for the score of a
// position at a ply.
func (w *worker) provenBounds(p *position.Position, ply int) (lower, upper search.Score) {
	if p.Over() {
		return finalScore(p, ply), finalScore(p, ply)
	}
	if us := p.SideToMove(); mate.OneRowFromWinning(p, us) && (p.HasRow(us) || p.CanComplete(us)) {
		return search.WinIn(ply + 1), search.WinIn(ply + 1)
	}
	entry, found := w.table.probe(p.Hash())
	if !found {
		return -search.Infinity, search.Infinity
	}
	return entry.bounds(ply, provenOnly)
}
