package alphabeta

import (
	"sync/atomic"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
	"gyre/search/internal/timemanager"
)

// worker is a search thread.
type worker struct {
	table  *table
	scorer *evaluation.Scorer
	limits *timemanager.Manager
	tuning
	history history
	stack   [search.MaxDepth + 1]frame // by ply

	main      bool // reports, and decides when to end
	nodes     uint64
	nextCheck uint64        // number of nodes at which to check the limits again
	published atomic.Uint64 // number of nodes, for the other threads
	threads   []*worker     // all threads of the search

	roots     []rootTurn
	pvIndex   int // of the line being searched, from 0
	rootDepth int // depth of the iteration
	selDepth  int // deepest ply of the line being searched
}

// frame is the memory for one ply: its position and the data of its turns.
type frame struct {
	position    position.Position
	accumulator evaluation.Accumulator
	crossings   evaluation.CrossingScores
	lazyMargin  search.Score     // how far static is taken to be off, because crossings are of an earlier position (lazy evaluation); 0 if they are its own
	static      search.Score     // evaluation of the position by accumulator and crossings; valid if evaluated
	evaluated   bool             // static is computed and accumulator updated
	turn        position.Turn    // being searched
	killers     [2]position.Turn // quiet turns that caused a cutoff at this ply (killer heuristic, Akl and Newborn 1977)
	quiets      []position.Turn  // searched so far
	picker      picker
	pv          []position.Turn // principal variation from here
}

// start prepares the worker for a search from a root.
func (w *worker) start(root *position.Position, turns []position.Turn, m *timemanager.Manager) {
	w.limits = m
	w.nodes, w.nextCheck = 0, 0
	w.published.Store(0)
	w.stack[0].position = *root
	w.scorer.Reset(&w.stack[0].accumulator, root)
	w.stack[0].setStatic(w.scorer.Crossings(&w.stack[0].accumulator, root), 0)
	w.prepareStack()
	w.history.age()
	w.roots = rootTurnsOf(w.scorer.Evaluator, root, &w.stack[0].accumulator, turns, w.roots[:0], m.Stopped)
	w.rootDepth, w.pvIndex = 0, 0 // the lines are reported even if no iteration begins
}

// prepareStack forgets the killers and gives the pickers what they need of the worker.
func (w *worker) prepareStack() {
	for i := range w.stack {
		here := &w.stack[i]
		here.killers = [2]position.Turn{}
		k := &here.picker
		k.scorer, k.history = w.scorer, &w.history
		k.staticWeight = int32(w.parameters[search.StaticWeight])
		k.position, k.accumulator = &here.position, &here.accumulator
	}
}

// visit counts the node at a ply and returns its score: by search to a depth, or by
// quiescence search at a leaf. The score is exact between alpha and beta, and a bound
// otherwise.
func (w *worker) visit(ply, depth int, alpha, beta search.Score) search.Score {
	if depth <= 0 || ply >= search.MaxDepth {
		return w.quiescence(ply, alpha, beta)
	}
	if score, done := w.enter(ply); done {
		return score
	}
	return w.search(ply, depth, alpha, beta, position.None)
}

// enter counts the node at a ply. If there is nothing to search, because the search must
// stop or the game is over, done is true.
func (w *worker) enter(ply int) (score search.Score, done bool) {
	here := &w.stack[ply]
	here.pv = here.pv[:0]
	w.selDepth = max(w.selDepth, ply)
	w.count()
	if w.limits.Stopped() {
		return 0, true
	}
	return ended(&here.position, ply)
}

