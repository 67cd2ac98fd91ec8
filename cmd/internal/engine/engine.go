// Package engine is the engine as it is served: the searchers of package
// search behind the interface that package protocol wants, with their options.
// The commands share it, so that the built-in engine is the same everywhere.
//
//	engine.go    the engine
//	options.go   its table of options
//	evalfile.go  the weights of its evaluation from a file
//	bench.go     the command bench
//	analyst.go   its alpha-beta for positions that have nothing to do with each other
//	about.go     what distinguishes this build from others
//	limits.go    the protocol's limits, reports and signals in the search's terms
package engine

import (
	"context"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
	"gyre/search/mcts"
)

// Version is the version of the engine.
const Version = "0.1"

// Engine serves the searchers. It satisfies protocol.Engine.
type Engine struct {
	searcher  search.Searcher // the one that is chosen
	evaluator *evaluation.Evaluator
	games     uint64 // begun before this one
	settings  settings

	tunable    bool // the parameters are options, too
	parameters search.Parameters
}

// New returns an engine with its options at their defaults.
func New() *Engine {
	e := &Engine{evaluator: evaluation.DefaultEvaluator(), settings: defaults, parameters: search.DefaultParameters()}
	e.searcher = newSearcher(e.settings.method, e.settings.hash)
	return e
}

// NewTunable returns an engine whose options hold the numbers that it searches by as
// well, by their names: [search.Parameter]: for tuning, and for nobody who plays.
func NewTunable() *Engine {
	e := New()
	e.tunable = true
	return e
}

// newSearcher makes a searcher by its name, with so much memory if the machine
// has it.
func newSearcher(method string, mebibytes int) search.Searcher {
	if method == bench.MCTS {
		return mcts.New(mebibytes)
	}
	return alphabeta.New(mebibytes)
}

// Close gives the searcher's memory back. The engine cannot search any more.
func (e *Engine) Close() error {
	e.searcher.Close()
	return nil
}

// ID returns what the handshake tells of the engine.
func (e *Engine) ID() (name, author, version string) { return "Gyre", "the Gyre authors", Version }

// NewGame forgets what belongs to one game.
func (e *Engine) NewGame() {
	e.games++
	e.searcher.NewGame()
}

// Search chooses a turn.
func (e *Engine) Search(ctx context.Context, root position.Position, limits protocol.Limits, ponderHit <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	wanted := e.limits(limits, root.SideToMove())
	if limits.Ponder {
		wanted.Ponder = ponderHit
	}
	searcher := search.Weaken(e.searcher, e.settings.skill, e.games)
	if e.settings.limited {
		searcher = search.LimitStrength(e.searcher, e.settings.elo, e.games)
	}
	out := searcher.Search(ctx, root, wanted, func(i search.Info) { report(infoOf(&root, i, e.settings.showWDL)) })
	return out.Best, out.Ponder
}

// Evaluate explains the evaluation of a position.
func (e *Engine) Evaluate(p *position.Position) string { return e.evaluator.Explain(p) }
