package alphabeta

import (
	"sort"
	"sync/atomic"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/timemanager"
)

// worker is what one thread of the alpha-beta searcher owns.
type worker struct {
	table  *table
	scorer *evaluation.Scorer
	limits *timemanager.Manager
	numbers
	main      bool // decides and reports
	nodes     uint64
	check     uint64        // at how many nodes to look at the limits again
	seen      atomic.Uint64 // nodes, as far as other threads know
	others    func() uint64 // nodes of all other threads
	stack     [search.MaxDepth + 4]ply
	history   history
	roots     []rootTurn
	pvIndex   int // of the principal variation being searched, from 0
	selDepth  int
	rootDepth int
	scratch   evaluation.Accumulator // to look at a turn
	threats   [2][]position.Turn     // the last list of completions, by side
}

// ply is the memory for one ply of the tree: the node there, and what is kept
// for its turns.
type ply struct {
	position    position.Position
	accumulator evaluation.Accumulator
	static      search.Score     // evaluation of the position,
	evaluated   bool             // once it is computed and accumulator is updated
	turn        position.Turn    // being searched
	killers     [2]position.Turn // quiet turns that cut at this ply (killer heuristic, Akl and Newborn 1977)
	quiets      []position.Turn  // tried
	picker      picker           // of its turns
	pv          []position.Turn  // principal variation from here
}

// start makes the worker ready for a search from a root.
func (w *worker) start(root *position.Position, turns []position.Turn, m *timemanager.Manager) {
	w.limits = m
	w.nodes, w.check, w.selDepth = 0, 0, 0
	w.seen.Store(0)
	w.stack[0].position = *root
	w.scorer.Reset(&w.stack[0].accumulator, root)
	w.stack[0].static = search.Score(w.stack[0].accumulator.Score(root.SideToMove()))
	w.stack[0].evaluated = true
	w.clearStack()
	w.history.age()
	w.roots = rootTurnsOf(w.scorer.Evaluator, root, &w.stack[0].accumulator, turns, w.roots[:0])
	w.pvIndex = 0
}

// clearStack forgets the killers, and gives the pickers what they work with.
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

// visit counts a node, and reports whether to give up.
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

// visitLeaves counts leaves whose evaluation alone decided them.
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

// allNodes returns the nodes of all threads, of the others as far as they told.
func (w *worker) allNodes() uint64 { return w.nodes + w.others() }

// checkLimits publishes the count of nodes and looks at the limits.
func (w *worker) checkLimits() {
	w.seen.Store(w.nodes)
	others := w.others()
	w.check = w.limits.Check(w.nodes+others) - others
}

// rootTurn is a turn at the root with what the iterations found of it.
type rootTurn struct {
	turn    position.Turn
	score   search.Score // of this iteration; -Infinity if only shown to be no better
	before  search.Score // of the iteration before; -Infinity if that had none
	static  search.Score // of the position after it, at first sight
	bound   search.Bound
	pv      []position.Turn // principal variation, from the turn itself
	deepest int             // selDepth when it was found
	nodes   uint64          // spent on it in this search
}

// rootTurnsOf appends turns of a position to roots, in the order of the static scores
// after them.
func rootTurnsOf(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, turns []position.Turn, roots []rootTurn) []rootTurn {
	for _, t := range turns {
		static := staticAfter(e, p, a, t)
		roots = append(roots, rootTurn{
			turn: t, score: static, before: -search.Infinity, static: static, pv: []position.Turn{t},
		})
	}
	sortByScore(roots)
	for i := range roots {
		roots[i].score = -search.Infinity
	}
	return roots
}

// sortByScore puts root turns into the order of their scores, equal ones as
// they were.
func sortByScore(roots []rootTurn) {
	sort.SliceStable(roots, func(i, j int) bool { return roots[i].score > roots[j].score })
}

// staticAfter returns the static score after a turn for the side that makes it.
func staticAfter(e *evaluation.Evaluator, p *position.Position, a *evaluation.Accumulator, t position.Turn) search.Score {
	var after position.Position
	p.Play(&after, t)
	if after.Removed(p.SideToMove()) >= p.Rules().WinningRings() {
		return search.WinIn(1)
	}
	var accumulator evaluation.Accumulator
	e.Update(&accumulator, a, p, t)
	return -search.Score(accumulator.Score(after.SideToMove()))
}

// iterate searches deeper and deeper (iterative deepening, Slate and Atkin 1977) until
// the time manager says stop, with so many lines. Helping threads begin at different
// depths.
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
			sortByScore(w.roots[:w.pvIndex+1])
		}
		w.pvIndex = 0
		if w.main {
			best := &w.roots[0]
			w.limits.IterationDone(best.score, best.turn != leader, float64(best.nodes)/float64(max(w.nodes, 1)))
			w.reportLines(depth, lines, report)
		}
	}
}

