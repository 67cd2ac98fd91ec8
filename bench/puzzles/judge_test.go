package puzzles

import (
	"context"
	"slices"
	"testing"

	"gyre/position"
	"gyre/search"
)

// oracle is a scripted searcher. It reports a list of scores, one per iteration, until the
// search is canceled.
type oracle struct {
	search.Searcher
	rightTurn     position.Turn
	right, others []search.Score // if the right turn is among the searched turns, and if not
}

// NewGameFor does nothing: there is no state.
func (*oracle) NewGameFor(uint64) {}

// Search reports the scripted scores.
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

// TestRecheck checks by how many thousandths the right turn leads for given scores.
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
		{"the right turn is worse", []search.Score{score(0.3)}, []search.Score{score(0.9)}, -600},
		{"the last iteration counts", []search.Score{score(0.5), score(0.7)}, []search.Score{score(0.5), lost}, 700},
		{"a proof ends the search", []search.Score{won, score(0.3)}, []search.Score{lost, score(0.9)}, 1000},
	} {
		judge := Judge{&oracle{rightTurn: z.Solution[0], right: test.right, others: test.others}}
		for least, want := range map[int]bool{test.lead - 3: true, test.lead + 3: false} { // 3 for rounding
			wrong, err := judge.Recheck(context.Background(), &z, 1000, least)
			if err != nil {
				t.Fatal(err)
			}
			if holds := wrong == nil; holds != want {
				t.Errorf("%s: holds with margin %d: %v, want %v: %v", test.name, least, holds, want, wrong)
			}
		}
	}
}

// TestRecheckInterrupted cancels a check.
func TestRecheckInterrupted(t *testing.T) {
	z := mustSet(t)[0]
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	judge := Judge{&oracle{rightTurn: z.Solution[0]}}
	if wrong, err := judge.Recheck(ctx, &z, 1000, 1); err != context.Canceled {
		t.Errorf("%v, %v, want %v", wrong, err, context.Canceled)
	}
}
