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

// visit counts a node, and tells whether to give up.
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
