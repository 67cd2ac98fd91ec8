package alphabeta

import (
	"cmp"
	"slices"
	"sync/atomic"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/timemanager"
)

// worker is the state of one search thread.
type worker struct {
	table  *table
	scorer *evaluation.Scorer
	limits *timemanager.Manager
	params
	main      bool // decides and reports
	nodes     uint64
	check     uint64        // number of nodes at which to check the limits again
	seen      atomic.Uint64 // number of nodes, as published to other threads
	others    func() uint64 // nodes of all other threads
	stack     [search.MaxDepth + 4]ply
	history   history
	roots     []rootTurn
	pvIndex   int // of the principal variation being searched, from 0
	selDepth  int
	rootDepth int
	scratch   evaluation.Accumulator // to evaluate a turn
	threats   [2][]position.Turn     // the last list of completions, by side
}

// ply is the memory for one ply of the tree: its node and the data of its turns.
type ply struct {
	position    position.Position
	accumulator evaluation.Accumulator
	crossings   evaluation.Crossings
	uncertainty search.Score     // how far crossings, of an earlier position, may be off; 0 if they are the position's own
	static      search.Score     // evaluation of the position by accumulator and crossings; valid if evaluated
	evaluated   bool             // static is computed and accumulator updated
	turn        position.Turn    // being searched
	killers     [2]position.Turn // quiet turns that caused a cutoff at this ply (killer heuristic, Akl and Newborn 1977)
	quiets      []position.Turn  // tried so far
	picker      picker
	pv          []position.Turn // principal variation from here
	excluded    entry           // its turn is left out to see how good the others are; without a turn, none is
}

// start prepares the worker for a search from a root.
func (w *worker) start(root *position.Position, turns []position.Turn, m *timemanager.Manager) {
	w.limits = m
	w.nodes, w.check, w.selDepth = 0, 0, 0
	w.seen.Store(0)
	w.stack[0].position = *root
	w.scorer.Reset(&w.stack[0].accumulator, root)
	w.stack[0].setStatic(w.scorer.Crossings(&w.stack[0].accumulator, root), 0)
	w.clearStack()
	w.history.age()
	w.roots = rootTurnsOf(w.scorer.Evaluator, root, &w.stack[0].accumulator, turns, w.roots[:0])
	w.pvIndex = 0
}

// clearStack forgets the killers and initializes the pickers.
func (w *worker) clearStack() {
	for i := range w.stack {
		here := &w.stack[i]
		here.killers = [2]position.Turn{}
		k := &here.picker
		k.scorer, k.history = w.scorer, &w.history
		k.staticWeight = int32(w.parameters[search.StaticWeight])
		k.position, k.accumulator = &here.position, &here.accumulator
	}
}

// visit counts a node and reports whether the search must stop.
func (w *worker) visit(at int) (stop bool) {
	w.selDepth = max(w.selDepth, at)
	w.count()
	return w.limits.Stopped()
}

// count counts a node.
func (w *worker) count() {
	w.nodes++
	if w.nodes >= w.check {
		w.checkLimits()
	}
}

// visitLeaves counts leaves that their evaluation alone decided.
func (w *worker) visitLeaves(leaves int) {
	if w.nodes+uint64(leaves) < w.check {
		w.nodes += uint64(leaves)
		return
	}
	for range leaves {
		if w.limits.Stopped() {
			return
		}
		w.count()
	}
}

// allNodes returns the nodes of all threads, including what the others have
// published.
func (w *worker) allNodes() uint64 { return w.nodes + w.others() }

// checkLimits publishes the node count and checks the limits.
func (w *worker) checkLimits() {
	w.seen.Store(w.nodes)
	others := w.others()
	w.check = w.limits.Check(w.nodes+others) - others
}

