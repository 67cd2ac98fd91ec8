package engine

import (
	"time"

	"gyre/bench"
	"gyre/protocol"
	"gyre/search"
)

// settings are the values of the options.
type settings struct {
	hash      int // MiB
	threads   int
	multiPV   int
	overhead  time.Duration
	nodesTime uint64 // nodes that count as a millisecond; 0 for real time
	showWDL   bool
	skill     int    // up to search.FullSkill
	limited   bool   // to the rating elo, instead of by skill
	elo       int    // from search.LeastElo to search.MostElo
	method    string // bench.AlphaBeta or bench.MCTS
}

// defaults are the values before anybody sets one.
var defaults = settings{hash: 64, threads: 1, multiPV: 1, overhead: 10 * time.Millisecond, method: bench.AlphaBeta,
	skill: search.FullSkill, elo: search.MostElo}

// The bounds of the options.
const (
	leastHash     = 1       // MiB
	mostHash      = 1 << 16 // MiB
	mostThreads   = 128
	mostMultiPV   = 64
	mostOverhead  = 5000 // ms
	mostNodesTime = 1_000_000
)

// Options is the table of the options, each bound to what it sets.
func (e *Engine) Options() []protocol.Option {
	options := []protocol.Option{
		protocol.Spin("Hash", defaults.hash, leastHash, mostHash, e.setHash),
		protocol.Button("Clear Hash", func() error { e.searcher.NewGame(); return nil }),
		protocol.Spin("Threads", defaults.threads, 1, mostThreads, e.setThreads),
		protocol.Spin("MultiPV", defaults.multiPV, 1, mostMultiPV, func(n int) error { e.settings.multiPV = n; return nil }),
		protocol.Spin("MoveOverhead", int(defaults.overhead.Milliseconds()), 0, mostOverhead, e.setOverhead),
		protocol.Spin("nodestime", int(defaults.nodesTime), 0, mostNodesTime, func(n int) error { e.settings.nodesTime = uint64(n); return nil }),
		protocol.Combo("Search", defaults.method, []string{bench.AlphaBeta, bench.MCTS}, e.setMethod),
		protocol.Text("EvalFile", "", e.setEvalFile),
		protocol.Spin("Skill", defaults.skill, 0, search.FullSkill, func(n int) error { e.settings.skill = n; return nil }),
		protocol.Check("UCI_LimitStrength", defaults.limited, func(on bool) error { e.settings.limited = on; return nil }),
		protocol.Spin("UCI_Elo", defaults.elo, search.LeastElo, search.MostElo, func(n int) error { e.settings.elo = n; return nil }),
		protocol.Check("ShowWDL", defaults.showWDL, func(on bool) error { e.settings.showWDL = on; return nil }),
	}
	if e.tunable {
		options = append(options, e.parameterOptions()...)
	}
	return options
}

// parameterOptions is the table of the numbers that the searchers search by.
func (e *Engine) parameterOptions() (options []protocol.Option) {
	for i, usual := range e.parameters {
		parameter := search.Parameter(i)
		least, most := parameter.Bounds()
		options = append(options, protocol.Spin(parameter.String(), usual, least, most, func(n int) error {
			e.parameters[i] = n
			e.searcher.SetParameters(&e.parameters)
			return nil
		}))
	}
	return options
}

// setHash gives the searcher's memory another size, if the machine has that much.
func (e *Engine) setHash(mebibytes int) error {
	if err := e.searcher.Resize(mebibytes); err != nil {
		return err
	}
	e.settings.hash = mebibytes
	return nil
}

// setThreads sets how many threads search.
func (e *Engine) setThreads(threads int) error {
	e.settings.threads = threads
	e.searcher.SetThreads(threads)
	return nil
}

// setOverhead sets the time kept back of each turn, in milliseconds.
func (e *Engine) setOverhead(ms int) error {
	e.settings.overhead = time.Duration(ms) * time.Millisecond
	return nil
}

// setMethod chooses the searcher. The new one knows nothing of the game yet, and
// the old one's memory goes. Without memory for the new one the old one stays.
func (e *Engine) setMethod(method string) error {
	if method == e.settings.method {
		return nil
	}
	next := newSearcher(method, leastHash)
	if err := next.Resize(e.settings.hash); err != nil {
		next.Close()
		return err
	}
	next.SetThreads(e.settings.threads)
	next.SetEvaluator(e.evaluator)
	next.SetParameters(&e.parameters)
	e.searcher.Close()
	e.searcher, e.settings.method = next, method
	return nil
}
