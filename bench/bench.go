package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/search"
)

// The settings of the default runs, which give the signatures. The searchers have
// one thread besides.
const (
	Depth         = 11   // turns, of alpha-beta
	Visits        = 4000 // of MCTS to a position
	HashMebibytes = 16   // of the searcher's table or tree
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
	Nodes   uint64
	Time    time.Duration
	Answers uint64 // XXH3 of what the searcher answered: turns, scores, chances, variations

	bounded bool // the number of nodes was the limit, and tells nothing
}

// Signature returns what tells two searchers apart: the number of nodes, or where
// that was the limit a hash of the answers.
func (t Total) Signature() string {
	if t.bounded {
		return fmt.Sprintf("%016x", t.Answers)
	}
	return strconv.FormatUint(t.Nodes, 10)
}

// PerSecond returns the speed in nodes a second.
func (t Total) PerSecond() uint64 {
	return uint64(float64(t.Nodes) / max(t.Time.Seconds(), 1e-9))
}

// Run searches every position of the bench within limits, a depth or a number of
// nodes, each with an empty memory, and writes a line for each to out and then the
// total. A searcher without chance and with one thread, made anew for the run,
// always visits the same nodes, on every machine. If the context ends the run, its
// error comes back, and the total of what was done.
func Run(ctx context.Context, searcher Searcher, limits search.Limits, out io.Writer) (total Total, err error) {
	all, err := Positions()
	if err != nil {
		return total, err
	}
	total.bounded = limits.Nodes > 0
	var answers bytes.Buffer
	for i := range all {
		searcher.NewGame()
		nodes := uint64(0)
		began := time.Now()
		outcome := searcher.Search(ctx, all[i].Position, limits, func(info search.Info) {
			nodes = max(nodes, info.Nodes)
		})
		total.Time += time.Since(began)
		nodes = max(nodes, outcome.Info.Nodes)
		if ctx.Err() != nil {
			return total, ctx.Err()
		}
		total.Nodes += nodes
		writeAnswer(&answers, &all[i].Position, outcome)
		if _, err = fmt.Fprintf(out, "%2d/%d %9d nodes  %-26s %v\n", i+1, len(all), nodes, all[i].Name, outcome.Best); err != nil {
			return total, err
		}
	}
	total.Answers = xxh3.Hash(answers.Bytes())
	_, err = fmt.Fprintf(out, "nodes     %d\ntime      %d ms\nnps       %d\nsignature %s\n",
		total.Nodes, total.Time.Milliseconds(), total.PerSecond(), total.Signature())
	return total, err
}

// writeAnswer writes all of an outcome that does not depend on time.
func writeAnswer(w *bytes.Buffer, p *position.Position, o search.Outcome) {
	win, draw, loss := search.ScaleOf(p).WDL(o.Info.Score)
	fmt.Fprintln(w, o.Best, o.Info.Nodes, o.Info.Depth, int(o.Info.Score), win, draw, loss, o.Info.PV)
}