// search returns the score of a node that was entered, by principal variation search
// (Marsland and Campbell 1982): an open window for the first turn, and zero windows to
// show that the other turns are no better. With an excluded turn, as the table
// stores it, search returns the score of the other turns, without the help of the table.
func (w *worker) search(ply, depth int, alpha, beta search.Score, excluded position.Turn) search.Score {
	here := &w.stack[ply]
	p := &here.position
	alpha, beta = max(alpha, search.LossIn(ply)), min(beta, search.WinIn(ply+1)) // mate-distance pruning
	if alpha >= beta {
		return alpha
	}
	pv := beta > alpha+1

	var entry tableEntry
	if excluded == position.None {
		var found bool
		entry, found = w.table.probe(p.Hash())
		if found && !pv {
			if score, cut := entry.cut(ply, depth, alpha, beta); cut {
				return score
			}
		}
		w.evaluate(ply)
		if !pv && w.reverseFutility(ply, depth, beta) {
			return here.static
		}
		if !found && depth >= w.parameters[search.InternalReductionFrom] {
			depth-- // without a table entry, search less deeply (IIR)
		}
	}

	// Ply 1 has no earlier position of the same side: it counts as not improving, unlike the root.
	improving := ply >= 2 && here.static > w.stack[ply-2].static
	singular := false // the table's turn
	if w.mayBeSingular(ply, depth, entry) {
		var score search.Score
		var cut bool
		if singular, score, cut = w.verifySingular(ply, depth, beta, pv, entry); cut {
			return score
		}
	}

	margin := w.futilityMargin(p, depth, pv)
	best, bound, bestTurn := -search.Infinity, search.Upper, position.None
	moveCount := 0
	here.quiets = here.quiets[:0]
	w.startPicker(ply, depth, entry)
	for t, scored := here.picker.pick(); t != position.None; t, scored = here.picker.pick() {
		if excluded != position.None && asStored(t) == excluded {
			continue
		}
		moveCount++
		quiet := t.Quiet()

		if quiet && best > -search.WinThreshold && w.lateMovePruned(depth, moveCount, pv, improving) {
			break // the remaining turns are less promising
		}
		if scored {
			if score := w.scoreAfterQuiet(ply, here.picker.quietScore()) + margin; score <= alpha { // futility pruning
				best = max(best, score)
				if depth == 1 { // no other quiet turn has a higher static score; they lead to leaves
					w.countLeaves(1 + here.picker.skipQuiet())
				}
				continue
			}
		}

		if quiet {
			here.quiets = append(here.quiets, t)
		}
		turnDepth := depth
		if singular && asStored(t) == entry.turn {
			turnDepth++ // singular extension
		}
		next := w.play(ply, t)
		if scored {
			w.evaluateQuiet(ply, here.picker.quietScore())
		}
		if turnDepth > 1 { // a leaf hardly ever probes the table
			prefetch(w.table.bucketFor(next.position.Hash()))
		}
		score := w.searchTurn(ply, turnDepth, moveCount, alpha, beta, improving)
		if w.limits.Stopped() {
			return 0
		}

		best = max(best, score)
		if score <= alpha {
			continue
		}
		alpha, bound, bestTurn = score, search.Exact, t
		if pv {
			here.pv = append(append(here.pv[:0], t), next.pv...)
		}
		if score >= beta {
			bound = search.Lower
			if quiet {
				w.learn(ply, depth, t)
			}
			break
		}
	}
	switch {
	case excluded != position.None:
		return best
	case moveCount == 0:
		return finalScore(p, ply)
	}
	return w.store(ply, entry, tableEntry{turn: bestTurn, score: best, depth: depth, bound: bound})
}

// searchTurn returns the score of the turn that was just played at a ply, given how many
// turns of the node were tried, this one included. Late turns are searched less deeply at
// first (late-move reductions).
func (w *worker) searchTurn(ply, depth, moveCount int, alpha, beta search.Score, improving bool) search.Score {
	if moveCount == 1 {
		return -w.visit(ply+1, depth-1, -beta, -alpha)
	}
	reduction := w.lateMoveReduction(ply, depth, moveCount, beta > alpha+1, improving)
	score := -w.visit(ply+1, depth-1-reduction, -alpha-1, -alpha)
	if score > alpha && reduction > 0 && !w.limits.Stopped() {
		score = -w.visit(ply+1, depth-1, -alpha-1, -alpha)
	}
	if score > alpha && score < beta && !w.limits.Stopped() {
		score = -w.visit(ply+1, depth-1, -beta, -alpha)
	}
	return score
}

// store stores the result of a node in the table and returns its score. A proof that the
// table had before limits the result, because this search may not have found it again. The
// proof's score is then exact: the search found no quicker end.
func (w *worker) store(ply int, before, result tableEntry) search.Score {
	here := &w.stack[ply]
	switch lower, upper := before.bounds(ply, provenOnly); {
	case result.score < lower:
		result.score, result.bound, result.turn = lower, search.Exact, before.turn
		here.pv = here.pv[:0]
	case result.score > upper:
		result.score, result.bound = upper, search.Exact
		here.pv = here.pv[:0]
	}
	score := result.score
	result.score = toTable(score, ply)
	w.table.store(here.position.Hash(), result)
	return score
}

