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
	shares      = flag.Int("shares", 0, "play `N` games of random turns against Strong, and of Strong and full strength against themselves, and print the shares of labels")
	calibrate   = flag.Int("calibrate", 0, "play `N` games for each pair of levels, and print their accuracies")
	reviewNodes = flag.Uint64("nodes", 20_000, "nodes for each position of a reviewed game")
	confirm     = flag.Uint64("confirm", 0, "with -shares: search both turns of each label again with `NODES` each, and count the labels that stay")
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

// TestShares prints which share of the turns a review calls inaccuracies, mistakes and blunders. With
// -confirm, it also prints how many of these labels a longer search of both turns gives as well: the
// others are errors of the review. Strong looks only some hundred nodes ahead and does lose chances.
// Full strength searches as many nodes as the review, or those of -playnodes.
//
//	go test ./cmd/gyre-board/internal/session -run Shares -v -timeout 0 -shares 10 -confirm 880000
func TestShares(t *testing.T) {
	if *shares == 0 {
		t.Skip("it only measures: -shares 10")
	}
	judge := engine.New()
	defer func() { _ = judge.Close() }()
	const strong, full = 4, len(calibrated) - 1
	for _, pair := range [][2]int{{strong, randomTurns}, {strong, strong}, {full, full}} {
		t.Run(playerName(pair[0])+" against "+playerName(pair[1]), func(t *testing.T) {
			var sums [2]review.Summary // of the players of the pair
			var confirmed [2]int
			for game := range *shares {
				first := (game + 1) % 2 // the player of the pair that plays White
				reviewed := playAndReview(t, judge, [2]int{pair[first], pair[1-first]}, uint64(7000+game))
				for side, s := range reviewed.Summaries() {
					sum := &sums[side^first]
					sum.Turns += s.Turns
					sum.Inaccuracies += s.Inaccuracies
					sum.Mistakes += s.Mistakes
					sum.Blunders += s.Blunders
				}
				if *confirm == 0 {
					continue
				}
				for _, v := range reviewed.Verdicts() {
					if v.Label != review.Fine && reviewed.confirms(t, judge, v) {
						confirmed[int(v.Side)^first]++
					}
				}
			}
			for i, s := range sums {
				share := func(n int) float64 { return 100 * float64(n) / float64(s.Turns) }
				labels := s.Inaccuracies + s.Mistakes + s.Blunders
				text := fmt.Sprintf("%s: %d turns, %.1f%% with a label: %.1f%% inaccuracies, %.1f%% mistakes, %.1f%% blunders",
					playerName(pair[i]), s.Turns, share(labels), share(s.Inaccuracies), share(s.Mistakes), share(s.Blunders))
				if *confirm > 0 {
					text += fmt.Sprintf("; %d of %d labels confirmed", confirmed[i], labels)
				}
				t.Log(text)
			}
		})
	}
}

// playerName returns the name of a level or of randomTurns.
func playerName(level int) string {
	if level == randomTurns {
		return "random turns"
	}
	return calibrated[level].name
}

// reviewedGame is a game with its review.
type reviewedGame struct {
	*review.Review
	positions []position.Position
}

// confirms reports whether a longer search of both turns of a labeled verdict gives it a label too.
func (g *reviewedGame) confirms(t *testing.T, judge *engine.Engine, v review.Verdict) bool {
	t.Helper()
	var scores [2]protocol.Score
	for i, turn := range []position.Turn{v.Best[0], v.Turn} {
		task := review.Task{Ply: v.Ply - 1, Nodes: *confirm, Turn: turn}
		scores[i] = ask(t.Context(), judge, g.positions, task).Score
	}
	lost := review.Lost(scores[0], scores[1])
	t.Logf("turn %d, %s instead of %s: lost %.1f, with longer searches %.1f", v.Ply, v.Turn, v.Best[0], v.Lost, lost)
	return review.LabelOf(lost) != review.Fine
}

// ask judges a position. Each search begins a new game.
func ask(ctx context.Context, judge *engine.Engine, positions []position.Position, task review.Task) review.Judgement {
	judge.NewGame()
	var last protocol.Info
	judge.Search(ctx, positions[task.Ply], task.Limits(), func(i protocol.Info) { last = i })
	return review.Judgement{Score: last.Score, Line: last.PV}
}

// playAndReview plays a game between two levels and reviews it.
func playAndReview(t *testing.T, judge *engine.Engine, players [2]int, seed uint64) *reviewedGame {
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
		return ask(ctx, judge, positions, task), ctx.Err()
	}
	if err := r.Run(t.Context(), *reviewNodes, []review.Judge{look}, func(float64, []review.Verdict) {}); err != nil {
		t.Fatal(err)
	}
	return &reviewedGame{r, positions}
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