// rootTurn is a turn at the root and what the search knows about it.
type rootTurn struct {
	turn    position.Turn
	score   search.Score    // of this iteration; -Infinity if it is not searched yet, or only known to be no better
	bound   search.Bound    // of score
	before  search.Score    // of the previous iteration; -Infinity if there is none
	static  search.Score    // static score of the position after it
	most    search.Score    // upper bound by the last search of it; Infinity if there is none. A proven loss is kept
	depth   int             // of the iteration that found most
	pv      []position.Turn // principal variation of the last score, starting with the turn
	deepest int             // the deepest ply of this iteration when its score was found
	nodes   uint64          // searched below it in this search
}

// rootTurnsOf appends turns to roots, sorted by the static scores after them.
func rootTurnsOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, turns []position.Turn, roots []rootTurn) []rootTurn {
	for _, t := range turns {
		roots = append(roots, rootTurn{
			turn: t, score: -search.Infinity, before: -search.Infinity, most: search.Infinity, static: staticAfter(e, p, a, t), pv: []position.Turn{t},
		})
	}
	slices.SortStableFunc(roots, func(a, b rootTurn) int { return cmp.Compare(b.static, a.static) })
	return roots
}

// refuted reports whether the turn is proven to lose.
func (r *rootTurn) refuted() bool { return r.most <= -search.WinThreshold }

// limit notes an upper bound that an iteration of a depth has found.
func (r *rootTurn) limit(most search.Score, depth int) {
	if !r.refuted() || most < r.most {
		r.most, r.depth = most, depth
	}
}

// searched reports whether any iteration has searched the turn.
func (r *rootTurn) searched() bool { return r.score > -search.Infinity || r.most < search.Infinity }

// better compares root turns for sorting, the better one first. Turns with a score of this iteration
// come before the others, whose order it keeps. A turn that loses comes last: a turn that is not
// refuted may be better, even if this iteration has not reached it.
func (r *rootTurn) better(other *rootTurn) int {
	worth := func(r *rootTurn) search.Score {
		switch {
		case r.refuted():
			return r.most
		case r.score > -search.Infinity:
			return r.score
		case r.searched():
			return 2 - search.WinThreshold
		}
		return 1 - search.WinThreshold
	}
	return cmp.Compare(worth(other), worth(r))
}

// sortRoots sorts root turns, the best first. The sort is stable.
func sortRoots(roots []rootTurn) {
	slices.SortStableFunc(roots, func(a, b rootTurn) int { return a.better(&b) })
}

// staticAfter returns the static score after a turn, for the side that makes it.
func staticAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) search.Score {
	return min(search.Score(scoreAfter(e, p, a, t)), search.WinIn(1))
}

// iterate searches with increasing depth (iterative deepening, Slate and Atkin 1977)
// until the time manager stops it, with the given number of lines. Helper threads
// start at different depths.
func (w *worker) iterate(lines, first int, report func(search.Info)) {
	for depth := first; depth <= search.MaxDepth; depth++ {
		if w.main && !w.limits.StartIteration(depth, w.allNodes(), w.roots[0].score) || w.limits.Stopped() {
			return
		}
		w.rootDepth, w.selDepth = depth, 0
		leader := w.roots[0].turn
		for i := range w.roots {
			w.roots[i].before, w.roots[i].score = w.roots[i].score, -search.Infinity
		}
		for w.pvIndex = 0; w.pvIndex < lines; w.pvIndex++ {
			if !w.searchPV(depth, report) {
				return
			}
			sortRoots(w.roots[:w.pvIndex+1])
		}
		w.pvIndex = 0
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
	last := w.roots[w.pvIndex].before
	if _, proven := last.Mate(); depth >= w.parameters[search.AspirationFrom] && !proven && last > -search.Infinity {
		alpha, beta = last-width, last+width
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
			alpha = lower(score, width)
		case score >= beta && beta < search.Infinity:
			w.reportBound(report)
			beta = -lower(-score, width)
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
		number := i - w.pvIndex + 1
		score := w.child(0, depth, number, alpha, beta, r.turn.Quiet(), true)
		r.nodes += w.nodes - nodes
		if w.limits.Stopped() {
			return best
		}
		if r.refuted() {
			score = min(score, r.most) // the table may have lost the proof
		}
		if number > 1 && score <= alpha {
			r.score = -search.Infinity
			r.limit(score, depth)
			continue
		}
		best = max(best, score)
		r.score, r.bound, r.deepest = score, search.Exact, w.selDepth
		r.pv = append(append(r.pv[:0], r.turn), w.stack[1].pv...)
		if score >= beta {
			r.bound = search.Lower
			r.limit(search.Infinity, depth)
			break
		}
		if score <= alpha {
			r.bound = search.Upper
		}
		r.limit(score, depth)
		alpha = max(alpha, score)
	}
	return best
}

// lower returns score - width, clamped for use as a window bound.
func lower(score, width search.Score) search.Score {
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
		info, _ := w.info(w.pvIndex)
		report(info)
	}
}