// searchPV finds the best of the root turns that are not in a line yet, in a
// window around the score of the last iteration that is widened until the
// score is inside (aspiration). It reports whether it came to an end.
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
		w.sortRoots()
		switch {
		case stopped:
			return false
		case score <= alpha && alpha > -search.Infinity:
			w.reportBound(depth, report)
			alpha = lower(score, width)
		case score >= beta && beta < search.Infinity:
			w.reportBound(depth, report)
			beta = -lower(-score, width)
		default:
			return true
		}
	}
}

// searchRoot searches the root turns from the line-th on, as deep as the
// iteration says, and returns the best score.
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
		if number > 1 && score <= alpha {
			r.score = -search.Infinity
			continue
		}
		r.score, r.bound, r.deepest = score, search.Exact, w.selDepth
		if score <= alpha {
			r.bound = search.Upper
		}
		r.pv = append(append(r.pv[:0], r.turn), w.stack[1].pv...)
		best = max(best, score)
		if score >= beta {
			r.bound = search.Lower
			break
		}
		alpha = max(alpha, score)
	}
	return best
}

// sortRoots puts the root turns of this line and later ones into the order of
// their scores, those that are only shown to be no better as they were.
func (w *worker) sortRoots() { sortByScore(w.roots[w.pvIndex:]) }

// lower is a score less a width, as far as windows go.
func lower(score, width search.Score) search.Score {
	if score-width < -search.WinThreshold/2 {
		return -search.Infinity
	}
	return score - width
}

// reportBoundAfter is the time in seconds before which bounds are not reported.
const reportBoundAfter = 1

// reportBound reports that the score of the current line lies outside its
// window, once a search takes long enough for somebody to watch it.
func (w *worker) reportBound(depth int, report func(search.Info)) {
	if w.main && w.limits.Elapsed(w.allNodes()).Seconds() >= reportBoundAfter {
		report(w.info(depth, w.pvIndex))
	}
}

// reportLines reports all lines at the end of an iteration.
func (w *worker) reportLines(depth, lines int, report func(search.Info)) {
	for i := range lines {
		report(w.info(depth, i))
	}
}

// info describes a line. One that this iteration did not get to has the score of the
// iteration before, and one that no iteration got to its static score.
func (w *worker) info(depth, line int) search.Info {
	r := &w.roots[line]
	score := r.score
	if score == -search.Infinity {
		score, depth = r.before, max(depth-1, 1)
	}
	if score == -search.Infinity {
		score = r.static
	}
	nodes := w.allNodes()
	return search.Info{
		Depth: depth, SelDepth: r.deepest, MultiPV: line + 1, Score: score, Bound: r.bound,
		Nodes: nodes, Time: w.limits.Elapsed(nodes), HashFull: w.table.full(),
		PV: append(r.pv[:0:0], r.pv...),
	}
}

// node returns the score of the position at a ply of the tree, searched so many
// turns deep, by principal variation search (Marsland and Campbell 1982): an
// open window for the first turn, and one of no width to show that the others
// are no better. The score is exact between alpha and beta, else a bound.
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
	alpha, beta = max(alpha, search.LossIn(at)), min(beta, search.WinIn(at+1)) // mate-distance pruning
	if alpha >= beta {
		return alpha
	}
	pv := beta > alpha+1
	known, found := w.table.probe(p.Hash())
	if found && !pv && known.Depth >= depth {
		if score := fromTable(known.Score, at); settles(known.Bound, score, alpha, beta) {
			return score
		}
	}
	static := w.evaluate(at)
	if !pv && w.reverseFutility(at, depth, static, beta) {
		return static
	}
	if !found && depth >= w.parameters[search.InternalReductionFrom] {
		depth-- // without a turn to begin with the node is dear
	}
	return w.turns(at, depth, alpha, beta, known)
}

// turns searches the turns of a node and keeps the result in the table.
func (w *worker) turns(at, depth int, alpha, beta search.Score, known entry) search.Score {
	here := &w.stack[at]
	p := &here.position
	pv := beta > alpha+1
	improving := at >= 2 && here.static > w.stack[at-2].static
	best, bound, bestTurn := -search.Infinity, search.Upper, position.None
	here.quiets = here.quiets[:0]
	w.startPicker(at, depth, known)
	margin := w.futilityMargin(p, depth, pv)
	number := 0
	for t := here.picker.pick(); t != position.None; t = here.picker.pick() {
		number++
		quiet := t.Quiet()
		if quiet && !pv && best > -search.WinThreshold && w.lateMovePruned(depth, number, improving) {
			break // the picker has less promising turns left
		}
		static := here.picker.staticScore()
		if static != nil && search.Score(static.Score)+margin <= alpha {
			best = max(best, search.Score(static.Score)+margin)
			if depth > 1 {
				continue
			}
			if margin == 0 { // all quiet turns not searched lead to leaves that this decides
				w.visitLeaves(len(here.picker.static) - len(here.quiets))
			}
			here.picker.skipQuiet()
			continue
		}
		if quiet {
			here.quiets = append(here.quiets, t)
		}
		w.enter(at, depth, t, static)
		score := w.child(at, depth, number, alpha, beta, quiet, improving)
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
	if number == 0 {
		return finalScore(p, at)
	}
	w.table.store(p.Hash(), entry{Turn: bestTurn, Score: toTable(best, at), Depth: depth, Bound: bound})
	return best
}

// enter plays a turn of a node that is searched to a depth, with its static score if
// that is known.
func (w *worker) enter(at, depth int, t position.Turn, static *evaluation.QuietScore) {
	next := w.play(at, t)
	if static != nil {
		w.update(at, static)
	}
	if depth > 1 { // else it is a leaf, which does not ask the table
		prefetch(w.table.bucketFor(next.position.Hash()))
	}
}

// child searches the position after a turn, the number-th of its node: late
// turns less deeply at first (late-move reductions).
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

// learn keeps what a cut by a turn teaches: the killers of its ply, and history.
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
	best, left := w.standPat(at, beta)
	switch left {
	case leafTakings:
		return w.takeRows(at, max(alpha, best), beta, best)
	case leafEvasions:
		return w.node(at, 1, alpha, beta)
	}
	return best
}

