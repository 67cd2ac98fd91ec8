package search_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/openings"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/internal/searchtest"
)

// TestLimitedRepeats checks that turns are legal with a line that begins with them, that
// a seed gives the same turn again, and that no more nodes than asked for are visited.
func TestLimitedRepeats(t *testing.T) {
	all := searchtest.GamePositions(4)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for i := 0; i < len(all); i += 29 {
			p, elo := all[i], i*31%1900
			weak := search.LimitStrength(s, elo, 7)
			choose := func() search.Outcome {
				s.NewGame()
				out := weak.Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
				out.Info.Time = 0
				return out
			}
			first := choose()
			if !p.Legal(first.Best) || first.Info.PV[0] != first.Best {
				t.Fatalf("%v: Elo %d: turn %v with the line %v", &p, elo, first.Best, first.Info.PV)
			}
			searchtest.CheckLine(t, p, first.Info.PV)
			if diff := cmp.Diff(first, choose()); diff != "" {
				t.Fatalf("%v: Elo %d, the second time:\n%s", &p, elo, diff)
			}
		}
	})
}

// TestLimitedWaits checks that a limited search does nothing on the opponent's time, does
// its own work after the hit, and ends when it is stopped before.
func TestLimitedWaits(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, elo := range []int{0, 1000, 1600} {
			weak := search.LimitStrength(s, elo, 1)
			s.NewGame()
			want := weak.Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
			for _, hit := range []bool{true, false} {
				ctx, stop := context.WithCancel(context.Background())
				ponder, done := make(chan struct{}), make(chan search.Outcome)
				s.NewGame()
				go func() { done <- weak.Search(ctx, p, search.Limits{Ponder: ponder}, searchtest.Ignore) }()
				select {
				case out := <-done:
					t.Fatalf("Elo %d: %v on the opponent's time", elo, out.Best)
				default:
				}
				if hit {
					close(ponder)
				} else {
					stop()
				}
				out := <-done
				stop()
				if !p.Legal(out.Best) || hit && (out.Best != want.Best || out.Info.Nodes != want.Info.Nodes) {
					t.Errorf("Elo %d, hit %t: %v after %d nodes, want %v after %d", elo, hit, out.Best, out.Info.Nodes, want.Best, want.Info.Nodes)
				}
			}
		}
	})
}

// TestLimitedAnswersMate checks that a question for a win is answered in full.
func TestLimitedAnswersMate(t *testing.T) {
	p := searchtest.Parse(t, searchtest.MateIn1)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		out := search.LimitStrength(s, 0, 1).Search(context.Background(), p, search.Limits{Mate: 3}, searchtest.Ignore)
		if plies, proven := out.Info.Score.Mate(); !proven || plies != 1 {
			t.Errorf("score %v of a win in one turn", out.Info.Score)
		}
	})
}

// TestLowestRatingIsRandom checks that the lowest rating plays all turns of a position,
// about as often as chance does.
func TestLowestRatingIsRandom(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	s := alphabeta.New(1)
	defer s.Close()
	turns, draws := p.Count(), 0
	seen := map[position.Turn]int{}
	for ; draws < 6*turns; draws++ {
		out := search.LimitStrength(s, search.LeastElo, uint64(draws)).Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
		seen[out.Best]++
	}
	if len(seen) < turns*98/100 { // one in 400 is left out by chance
		t.Errorf("%d of %d turns in %d draws", len(seen), turns, draws)
	}
	for turn, n := range seen {
		if n > 25 {
			t.Errorf("%v was drawn %d times of %d, with %d turns", turn, n, draws, turns)
		}
	}
}

// TestRatingsDiffer plays ratings far apart against each other: the higher one wins.
func TestRatingsDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("whole games")
	}
	recipe := openings.Default
	recipe.Bound = 0
	generator, err := openings.NewGenerator(recipe)
	if err != nil {
		t.Fatal(err)
	}
	for _, ratings := range [][2]int{{0, 600}, {500, 1100}, {1000, 1600}} {
		points, games := 0, 24
		for game := range games {
			opening, err := generator.Opening(game / 2)
			if err != nil {
				t.Fatal(err)
			}
			p, err := opening.End()
			if err != nil {
				t.Fatal(err)
			}
			high := position.Side(game % 2)
			points += playRated(p, ratings, high, uint64(game))
		}
		if points < games*3/2 { // 97% of 2 points a game are expected
			t.Errorf("%d made %d half points in %d games against %d", ratings[1], points, games, ratings[0])
		}
	}
}

// playRated plays a game between two ratings, of which the higher has a side, and returns
// the half points of that one.
func playRated(p position.Position, ratings [2]int, high position.Side, seed uint64) int {
	searchers := [2]search.Searcher{alphabeta.New(1), alphabeta.New(1)}
	for i := range searchers {
		defer searchers[i].Close()
		searchers[i] = search.LimitStrength(searchers[i], ratings[i], seed)
	}
	for !p.Over() {
		at := 0
		if p.SideToMove() == high {
			at = 1
		}
		out := searchers[at].Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
		var child position.Position
		p.Play(&child, out.Best)
		p = child
	}
	switch p.Result() {
	case position.WhiteWins + position.Result(high):
		return 2
	case position.Draw:
		return 1
	}
	return 0
}