// reportLines reports the given number of lines.
func (w *worker) reportLines(lines int, report func(search.Info)) {
	for _, info := range w.lines(lines) {
		report(info)
	}
}

// lines describes at most the given number of lines, the best first. If the search was stopped, it
// leaves out lines about whose place nothing is known, because other turns were never searched.
func (w *worker) lines(most int) []search.Info {
	var list []search.Info
	for len(list) < most && (len(list) == 0 || w.roots[len(list)].searched()) {
		info, tightened := w.info(len(list))
		if len(list) > 0 && info.Bound == search.Upper && info.Score >= search.WinThreshold {
			break // no better than a win: it may be anything
		}
		if list = append(list, info); tightened {
			sortRoots(w.roots)
			list = list[:0]
		}
	}
	// Scores of a stopped iteration and of the one before may be out of order.
	slices.SortStableFunc(list, func(a, b search.Info) int { return cmp.Compare(b.Score, a.Score) })
	for i := range list {
		list[i].MultiPV = i + 1
	}
	return list
}

// info describes a line. It reports whether the table had a quicker end than the score of the line,
// which it then adopts: the turns may be out of order.
func (w *worker) info(line int) (info search.Info, tightened bool) {
	r := &w.roots[line]
	score, bound, depth := w.known(line)
	nodes := w.allNodes()
	info = search.Info{
		Depth: depth, SelDepth: r.deepest, MultiPV: line + 1, Score: score, Bound: bound,
		Nodes: nodes, Time: w.limits.Elapsed(nodes), HashFull: w.table.full(), PV: slices.Clone(r.pv),
	}
	if bound == search.Upper && score != r.score {
		info.PV = info.PV[:1] // the rest is of another score
	}
	if _, proven := score.Mate(); !proven || bound == search.Upper && !r.refuted() {
		return info, false
	}
	var found search.Score
	if info.PV, found = w.complete(info.PV, score); found != score {
		r.score, r.bound, r.pv = found, bound, append(r.pv[:0], info.PV...)
		r.limit(found, depth)
		tightened = true
	}
	return info, tightened
}

// known returns the score of a line: what the search knows about its turn and, if the score is an
// upper bound, about all turns that follow. The depth is that of the iteration that found it: of the
// one before if a stopped iteration did not reach the turn, and 0 for a static score.
func (w *worker) known(line int) (score search.Score, bound search.Bound, depth int) {
	r := &w.roots[line]
	switch {
	case r.refuted():
		if r.most == r.score && r.bound == search.Exact || r.most == r.before {
			return r.most, search.Exact, r.depth
		}
		return r.most, search.Upper, r.depth
	case r.score > -search.Infinity && r.bound != search.Upper:
		return r.score, r.bound, w.rootDepth
	case r.score == -search.Infinity && r.before > -search.Infinity:
		// A line of this iteration that is complete limits the lines after it.
		if w.pvIndex > 0 && w.pvIndex <= line && r.before > w.roots[w.pvIndex-1].score {
			return w.roots[w.pvIndex-1].score, search.Upper, w.rootDepth
		}
		return r.before, search.Exact, w.rootDepth - 1
	case r.searched():
		score, depth = -search.Infinity, w.rootDepth
		for _, rest := range w.roots[line:] {
			score, depth = max(score, rest.most), min(depth, rest.depth)
		}
		return score, search.Upper, depth
	}
	return r.static, search.Exact, 0
}

