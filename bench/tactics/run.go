package tactics

import (
	"context"
	"io"
	"slices"
	"time"

	"gyre/position"
	"gyre/search"
)

// Searcher is what a run needs of a searcher. Search blocks until it has an
// answer and reports as it goes, from one goroutine; NewGame forgets all that
// was learned.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Within returns the limits of a search of so much time.
func Within(time time.Duration) search.Limits { return search.Limits{MoveTime: &time} }

// Result is how a searcher did at a problem.
type Result struct {
	Problem *Problem
	Best    position.Turn // its answer
	Solved  bool          // Best is one of the winning turns
	Time    time.Duration // to solution: since when it has held on to a winning turn. 0 if not solved
}

// Run gives each problem to the searcher, with an empty memory and within the
// limits, and writes a summary to out. A problem ends early once its win is
// proven. Progress goes to progress unless that is nil: a single line written
// anew if it is a terminal, else a line a problem.
//
// The results come in the order of the problems. They are those so far, with
// the context's error, if the context ends the run.
func Run(ctx context.Context, searcher Searcher, problems []Problem, limits search.Limits, progress, out io.Writer) ([]Result, error) {
	meter := newMeter(progress, len(problems))
	results := make([]Result, 0, len(problems))
	for i := range problems {
		r := solve(ctx, searcher, &problems[i], limits)
		if ctx.Err() != nil {
			break
		}
		results = append(results, r)
		meter.add(&r)
	}
	meter.end()
	if err := writeSummary(out, results); err != nil {
		return results, err
	}
	return results, ctx.Err()
}

// solve gives one problem to the searcher.
func solve(ctx context.Context, searcher Searcher, problem *Problem, limits search.Limits) Result {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	searcher.NewGame()
	w := watch{problem: problem}
	began := time.Now()
	outcome := searcher.Search(ctx, problem.Position, limits, func(info search.Info) {
		if w.see(&info) {
			cancel()
		}
	})
	result := Result{Problem: problem, Best: outcome.Best, Solved: slices.Contains(problem.Winning, outcome.Best)}
	switch {
	case result.Solved && w.right:
		result.Time = w.since
	case result.Solved: // no report spoke of the turn
		result.Time = time.Since(began)
	}
	return result
}
