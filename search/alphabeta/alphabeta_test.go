package alphabeta

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestBeatsRandom plays the searcher with 2,000 nodes a turn against uniformly
// random turns, each side 50 times, or a few in short. It has to win them all.
func TestBeatsRandom(t *testing.T) {
	games := 100
	if testing.Short() {
		games = 10
	}
	rng := rand.New(rand.NewPCG(20, 26))
	s := New(4)
	for game := range games {
		us := position.Side(game & 1)
		s.NewGame()
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			turn := turns[rng.IntN(len(turns))]
			if p.SideToMove() == us {
				turn = s.Search(context.Background(), p, search.Limits{Nodes: 2000}, func(search.Info) {}).Best
			}
			var child position.Position
			p.Play(&child, turn)
			p = child
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}

// TestSearchRepeats checks that equal searches of one thread do the same work,
// also after other games.
func TestSearchRepeats(t *testing.T) {
	all := searchtest.GamePositions(3)
	s := New(1)
	run := func() (lines []search.Info) {
		for i := 5; i < len(all); i += 20 {
			s.NewGame()
			s.Search(context.Background(), all[i], search.Limits{Depth: 5}, func(info search.Info) {
				info.Time = 0
				lines = append(lines, info)
			})
		}
		return lines
	}
	first := run()
	if diff := cmp.Diff(first, run()); diff != "" {
		t.Errorf("the second time:\n%s", diff)
	}
}

// TestLinesAreLegal checks that the principal variations can be played, and
// that a proven end is one.
func TestLinesAreLegal(t *testing.T) {
	s, games := New(1), 12
	if testing.Short() {
		games = 3
	}
	for i, p := range searchtest.GamePositions(games) {
		if i%9 != 0 {
			continue
		}
		s.Search(context.Background(), p, search.Limits{Depth: 5, MultiPV: 3}, func(info search.Info) {
			now := p
			for _, turn := range info.PV {
				if !now.Legal(turn) {
					t.Fatalf("%v: %v in %v is not legal", &p, turn, info.PV)
				}
				var child position.Position
				now.Play(&child, turn)
				now = child
			}
			if plies, proven := info.Score.Mate(); proven && len(info.PV) == max(plies, -plies) && !now.Over() {
				t.Fatalf("%v: the game is not over after %v", &p, info.PV)
			}
		})
	}
}

// BenchmarkSearch gives the nodes a second of one thread in a middle game.
func BenchmarkSearch(b *testing.B) {
	p, err := position.Parse("4/1w3b1/1W5b/2Bw3Bb/1wwb1b1B1B/5b2W/2bww2B1b/2WwW1W2/b3ww2/7/4 w 0-0", position.Standard)
	if err != nil {
		b.Fatal(err)
	}
	s := New(256)
	nodes := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s.NewGame()
		b.StartTimer()
		nodes += s.Search(context.Background(), p, search.Limits{Depth: 9}, func(search.Info) {}).Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