// complete extends a line with a proven result to the end of the game, by turns that keep the
// result. The line is shorter if a node took the result from the table or from a leaf. If the table
// has proofs of a quicker end, complete returns the score of that end, which its line shows. If the
// table has lost the proof, the line stays shorter.
func (w *worker) complete(line []position.Turn, score search.Score) ([]position.Turn, search.Score) {
	if remaining(score, len(line)) <= 0 {
		return line, score
	}
	c := completion{worker: w, left: completionNodes}
	for kept := len(line); ; kept = 1 { // if the end of the line leads nowhere, only its first turn counts
		p, sign := w.stack[0].position.AfterAll(line[:kept]...), search.Score(1-kept%2*2)
		rest, found, whole := c.end(&p, kept, sign*score)
		if whole && (kept == 1 || sign*found == score) {
			return append(line[:kept:kept], rest...), sign * found
		}
		if kept == 1 {
			return line, score
		}
	}
}

// remaining returns the number of turns from a ply to the end of the game that a proven score
// promises.
func remaining(score search.Score, at int) int {
	plies, _ := score.Mate()
	return max(plies, -plies) - at
}

// completion finds the end of lines whose result is proven.
type completion struct {
	*worker
	left int // positions that it may still look up
}

// completionNodes limits the positions that the completion of a line looks up.
const completionNodes = 20_000

// end returns a line from a position at a ply to the end of the game, given its proven score. The
// winner plays the quickest win that the table knows, and the loser the turn that holds out longest.
// The score found is that of the line: it may be quicker than the given one. whole is false if the
// table does not have all proofs that are needed.
func (c *completion) end(p *position.Position, at int, score search.Score) (line []position.Turn, found search.Score, whole bool) {
	if p.Over() {
		return nil, finalScore(p, at), true
	}
	replies, proven := c.replies(p, at, score)
	for _, r := range replies {
		if len(line) > 0 && r.score <= found {
			break // a loser's reply that loses no later than the best one
		}
		child := p.After(r.turn)
		rest, after, ended := c.end(&child, at+1, -r.score)
		switch {
		case !ended:
			proven = score > 0
			continue
		case len(line) == 0 || -after > found:
			line, found = append([]position.Turn{r.turn}, rest...), -after
		}
		if score > 0 || found == score {
			return line, found, true
		}
	}
	return line, found, proven && len(line) > 0
}

// reply is a turn and its score, for the side that makes it.
type reply struct {
	turn  position.Turn
	score search.Score
}

// replies returns the turns of a position that are proven to win, or to lose, at least as quickly as
// its score says, the best first. For losses, all reports whether every turn is one of them.
func (c *completion) replies(p *position.Position, at int, score search.Score) (list []reply, all bool) {
	turns := p.Turns(nil)
	if c.left -= len(turns); c.left < 0 {
		return nil, false
	}
	for _, t := range turns {
		child := p.After(t)
		switch least, most := c.provenLimits(&child, at+1); {
		case score > 0 && most <= -score:
			list = append(list, reply{t, -most})
		case score < 0 && least >= -score:
			list = append(list, reply{t, -least})
		}
	}
	slices.SortStableFunc(list, func(a, b reply) int { return cmp.Compare(b.score, a.score) })
	return list, score > 0 || len(list) == len(turns)
}