// learn updates the killers and the history after a cutoff by a quiet turn.
func (w *worker) learn(ply, depth int, t position.Turn) {
	here := &w.stack[ply]
	if here.killers[0] != t {
		here.killers[1], here.killers[0] = here.killers[0], t
	}
	w.history.update(here.position.SideToMove(), here.quiets, here.picker.previous, depth)
}

// quiescence counts the leaf at a ply and returns its score by quiescence search (the term
// is Shannon's, 1950): its evaluation, which is standing pat, or the score of a row-taking
// turn if that is higher. Flips make rows out of scattered markers, so these turns are
// generated exactly, not guessed from fours. A leaf where the opponent threatens to win at
// once is searched one turn deeper.
func (w *worker) quiescence(ply int, alpha, beta search.Score) search.Score {
	if score, done := w.enter(ply); done {
		return score
	}
	here := &w.stack[ply]
	p := &here.position
	w.evaluate(ply)
	best := w.evaluateFully(ply, alpha, beta)
	if ply >= search.MaxDepth {
		return best
	}
	us := p.SideToMove()
	if p.HasRow(us) {
		return w.scoreOpponentsRow(ply)
	}
	rowDecides := mate.OneRowDecides(p)
	if best >= beta && !rowDecides {
		return best
	}
	completing := p.Completions(us, here.picker.completions[:0])
	here.picker.completions = completing // keep the memory
	switch {
	case len(completing) > 0 && mate.OneRowFromWinning(p, us):
		return search.WinIn(ply + 1)
	case rowDecides && w.threatened(p, ply):
		return w.search(ply, 1, alpha, beta, position.None)
	case best >= beta || len(completing) == 0:
		return best
	}
	alpha = max(alpha, best)
	list := &here.picker.moveList
	list.turns = p.RowTakings(completing, list.turns[:0])
	here.picker.scoreRowTaking(position.None)
	for range w.parameters[search.QuiescenceTurns] {
		t := list.highest()
		if t == position.None {
			break
		}
		next := w.play(ply, t)
		score := -w.quiescence(ply+1, -beta, -alpha)
		if w.limits.Stopped() {
			return 0
		}
		best = max(best, score)
		if score > alpha {
			alpha = score
			here.pv = append(append(here.pv[:0], t), next.pv...)
		}
		if score >= beta {
			break
		}
	}
	return best
}

// scoreOpponentsRow returns the score of a leaf whose side to move must first remove a row
// that the opponent has completed.
func (w *worker) scoreOpponentsRow(ply int) search.Score {
	here := &w.stack[ply]
	return mate.ScoreOpponentsRow(&here.position, ply, func(t position.Turn, q *position.Position) search.Score {
		var after evaluation.Accumulator
		w.scorer.Update(&after, &here.accumulator, &here.position, t)
		return search.Score(after.ScoreWith(w.scorer.Crossings(&after, q), q.SideToMove()))
	})
}

// threatened reports whether the opponent of the side to move threatens to win with
// its next turn. It returns false if the tree is too deep to check.
func (w *worker) threatened(p *position.Position, ply int) bool {
	opponent := p.SideToMove().Opponent()
	return mate.OneRowFromWinning(p, opponent) && ply <= w.rootDepth+w.parameters[search.EvasionPlies] && p.CanComplete(opponent)
}

// play plays a turn at a ply. It does not update the accumulator of the next ply.
func (w *worker) play(ply int, t position.Turn) *frame {
	here, next := &w.stack[ply], &w.stack[ply+1]
	here.turn = t
	here.position.Play(&next.position, t)
	next.evaluated = false
	return next
}

// startPicker initializes the picker of a ply for its node.
func (w *worker) startPicker(ply, depth int, entry tableEntry) {
	here, previous := &w.stack[ply], position.None
	if ply > 0 { // only tests search the root here
		previous = w.stack[ply-1].turn
	}
	here.picker.start(depth, entry.turn, here.killers, previous)
}