// takeRows searches the turns of a leaf that take rows off, which its picker has,
// the best by their static worth first. Best is what the leaf is worth without.
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

// Quiescence search (the term is Shannon's, 1950): a leaf is worth its evaluation, which
// is standing pat, or better what the turns that take a row off lead to. Flips make rows out of scattered markers, so these turns are
// generated exactly, not guessed from fours. A leaf where the opponent threatens to win
// at once is searched one turn deeper.

// leafWork is what is left to search of a leaf.
type leafWork uint8

const (
	leafDone     leafWork = iota
	leafTakings           // the turns that take rows off, which its picker has
	leafEvasions          // all turns: the opponent threatens to win
)

// standPat returns what a leaf is worth without another turn, and what is left to
// search of it.
func (w *worker) standPat(at int, beta search.Score) (best search.Score, left leafWork) {
	here := &w.stack[at]
	here.pv = here.pv[:0]
	p := &here.position
	if w.visit(at) {
		return 0, leafDone
	}
	if score, over := ended(p, at); over {
		return score, leafDone
	}
	best = w.evaluate(at)
	if at >= search.MaxDepth {
		return best, leafDone
	}
	us := p.SideToMove()
	if p.HasRow(us) {
		return mate.ScoreOpponentsRow(p, at, func(t position.Turn, q *position.Position) search.Score {
			w.scorer.Update(&w.scratch, &here.accumulator, p, t)
			return search.Score(w.scratch.Score(q.SideToMove()))
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

// threatened reports whether the opponent of the side to move would win with his
// next turn if nothing is done, and the tree is not too deep to look.
func (w *worker) threatened(p *position.Position, at int) bool {
	opponent := p.SideToMove().Opponent()
	return mate.OneRowFromWinning(p, opponent) && at <= w.rootDepth+w.parameters[search.EvasionPlies] && len(w.completions(p, opponent)) > 0
}

// play makes the position at the next ply. Its accumulator is not updated yet.
func (w *worker) play(at int, t position.Turn) *ply {
	here, next := &w.stack[at], &w.stack[at+1]
	here.turn = t
	here.position.Play(&next.position, t)
	next.evaluated = false
	return next
}

// startPicker sets the picker of a ply up for its node.
func (w *worker) startPicker(at, depth int, known entry) {
	here, previous := &w.stack[at], position.None
	if at > 0 {
		previous = w.stack[at-1].turn
	}
	here.picker.start(depth, known, here.killers, previous)
}

// completions returns the ring moves of a side that complete a row of it, as if
// it were its turn. The list is good until the next call for that side.
func (w *worker) completions(p *position.Position, s position.Side) []position.Turn {
	w.threats[s&1] = p.Completions(s, w.threats[s&1][:0])
	return w.threats[s&1]
}

// evaluate returns the evaluation of the position at a ply, after updating its
// accumulator.
func (w *worker) evaluate(at int) search.Score {
	here := &w.stack[at]
	if !here.evaluated {
		before := &w.stack[at-1]
		w.scorer.Update(&here.accumulator, &before.accumulator, &before.position, before.turn)
		here.static = search.Score(here.accumulator.Score(here.position.SideToMove()))
		here.evaluated = true
	}
	return here.static
}

// update evaluates the position after the quiet turn that was just played at a
// ply, by its static score that is known already.
func (w *worker) update(at int, static *evaluation.QuietScore) {
	here, next := &w.stack[at], &w.stack[at+1]
	w.scorer.UpdateQuiet(&next.accumulator, &here.accumulator, &here.position, here.turn, *static)
	next.static, next.evaluated = search.Score(-static.Score), true
}

// ended returns the score of a game that is over by the rings removed or the
// empty pool, and whether it is. That neither side can move shows when a node
// has no turns.
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

// finalScore returns the score of a game that is over, by the rings removed.
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