// provenLimits returns the limits that rules, a winning row and the table prove for the score of a
// position at a ply.
func (w *worker) provenLimits(p *position.Position, at int) (least, most search.Score) {
	if p.Over() {
		return finalScore(p, at), finalScore(p, at)
	}
	if us := p.SideToMove(); mate.OneRowFromWinning(p, us) && (p.HasRow(us) || len(w.completions(p, us)) > 0) {
		return search.WinIn(at + 1), search.WinIn(at + 1)
	}
	known, found := w.table.probe(p.Hash())
	if !found {
		return -search.Infinity, search.Infinity
	}
	return known.limits(at, provenOnly)
}

// node returns the score of the node at a ply, searched to a depth by principal
// variation search (Marsland and Campbell 1982): an open window for the first turn,
// and zero windows to show that the other turns are no better. The score is exact
// between alpha and beta, and a bound otherwise.
func (w *worker) node(at, depth int, alpha, beta search.Score) search.Score {
	if depth <= 0 || at >= search.MaxDepth {
		return w.quiescence(at, alpha, beta)
	}
	here := &w.stack[at]
	here.pv = here.pv[:0]
	p := &here.position
	if w.visit(at) {
		return 0
	}
	if score, over := ended(p, at); over {
		return score
	}
	return w.interior(at, depth, alpha, beta)
}

// interior returns the score of a node that is counted and not over.
func (w *worker) interior(at, depth int, alpha, beta search.Score) search.Score {
	here := &w.stack[at]
	p := &here.position
	alpha, beta = max(alpha, search.LossIn(at)), min(beta, search.WinIn(at+1)) // mate-distance pruning
	if alpha >= beta {
		return alpha
	}
	pv := beta > alpha+1
	known, found := w.table.probe(p.Hash())
	if found && !pv {
		switch least, most := known.limits(at, depth); {
		case least >= beta:
			return least
		case most <= alpha:
			return most
		}
	}
	w.evaluate(at)
	if !pv && w.reverseFutility(at, depth, beta) {
		return here.static
	}
	if !found && depth >= w.parameters[search.InternalReductionFrom] {
		depth-- // without a hash move, search less deeply (IIR)
	}
	return w.turns(at, depth, alpha, beta, known)
}

// turns searches the turns of a node and stores the result in the table.
func (w *worker) turns(at, depth int, alpha, beta search.Score, known entry) search.Score {
	here := &w.stack[at]
	p := &here.position
	pv := beta > alpha+1
	improving := at >= 2 && here.static > w.stack[at-2].static
	excluding := here.excluded.Turn != position.None
	singular := false
	if !excluding && w.mayBeSingular(at, depth, known) {
		target := singularTarget(known, depth)
		others := w.scoreWithout(known, at, depth, target)
		switch {
		case w.limits.Stopped():
			return 0
		case others < target:
			singular = true
		case target >= beta && !pv:
			return target // two turns seem good enough (multi-cut)
		}
	}
	best, bound, bestTurn := -search.Infinity, search.Upper, position.None
	here.quiets = here.quiets[:0]
	w.startPicker(at, depth, known)
	margin := w.futilityMargin(p, depth, pv)
	number := 0
	for t := here.picker.pick(); t != position.None; t = here.picker.pick() {
		if excluding && here.excluded.sameTurn(t) {
			continue
		}
		number++
		quiet := t.Quiet()
		if quiet && !pv && best > -search.WinThreshold && w.lateMovePruned(depth, number, improving) {
			break // the remaining turns are less promising
		}
		static := here.picker.staticScore()
		if static != nil && w.scoreAfter(at, static)+margin <= alpha {
			best = max(best, w.scoreAfter(at, static)+margin)
			if depth > 1 {
				continue
			}
			if margin < search.Infinity { // the margin decides all quiet turns not yet searched, which lead to leaves
				w.visitLeaves(len(here.picker.static) - len(here.quiets))
			}
			here.picker.skipQuiet()
			continue
		}
		if quiet {
			here.quiets = append(here.quiets, t)
		}
		depthOfTurn := depth
		if singular && known.sameTurn(t) {
			depthOfTurn++
		}
		w.enter(at, depthOfTurn, t, static)
		score := w.child(at, depthOfTurn, number, alpha, beta, quiet, improving)
		if w.limits.Stopped() {
			return 0
		}
		best = max(best, score)
		if score <= alpha {
			continue
		}
		alpha, bound, bestTurn = score, search.Exact, t
		if pv {
			here.pv = append(append(here.pv[:0], t), w.stack[at+1].pv...)
		}
		if score >= beta {
			bound = search.Lower
			w.learn(at, t, quiet, depth)
			break
		}
	}
	if excluding {
		return max(best, alpha)
	}
	if number == 0 {
		return finalScore(p, at)
	}
	switch least, most := known.limits(at, provenOnly); { // this search may not find the proof again
	case best < least:
		best, bound, bestTurn = least, search.Exact, known.Turn
		here.pv = here.pv[:0]
	case best > most:
		best, bound = most, search.Exact
	}
	w.table.store(p.Hash(), entry{Turn: bestTurn, Score: toTable(best, at), Depth: depth, Bound: bound})
	return best
}

