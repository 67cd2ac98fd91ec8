package alphabeta

import (
	"sync/atomic"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/timemanager"
)

// worker is what one thread of the alpha-beta searcher owns.
type worker struct {
	table     *table
	evaluator *evaluation.Evaluator
	control   *timemanager.Manager
	main      bool // decides and reports
	nodes     uint64
	nextPoll  uint64
	seen      atomic.Uint64 // nodes, as far as other threads know
	others    func() uint64 // nodes of all other threads
	stack     [search.MaxDepth + 4]ply
	history   history
	roots     []rootTurn
	line      int // the line being searched, from 0
	selDepth  int
	rootDepth int
	scratch   ply                // to look at a turn
	threats   [2][]position.Turn // the last list of completions, by side
}

// ply is the memory for one ply of the tree: the node there, and what is kept
// for its turns.
type ply struct {
	position  position.Position
	windows   evaluation.Accumulator
	static    search.Score  // evaluation of the position,
	evaluated bool          // once it is computed and windows is kept up
	turn      position.Turn // being searched
	killers   [2]position.Turn
	quiets    []position.Turn // tried
	picker    picker
	line      []position.Turn // principal variation from here
}

// start makes the worker ready for a search from a root.
func (w *worker) start(root *position.Position, turns []position.Turn, c *timemanager.Manager) {
	w.control = c
	w.nodes, w.nextPoll, w.selDepth = 0, 0, 0
	w.seen.Store(0)
	w.stack[0].position = *root
	w.evaluator.Reset(&w.stack[0].windows, root)
	w.stack[0].static = search.Score(w.evaluator.Score(&w.stack[0].windows, root))
	w.stack[0].evaluated = true
	for i := range w.stack {
		w.stack[i].killers = [2]position.Turn{}
	}
	w.history.age()
	w.roots = w.roots[:0]
	for _, t := range turns {
		static := w.staticAfter(&w.stack[0], t)
		w.roots = append(w.roots, rootTurn{
			turn: t, score: static, before: -search.Infinity, static: static, line: []position.Turn{t},
		})
	}
	w.line = 0
	w.sortRoots()
	for i := range w.roots {
		w.roots[i].score = -search.Infinity
	}
}

// visit counts a node, and tells whether to give up.
func (w *worker) visit(at int) (stop bool) {
	w.selDepth = max(w.selDepth, at)
	w.count()
	return w.control.Stopped()
}

// count counts a node.
func (w *worker) count() {
	w.nodes++
	if w.nodes >= w.nextPoll {
		w.poll()
	}
}

// visitLeaves counts leaves whose evaluation alone decided them.
func (w *worker) visitLeaves(leaves int) {
	if w.nodes+uint64(leaves) < w.nextPoll {
		w.nodes += uint64(leaves)
		return
	}
	for range leaves {
		if w.control.Stopped() {
			return
		}
		w.count()
	}
}

// poll publishes the count of nodes and lets the control look at the limits.
func (w *worker) poll() {
	w.seen.Store(w.nodes)
	w.nextPoll = w.nodes + timemanager.CheckEvery
	others := w.others()
	w.control.Check(w.nodes + others)
	if limit := w.control.Limits.Nodes; limit > 0 {
		w.nextPoll = min(w.nextPoll, max(limit, w.nodes+others+1)-others)
	}
}

// play makes the position at the next ply, with its windows.
func (w *worker) play(at int, t position.Turn) *ply {
	here, next := &w.stack[at], &w.stack[at+1]
	here.turn = t
	here.position.Play(&next.position, t)
	next.evaluated = false
	return next
}
