package engine

import (
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
const benchUsage = "bench takes nothing, a depth in turns, or `tactics` and a time in milliseconds"

// tacticsTime is the time for each position of the tactical suite.
const tacticsTime = 5 * time.Second

// tacticsHash is the memory for the tactical suite, in MiB.
const tacticsHash = 256

// Bench runs the benchmark that the words name: searches of fixed positions to
// a fixed depth, or the tactical suite. It always has a searcher of its own
// with one thread and the program's own weights, so that the options do not
// change what it counts.
func (e *Engine) Bench(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "tactics" {
		return runTactics(ctx, args[1:], out)
	}
	depth := bench.Depth
	if len(args) > 0 {
		wanted, err := strconv.Atoi(args[0])
		if err != nil || wanted < 1 || wanted > search.MaxDepth || len(args) > 1 {
			return fmt.Errorf("bench %q: %s", args[0], benchUsage)
		}
		depth = wanted
	}
	_, err := bench.Run(ctx, alphabeta.New(bench.HashMebibytes), depth, out)
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
	_, err = tactics.Run(ctx, alphabeta.New(tacticsHash), problems, tactics.Within(limit), os.Stderr, out)
	return err
}