// mayBeSingular reports whether to find out if the table's turn of a node is singular,
// that is, much better than the others. The table must have searched it almost to the
// depth of the node. Lines are not extended beyond twice the depth of the iteration.
func (w *worker) mayBeSingular(at, depth int, known entry) bool {
	return depth >= w.parameters[search.SingularFrom] && at < 2*w.rootDepth &&
		known.Turn != position.None && known.Bound != search.Upper && known.Depth >= depth-3 &&
		-search.WinThreshold < known.Score && known.Score < search.WinThreshold &&
		!w.stack[at].position.Placing()
}

// singularTarget returns the score that another turn must reach so that the table's
// turn is not singular.
func singularTarget(known entry, depth int) search.Score {
	return max(known.Score-search.Score(2*depth), 1-search.WinThreshold)
}

// scoreWithout searches the turns of a node other than the table's, to half its depth,
// and returns a score that is at least target if and only if one of them reaches it.
func (w *worker) scoreWithout(known entry, at, depth int, target search.Score) search.Score {
	here := &w.stack[at]
	here.excluded = known
	score := w.turns(at, depth/2, target-1, target, entry{})
	here.excluded = entry{}
	return score
}

// enter plays a turn of a node with the given depth. static is the static score after
// it, or nil if unknown.
func (w *worker) enter(at, depth int, t position.Turn, static *evaluation.QuietScore) {
	next := w.play(at, t)
	if static != nil {
		w.update(at, static)
	}
	if depth > 1 { // a leaf does not probe the table
		prefetch(w.table.bucketFor(next.position.Hash()))
	}
}

// child searches the position after the turn with the given number, counted from 1.
// It searches late turns less deeply at first (late-move reductions).
func (w *worker) child(at, depth, number int, alpha, beta search.Score, quiet, improving bool) search.Score {
	if number == 1 {
		return -w.node(at+1, depth-1, -beta, -alpha)
	}
	pv := beta > alpha+1
	less := 0
	if depth >= 2 && number >= w.parameters[search.ReductionFrom] {
		less = w.reduction(depth, number)
		if quiet {
			here := &w.stack[at]
			less -= int(w.history.score(here.position.SideToMove(), here.turn, here.picker.previous) / int32(w.parameters[search.ReductionHistory]))
		}
		if pv {
			less--
		}
		if !improving {
			less++
		}
		less = max(0, min(less, depth-1))
	}
	score := -w.node(at+1, depth-1-less, -alpha-1, -alpha)
	if score > alpha && less > 0 && !w.limits.Stopped() {
		score = -w.node(at+1, depth-1, -alpha-1, -alpha)
	}
	if score > alpha && score < beta && !w.limits.Stopped() {
		score = -w.node(at+1, depth-1, -beta, -alpha)
	}
	return score
}

