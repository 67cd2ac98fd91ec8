package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"gyre/bench"
	"gyre/bench/tactics"
	"gyre/search"
	"gyre/search/alphabeta"
)

// benchUsage is what to say of words that bench does not know.
const benchUsage = "bench takes nothing, a depth in turns, `mcts` and a number of visits, or `tactics` and a time in milliseconds"

// tacticsTime is the time for each position of the tactical suite.
const tacticsTime = 5 * time.Second

// tacticsHash is the memory for the tactical suite, in MiB.
const tacticsHash = 256

// Bench runs the benchmark that the words name: searches of fixed positions to
// a fixed depth or, for MCTS, with a fixed number of visits, or the tactical suite.
// It always has a searcher of its own with one thread and the program's own
// weights, so that the options do not change what it counts.
func (e *Engine) Bench(ctx context.Context, args []string, out io.Writer) error {
	method := bench.AlphaBeta
	if len(args) > 0 {
		switch args[0] {
		case "tactics":
			return runTactics(ctx, args[1:], out)
		case bench.MCTS, bench.AlphaBeta:
			method, args = args[0], args[1:]
		}
	}
	wanted := 0
	if len(args) > 0 {
		var err error
		if wanted, err = strconv.Atoi(args[0]); err != nil || wanted < 1 || len(args) > 1 {
			return fmt.Errorf("bench %q: %s", args[0], benchUsage)
		}
	}
	limits := search.Limits{Depth: cmp.Or(wanted, bench.Depth)}
	if method == bench.MCTS {
		limits = search.Limits{Nodes: uint64(cmp.Or(wanted, bench.Visits))}
	}
	if limits.Depth > search.MaxDepth {
		return fmt.Errorf("bench %q: %s", args[0], benchUsage)
	}
	searcher := newSearcher(method, bench.HashMebibytes)
	defer searcher.Close()
	_, err := bench.Run(ctx, searcher, limits, out)
	return err
}

// runTactics runs the tactical suite.
func runTactics(ctx context.Context, args []string, out io.Writer) error {
	limit := tacticsTime
	if len(args) > 0 {
		ms, err := strconv.Atoi(args[0])
		if err != nil || ms < 1 || len(args) > 1 {
			return fmt.Errorf("bench tactics %q: %s", args[0], benchUsage)
		}
		limit = time.Duration(ms) * time.Millisecond
	}
	problems, err := tactics.Suite()
	if err != nil {
		return err
	}
	searcher := alphabeta.New(tacticsHash)
	defer searcher.Close()
	_, err = tactics.Run(ctx, searcher, problems, tactics.Within(limit), os.Stderr, out)
	return err
}
