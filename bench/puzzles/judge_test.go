package puzzles

import (
	"context"
	"slices"
	"testing"

	"gyre/position"
	"gyre/search"
)

// oracle is a searcher that knows what turns promise. It reports the scores of a list, one
// an iteration, until the search is ended.
type oracle struct {
	search.Searcher
	rightTurn     position.Turn
	right, others []search.Score // of turns that have the right one among them, of others
}

// NewGameFor forgets nothing, as there is nothing.
func (*oracle) NewGameFor(uint64) {}

// Search tells what turns promise.
func (o *oracle) Search(ctx context.Context, _ position.Position, limits search.Limits, report func(search.Info)) (out search.Outcome) {
	scores := o.others
	if slices.Contains(limits.SearchTurns, o.rightTurn) {
		scores = o.right
	}
	for i := 0; i < len(scores) && ctx.Err() == nil; i++ {
		out.Best = limits.SearchTurns[0]
		out.Info = search.Info{Depth: i + 1, Score: scores[i], PV: []position.Turn{out.Best}}
		report(out.Info)
	}
	return out
}

// TestRecheck is a table of what the right turn and the others promise, and by how many
// thousandths the right one leads.
func TestRecheck(t *testing.T) {
	z := mustSet(t)[0]
	score := func(share float64) search.Score { return search.ScaleOf(&z.Position).ScoreOf(share) }
	won, lost := search.WinIn(3), search.LossIn(4)
	for _, test := range []struct {
		name          string
		right, others []search.Score
		lead          int
	}{
		{"two shares", []search.Score{score(0.8)}, []search.Score{score(0.45)}, 350},
		{"a win and a share", []search.Score{won}, []search.Score{score(0.75)}, 250},
		{"two wins", []search.Score{won}, []search.Score{won}, 0},
		{"a win and a loss", []search.Score{won}, []search.Score{lost}, 1000},
		{"the worse is right", []search.Score{score(0.3)}, []search.Score{score(0.9)}, -600},
		{"the last iteration tells", []search.Score{score(0.5), score(0.7)}, []search.Score{score(0.5), lost}, 700},
		{"none follows a proof", []search.Score{won, score(0.3)}, []search.Score{lost, score(0.9)}, 1000},
	} {
		judge := Judge{&oracle{rightTurn: z.Solution[0], right: test.right, others: test.others}}
		for least, want := range map[int]bool{test.lead - 3: true, test.lead + 3: false} { // but for rounding
			wrong, err := judge.Recheck(context.Background(), &z, 1000, least)
			if err != nil {
				t.Fatal(err)
			}
			if holds := wrong == nil; holds != want {
				t.Errorf("%s: it holds by %d is %v, want %v: %v", test.name, least, holds, want, wrong)
			}
		}
	}
}

// TestRecheckInterrupted ends a check.
func TestRecheckInterrupted(t *testing.T) {
	z := mustSet(t)[0]
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	judge := Judge{&oracle{rightTurn: z.Solution[0]}}
	if wrong, err := judge.Recheck(ctx, &z, 1000, 1); err != context.Canceled {
		t.Errorf("%v, %v, want %v", wrong, err, context.Canceled)
	}
}