// learn updates the killers and the history after a cutoff by t.
func (w *worker) learn(at int, t position.Turn, quiet bool, depth int) {
	here := &w.stack[at]
	if !quiet {
		return
	}
	if here.killers[0] != t {
		here.killers[1], here.killers[0] = here.killers[0], t
	}
	w.history.update(here.position.SideToMove(), here.quiets, here.picker.previous, depth)
}

// quiescence returns the score of a leaf by quiescence search.
func (w *worker) quiescence(at int, alpha, beta search.Score) search.Score {
	best, left := w.standPat(at, alpha, beta)
	switch left {
	case leafTakings:
		return w.takeRows(at, max(alpha, best), beta, best)
	case leafEvasions:
		return w.interior(at, 1, alpha, beta)
	}
	return best
}

// takeRows searches the row-taking turns of a leaf, which its picker holds, the
// highest score first. best is the score of standing pat.
func (w *worker) takeRows(at int, alpha, beta, best search.Score) search.Score {
	here := &w.stack[at]
	for range w.parameters[search.QuiescenceTurns] {
		t := here.picker.highest()
		if t == position.None {
			break
		}
		w.play(at, t)
		score := -w.quiescence(at+1, -beta, -alpha)
		if w.limits.Stopped() {
			return 0
		}
		best = max(best, score)
		if score > alpha {
			alpha = score
			here.pv = append(append(here.pv[:0], t), w.stack[at+1].pv...)
		}
		if score >= beta {
			break
		}
	}
	return best
}

// Quiescence search (the term is Shannon's, 1950): the score of a leaf is its
// evaluation, which is standing pat, or the score of a row-taking turn if that is
// higher. Flips make rows out of scattered markers, so these turns are generated
// exactly, not guessed from fours. A leaf where the opponent threatens to win at once
// is searched one turn deeper.

// leafWork is the part of a leaf that must still be searched.
type leafWork uint8

const (
	leafDone     leafWork = iota
	leafTakings           // the row-taking turns, which its picker holds
	leafEvasions          // all turns, because the opponent threatens to win
)

// standPat returns the score of a leaf without another turn, and what must still be
// searched.
func (w *worker) standPat(at int, alpha, beta search.Score) (best search.Score, left leafWork) {
	here := &w.stack[at]
	here.pv = here.pv[:0]
	p := &here.position
	if w.visit(at) {
		return 0, leafDone
	}
	if score, over := ended(p, at); over {
		return score, leafDone
	}
	w.evaluate(at)
	best = w.refine(at, alpha, beta)
	if at >= search.MaxDepth {
		return best, leafDone
	}
	us := p.SideToMove()
	if p.HasRow(us) {
		return mate.ScoreOpponentsRow(p, at, func(t position.Turn, q *position.Position) search.Score {
			w.scorer.Update(&w.scratch, &here.accumulator, p, t)
			return search.Score(w.scratch.ScoreWith(w.scorer.Crossings(&w.scratch, q), q.SideToMove()))
		}), leafDone
	}
	rowDecides := mate.OneRowDecides(p)
	if best >= beta && !rowDecides {
		return best, leafDone
	}
	completing := w.completions(p, us)
	switch {
	case len(completing) > 0 && mate.OneRowFromWinning(p, us):
		return search.WinIn(at + 1), leafDone
	case rowDecides && w.threatened(p, at):
		return best, leafEvasions
	case best >= beta || len(completing) == 0:
		return best, leafDone
	}
	list := &here.picker.moveList
	list.turns = p.Takings(completing, list.turns[:0])
	list.scoreRowTaking(w.scorer.Evaluator, p, &here.accumulator, entry{})
	return best, leafTakings
}

// threatened reports whether the opponent of the side to move threatens to win with
// its next turn. It returns false if the tree is too deep to check.
func (w *worker) threatened(p *position.Position, at int) bool {
	opponent := p.SideToMove().Opponent()
	return mate.OneRowFromWinning(p, opponent) && at <= w.rootDepth+w.parameters[search.EvasionPlies] && len(w.completions(p, opponent)) > 0
}