// evaluate evaluates the position at a ply lazily, with the crossings that the ply before used,
// which may be of an earlier position. It updates the accumulator if necessary. A turn that takes
// rows changes the values of crossings: its estimate leaves them out, with twice the margin.
func (w *worker) evaluate(ply int) {
	here := &w.stack[ply]
	if here.evaluated {
		return
	}
	before := &w.stack[ply-1]
	w.scorer.Update(&here.accumulator, &before.accumulator, &before.position, before.turn)
	if before.turn.Removals() > 0 {
		here.setStatic(evaluation.CrossingScores{}, 2*w.crossingMargin(&here.position))
	} else {
		here.setStatic(before.crossings, w.crossingMargin(&here.position))
	}
}

// evaluateQuiet evaluates the position after the quiet turn that was just played at a ply,
// given its static score.
func (w *worker) evaluateQuiet(ply int, static *evaluation.QuietScore) {
	here, next := &w.stack[ply], &w.stack[ply+1]
	w.scorer.UpdateQuiet(&next.accumulator, &here.accumulator, &here.position, here.turn, *static)
	next.setStatic(here.crossings, w.crossingMargin(&next.position))
}

// evaluateFully replaces the lazy evaluation of a position by the full one, which needs its
// own crossings, if the difference may move the score across alpha or beta. It returns the
// evaluation.
func (w *worker) evaluateFully(ply int, alpha, beta search.Score) search.Score {
	here := &w.stack[ply]
	if here.lazyMargin > 0 && here.static+here.lazyMargin > alpha && here.static-here.lazyMargin < beta {
		here.setStatic(w.scorer.Crossings(&here.accumulator, &here.position), 0)
	}
	return here.static
}

// scoreAfterQuiet returns the static score after a quiet turn of a ply with the crossings
// before it.
func (w *worker) scoreAfterQuiet(ply int, static *evaluation.QuietScore) search.Score {
	w.evaluateFully(ply, -search.Infinity, search.Infinity)
	here := &w.stack[ply]
	return search.Score(static.Score - here.crossings.Score(here.position.SideToMove().Opponent()))
}

// setStatic sets the evaluation of a frame whose accumulator is updated.
func (f *frame) setStatic(crossings evaluation.CrossingScores, lazyMargin search.Score) {
	f.crossings, f.lazyMargin = crossings, lazyMargin
	f.static = search.Score(f.accumulator.ScoreWith(crossings, f.position.SideToMove()))
	f.evaluated = true
}

// ended returns the score of a game that is over by the number of rings removed or by
// the empty pool, and whether it is. Unlike [position.Position.Over], it does not look for a
// ring that can move, which takes time: without one a node has no turns, and a leaf is evaluated.
func ended(p *position.Position, ply int) (search.Score, bool) {
	side := p.SideToMove()
	if p.Removed(side.Opponent()) >= p.Rules().WinningRings() {
		return search.LossIn(ply), true
	}
	if p.Pool() == 0 && !p.HasRow(side) {
		return finalScore(p, ply), true
	}
	return 0, false
}

// finalScore returns the score of a game that is over, by rings removed.
func finalScore(p *position.Position, ply int) search.Score {
	own, theirs := p.Removed(p.SideToMove()), p.Removed(p.SideToMove().Opponent())
	switch {
	case own > theirs:
		return search.WinIn(ply)
	case own < theirs:
		return search.LossIn(ply)
	}
	return 0
}

// count counts a node.
func (w *worker) count() {
	w.nodes++
	if w.nodes >= w.nextCheck {
		w.checkLimits()
	}
}

// countLeaves counts leaves that their evaluation alone decided.
func (w *worker) countLeaves(leaves int) {
	if w.nodes+uint64(leaves) < w.nextCheck {
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

// otherNodes returns the number of nodes that the other threads have published.
func (w *worker) otherNodes() (nodes uint64) {
	for _, other := range w.threads {
		if other != w {
			nodes += other.published.Load()
		}
	}
	return nodes
}

// allNodes returns the number of nodes of all threads.
func (w *worker) allNodes() uint64 { return w.nodes + w.otherNodes() }

// checkLimits publishes the node count and checks the limits.
func (w *worker) checkLimits() {
	w.published.Store(w.nodes)
	others := w.otherNodes()
	w.nextCheck = w.limits.Check(w.nodes+others) - others
}
