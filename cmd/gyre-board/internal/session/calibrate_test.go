package session_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gyre/bench/review"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/strength"
)

// calibrate plays games between the page's levels and reviews them as the page does:
//
//	go test ./cmd/gyre-board/internal/session -run Calibrate -v -timeout 0 -calibrate 100
var (
	shares      = flag.Int("shares", 0, "play `N` games of random turns against Strong and of Strong against itself, and print the shares of labels")
	calibrate   = flag.Int("calibrate", 0, "play `N` games for each pair of levels, and print their accuracies")
	reviewNodes = flag.Uint64("nodes", 20_000, "nodes for each position of a reviewed game")
	playNodes   = flag.Uint64("playnodes", 20_000, "nodes for each turn, of full strength and at most of the other levels")
)

// calibrated are the page's levels by rating. Full strength, the last one, has a limit of nodes.
var calibrated = [...]struct {
	name string
	elo  int
}{
	{"Beginner", 200}, {"Novice", 500}, {"Casual", 800}, {"Club", 1200}, {"Strong", 1700}, {"Expert", 2300}, {"Full strength", 0},
}

const (
	openingTurns = 4 // random turns at the start of each game, which are not reviewed
)

// TestCalibrate prints, every ten rounds, the mean accuracy of each level in games against its own and the next
// level, and against full strength.
func TestCalibrate(t *testing.T) {
	if *calibrate == 0 {
		t.Skip("it only measures: -calibrate 100")
	}
	judge := engine.New()
	defer func() { _ = judge.Close() }()
	full := len(calibrated) - 1
	var near, strong [len(calibrated)]sample
	for game := range *calibrate {
		for level := range calibrated {
			opponents := []int{level}
			if level < full {
				opponents = append(opponents, level+1)
			}
			if level+1 < full {
				opponents = append(opponents, full)
			}
			for i, other := range opponents {
				players := [2]int{level, other}
				if game%2 == 1 {
					players = [2]int{other, level}
				}
				seed := uint64(1000*game + 10*level + other)
				for side, summary := range playAndReview(t, judge, players, seed).Summaries() {
					switch {
					case i < 2:
						near[players[side]].add(summary.Accuracy)
					case players[side] == level:
						strong[level].add(summary.Accuracy)
					}
				}
			}
		}
		if done := game + 1; done%10 == 0 || done == *calibrate {
			t.Logf("%d of %d rounds\n%-14s %-24s %s", done, *calibrate, "level", "near its own level", "against full strength")
			for level, l := range calibrated {
				t.Logf("%-14s %-24v %v", l.name, near[level], strong[level])
			}
		}
	}
}

// randomTurns stands for a player of random turns instead of a level.
const randomTurns = -1

// TestShares prints which share of the turns a review calls inaccuracies, mistakes and blunders:
//
//	go test ./cmd/gyre-board/internal/session -run Shares -v -timeout 0 -shares 10
func TestShares(t *testing.T) {
	if *shares == 0 {
		t.Skip("it only measures: -shares 10")
	}
	judge := engine.New()
	defer func() { _ = judge.Close() }()
	const strong = 4 // of calibrated
	for _, opponent := range []int{randomTurns, strong} {
		var sums [2]review.Summary // of Strong and its opponent
		for game := range *shares {
			players := [2]int{strong, opponent}
			if game%2 == 0 {
				players = [2]int{opponent, strong}
			}
			for side, s := range playAndReview(t, judge, players, uint64(7000+game)).Summaries() {
				sum := &sums[(side+game+1)%2]
				sum.Turns += s.Turns
				sum.Inaccuracies += s.Inaccuracies
				sum.Mistakes += s.Mistakes
				sum.Blunders += s.Blunders
			}
		}
		for i, s := range sums {
			share := func(n int) float64 { return 100 * float64(n) / float64(s.Turns) }
			t.Logf("opponent %d, player %d: %d turns, %.1f%% inaccuracies, %.1f%% mistakes, %.1f%% blunders",
				opponent, i, s.Turns, share(s.Inaccuracies), share(s.Mistakes), share(s.Blunders))
		}
	}
}

// playAndReview plays a game between two levels and reviews it.
func playAndReview(t *testing.T, judge *engine.Engine, players [2]int, seed uint64) *review.Review {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	p := position.Start(position.Standard)
	for range openingTurns {
		turns := p.Turns(nil)
		p = p.After(turns[random.IntN(len(turns))])
	}
	var searchers [2]search.Searcher
	for side, level := range players {
		if level == randomTurns {
			continue
		}
		searcher := alphabeta.New(4)
		defer searcher.Close()
		searchers[side] = searcher
		if elo := calibrated[level].elo; elo > 0 {
			searchers[side] = strength.Limit(searcher, elo, seed)
		}
	}
	positions, turns := []position.Position{p}, []position.Turn(nil)
	for !p.Over() {
		var turn position.Turn
		if searcher := searchers[p.SideToMove()]; searcher != nil {
			turn = searcher.Search(t.Context(), p, search.Limits{Nodes: *playNodes}, func(search.Info) {}).Best
		} else {
			legal := p.Turns(nil)
			turn = legal[random.IntN(len(legal))]
		}
		turns = append(turns, turn)
		p = p.After(turn)
		positions = append(positions, p)
	}
	r := review.New(positions, turns)
	look := func(ctx context.Context, task review.Task) (review.Judgement, error) {
		judge.NewGame()
		var last protocol.Info
		judge.Search(ctx, positions[task.Ply], task.Limits(), func(i protocol.Info) { last = i })
		return review.Judgement{Score: last.Score, Line: last.PV}, ctx.Err()
	}
	if err := r.Run(t.Context(), *reviewNodes, []review.Judge{look}, func(float64, []review.Verdict) {}); err != nil {
		t.Fatal(err)
	}
	return r
}

// sample accumulates values.
type sample struct {
	count        int
	sum, squares float64
}

func (s *sample) add(value float64) {
	s.count++
	s.sum += value
	s.squares += value * value
}

// String returns the mean with its standard error, and the number of values.
func (s sample) String() string {
	if s.count == 0 {
		return "-"
	}
	n := float64(s.count)
	mean := s.sum / n
	return fmt.Sprintf("%.1f ± %.1f (%d)", mean, math.Sqrt(max(s.squares/n-mean*mean, 0)/n), s.count)
}
