package selfplay

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// engine makes scripted searchers.
func engine() Searcher { return &scripted{} }

// run returns the games of a run that nothing ends.
func run(t *testing.T, engine Engine, threads int, first, end uint32) (games []*sample.Game) {
	t.Helper()
	err := Run(context.Background(), quick(position.Standard), engine, threads, first, end, func(some []*sample.Game) error {
		if len(some) == 0 {
			t.Error("no games to keep")
		}
		games = append(games, some...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestThreadsDoNotMatter plays on several threads, and in two parts.
func TestThreadsDoNotMatter(t *testing.T) {
	real := func() Searcher { return alphabeta.New(1) }
	want := run(t, real, 1, 0, 12)
	for _, threads := range []int{2, 5, 20} {
		if diff := cmp.Diff(want, run(t, real, threads, 0, 12)); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
	if diff := cmp.Diff(want, slices.Concat(run(t, real, 2, 0, 5), run(t, real, 2, 5, 12))); diff != "" {
		t.Error(diff)
	}
}

// TestRunInOrder plays many short games on several threads.
func TestRunInOrder(t *testing.T) {
	games := run(t, engine, 8, 100, 400)
	for i, g := range games {
		if g.Number != uint32(100+i) {
			t.Fatalf("game %d comes after %d others", g.Number, i)
		}
	}
	if len(games) != 300 {
		t.Errorf("%d games", len(games))
	}
}

// TestRunEnds ends runs in all ways but by their last game: what was kept
// before has no gaps.
func TestRunEnds(t *testing.T) {
	why := errors.New("enough")
	for _, threads := range []int{1, 8} {
		kept := uint32(0)
		keep := func(games []*sample.Game) error {
			for _, g := range games {
				if g.Number != kept {
					t.Errorf("game %d after %d games", g.Number, kept)
				}
				kept++
			}
			return nil
		}
		full := func(games []*sample.Game) error {
			if err := keep(games); err != nil || kept < 20 {
				return err
			}
			return why
		}
		if err := Run(context.Background(), quick(position.Standard), engine, threads, 0, 1000, full); !errors.Is(err, why) || kept < 20 || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		ctx, cancel := context.WithCancelCause(context.Background())
		var searches atomic.Int64
		counting := func() Searcher {
			return &scripted{score: func(int) search.Score {
				if searches.Add(1) == 3000 {
					cancel(why)
				}
				return 0
			}}
		}
		if err := Run(ctx, quick(position.Standard), counting, threads, 0, 1000, keep); !errors.Is(err, why) || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		bad := quick(position.Standard)
		bad.Bound = 1
		uneven := func() Searcher { return &scripted{score: func(int) search.Score { return 2 }} }
		if err := Run(context.Background(), bad, uneven, threads, 0, 1000, keep); err == nil || kept > 0 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}
	}
}

// TestRunOfNothing has no games to play.
func TestRunOfNothing(t *testing.T) {
	if games := run(t, engine, 2, 5, 5); len(games) > 0 {
		t.Errorf("%d games", len(games))
	}
}
