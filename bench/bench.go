package bench

import (
	"context"
	"fmt"
	"io"
	"time"

	"gyre/position"
	"gyre/search"
)

// The settings of the default run, which gives the signature. The searcher has
// one thread besides.
const (
	Depth         = 11 // turns
	HashMebibytes = 16 // of the searcher's table
)

// Searcher is what a run needs of a searcher. Search blocks until it has an
// answer and reports as it goes, from one goroutine; NewGame forgets all that
// was learned.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Total is what a run comes to.
type Total struct {
	Nodes uint64 // the signature
	Time  time.Duration
}

// PerSecond returns the speed in nodes a second.
func (t Total) PerSecond() uint64 {
	return uint64(float64(t.Nodes) / max(t.Time.Seconds(), 1e-9))
}

// Run searches every position of the bench to a depth in turns, each with an
// empty memory, and writes a line for each to out and then the total. A
// searcher without chance and with one thread, made anew for the run, always
// visits the same number of nodes. If the context ends the run, its error
// comes back, and the total of what was done.
func Run(ctx context.Context, searcher Searcher, depth int, out io.Writer) (total Total, err error) {
	all, err := Positions()
	if err != nil {
		return total, err
	}
	for i := range all {
		searcher.NewGame()
		nodes := uint64(0)
		began := time.Now()
		outcome := searcher.Search(ctx, all[i].Position, search.Limits{Depth: depth}, func(info search.Info) {
			nodes = max(nodes, info.Nodes)
		})
		total.Time += time.Since(began)
		nodes = max(nodes, outcome.Info.Nodes)
		if ctx.Err() != nil {
			return total, ctx.Err()
		}
		total.Nodes += nodes
		if _, err = fmt.Fprintf(out, "%2d/%d %9d nodes  %-26s %v\n", i+1, len(all), nodes, all[i].Name, outcome.Best); err != nil {
			return total, err
		}
	}
	_, err = fmt.Fprintf(out, "nodes     %d\ntime      %d ms\nnps       %d\nsignature %d\n",
		total.Nodes, total.Time.Milliseconds(), total.PerSecond(), total.Nodes)
	return total, err
}