// play plays a turn at a ply. It does not update the accumulator of the next ply.
func (w *worker) play(at int, t position.Turn) *ply {
	here, next := &w.stack[at], &w.stack[at+1]
	here.turn = t
	here.position.Play(&next.position, t)
	next.evaluated = false
	return next
}

// startPicker initializes the picker of a ply for its node.
func (w *worker) startPicker(at, depth int, known entry) {
	here, previous := &w.stack[at], position.None
	if at > 0 {
		previous = w.stack[at-1].turn
	}
	here.picker.start(depth, known, here.killers, previous)
}

// completions returns the ring moves of a side that complete a row of it, as if it
// were its turn. The list is valid until the next call for that side.
func (w *worker) completions(p *position.Position, s position.Side) []position.Turn {
	w.threats[s&1] = p.Completions(s, w.threats[s&1][:0])
	return w.threats[s&1]
}

// evaluate evaluates the position at a ply with the crossings of the ply before. It
// updates the accumulator if necessary. A turn that takes rows changes the values of
// crossings, so none is better than those before it.
func (w *worker) evaluate(at int) {
	here := &w.stack[at]
	if here.evaluated {
		return
	}
	before := &w.stack[at-1]
	w.scorer.Update(&here.accumulator, &before.accumulator, &before.position, before.turn)
	if before.turn.Removals() > 0 {
		here.setStatic(evaluation.Crossings{}, 2*w.crossingMargin(&here.position))
	} else {
		here.setStatic(before.crossings, w.crossingMargin(&here.position))
	}
}

// refine computes the crossings of the evaluated position at a ply if they may decide
// whether its evaluation is below alpha, above beta, or between. It returns the
// evaluation.
func (w *worker) refine(at int, alpha, beta search.Score) search.Score {
	here := &w.stack[at]
	if here.uncertainty > 0 && here.static+here.uncertainty > alpha && here.static-here.uncertainty < beta {
		here.setStatic(w.scorer.Crossings(&here.accumulator, &here.position), 0)
	}
	return here.static
}

// setStatic sets the evaluation of a ply whose accumulator is updated.
func (p *ply) setStatic(crossings evaluation.Crossings, uncertainty search.Score) {
	p.crossings, p.uncertainty = crossings, uncertainty
	p.static = search.Score(p.accumulator.ScoreWith(crossings, p.position.SideToMove()))
	p.evaluated = true
}

// scoreAfter returns the static score after a quiet turn of a ply with the crossings
// before it.
func (w *worker) scoreAfter(at int, static *evaluation.QuietScore) search.Score {
	w.refine(at, -search.Infinity, search.Infinity)
	here := &w.stack[at]
	return search.Score(static.Score - here.crossings.Score(here.position.SideToMove().Opponent()))
}

// update evaluates the position after the quiet turn that was just played at a ply,
// given its static score.
func (w *worker) update(at int, static *evaluation.QuietScore) {
	here, next := &w.stack[at], &w.stack[at+1]
	w.scorer.UpdateQuiet(&next.accumulator, &here.accumulator, &here.position, here.turn, *static)
	next.setStatic(here.crossings, w.crossingMargin(&next.position))
}

// ended returns the score of a game that is over by the number of rings removed or by
// the empty pool, and whether it is. If neither side can move, the node has no turns.
func ended(p *position.Position, at int) (search.Score, bool) {
	side := p.SideToMove()
	if p.Removed(side.Opponent()) >= p.Rules().WinningRings() {
		return search.LossIn(at), true
	}
	if p.Pool() == 0 && !p.HasRow(side) {
		return finalScore(p, at), true
	}
	return 0, false
}

// finalScore returns the score of a game that is over, by rings removed.
func finalScore(p *position.Position, at int) search.Score {
	own, theirs := p.Removed(p.SideToMove()), p.Removed(p.SideToMove().Opponent())
	switch {
	case own > theirs:
		return search.WinIn(at)
	case own < theirs:
		return search.LossIn(at)
	}
	return 0
}
