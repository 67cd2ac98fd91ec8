package session_test

import (
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
		searcher := alphabeta.New(4)
		defer searcher.Close()
		searchers[side] = searcher
		if elo := calibrated[level].elo; elo > 0 {
			searchers[side] = strength.Limit(searcher, elo, seed)
		}
	}
	positions, turns := []position.Position{p}, []position.Turn(nil)
	for !p.Over() {
		out := searchers[p.SideToMove()].Search(t.Context(), p, search.Limits{Nodes: *playNodes}, func(search.Info) {})
		turns = append(turns, out.Best)
		p = p.After(out.Best)
		positions = append(positions, p)
	}
	r := review.New(positions, turns)
	look := func(plies []int, nodes uint64) {
		for _, ply := range plies {
			judge.NewGame()
			var last protocol.Info
			judge.Search(t.Context(), positions[ply], search.Limits{Nodes: nodes}, func(i protocol.Info) { last = i })
			r.Judge(ply, review.Judgement{Score: last.Score, Line: last.PV})
		}
	}
	all := make([]int, len(turns)) // without the end
	for ply := range all {
		all[ply] = ply
	}
	look(all, *reviewNodes)
	look(r.Doubtful(review.DeeperTurns), review.DeeperBy**reviewNodes)
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
