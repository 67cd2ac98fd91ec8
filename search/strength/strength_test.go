package strength

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/openings"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/internal/searchtest"
	"gyre/search/mcts"
)

// forEachSearcher runs a test for each searcher.
func forEachSearcher(t *testing.T, test func(t *testing.T, s search.Searcher)) {
	t.Run("alpha-beta", func(t *testing.T) { test(t, alphabeta.New(2)) })
	t.Run("mcts", func(t *testing.T) { test(t, mcts.New(2)) })
}

// TestRatingsAscend checks that a higher rating never has more noise or fewer nodes,
// that ratings are clamped, and that the two tables meet.
func TestRatingsAscend(t *testing.T) {
	last := effortOf(MinElo)
	if last.nodes != 0 || last.noise < 100*2*maxCounted {
		t.Errorf("the lowest rating is played with %+v", last)
	}
	for elo := MinElo; elo <= MaxElo; elo++ {
		now := effortOf(elo)
		if now.nodes < last.nodes || now.noise > last.noise || now.nodes > 0 && now.noise > 0 {
			t.Fatalf("Elo %d is played with %+v, %d with %+v", elo, now, elo-1, last)
		}
		last = now
	}
	if effortOf(-5) != effortOf(MinElo) || effortOf(9999) != effortOf(MaxElo) {
		t.Error("a rating beyond the bounds is not clamped")
	}
	if noises[len(noises)-1] != (milestone{nodeCounts[0].elo, 0}) {
		t.Errorf("noise ends at %+v, nodes begin at %+v", noises[len(noises)-1], nodeCounts[0])
	}
}

// TestSkillChooses checks the average choice among lines: worse at lower levels, and
// never a clear loss at a high one.
func TestSkillChooses(t *testing.T) {
	var lines []search.Info
	for _, score := range []search.Score{150, 140, 120, 60, -100, 4 - search.Win} {
		lines = append(lines, search.Info{Score: score})
	}
	last := 0.0
	for level := FullSkill - 1; level >= 0; level-- {
		w := &weakened{level: level}
		rng := rand.New(rand.NewPCG(3, uint64(level)))
		loss, draws := 0.0, 4000
		for range draws {
			chosen := w.choose(lines, rng)
			loss += min(float64(lines[0].Score-chosen.Score), maxLoss)
			if chosen.Score < 0 && level >= FullSkill/2 {
				t.Fatalf("level %d chose the line of score %d", level, chosen.Score)
			}
		}
		if loss /= float64(draws); loss < last-2 {
			t.Errorf("level %d loses %.1f a turn, the level above %.1f", level, loss, last)
		}
		last = loss
	}
	if last < 50 {
		t.Errorf("level 0 loses %.1f a turn, want 50 or more", last)
	}
}

// TestFullSkill checks that Weaken returns the searcher itself at the full level.
func TestFullSkill(t *testing.T) {
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		if Weaken(s, FullSkill, 1) != s {
			t.Error("the full level is another searcher")
		}
	})
}

// TestSkillRepeats checks that turns are legal and start their lines, and that the
// same position always gets the same turn.
func TestSkillRepeats(t *testing.T) {
	all := searchtest.GamePositions(4)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for i := 0; i < len(all); i += 23 {
			p, level := all[i], i%FullSkill
			weak := Weaken(s, level, 7)
			first := weak.Search(context.Background(), p, search.Limits{Nodes: 500}, searchtest.Ignore)
			if !p.Legal(first.Best) || first.Info.PV[0] != first.Best {
				t.Fatalf("%v: level %d: turn %v with the line %v", &p, level, first.Best, first.Info.PV)
			}
			searchtest.CheckLine(t, p, first.Info.PV)
			s.Search(context.Background(), p, search.Limits{Nodes: 900}, searchtest.Ignore)
			again := weak.Search(context.Background(), p, search.Limits{Nodes: 500}, searchtest.Ignore)
			first.Info.Time, again.Info.Time = 0, 0
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("%v: level %d, the second time:\n%s", &p, level, diff)
			}
		}
	})
}

// slowClearer is a searcher that takes clearing to clear its table. It records how much it
// cleared, and the limits of the search.
type slowClearer struct {
	search.Searcher
	clearing time.Duration
	cleared  uint64
	limits   search.Limits
}

func (s *slowClearer) NewGame() { s.NewGameFor(math.MaxUint64) }

func (s *slowClearer) NewGameFor(nodes uint64) {
	time.Sleep(s.clearing)
	s.cleared = nodes
}

func (s *slowClearer) Search(_ context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome {
	s.limits = limits
	report(search.Info{Depth: 1, MultiPV: 1, Time: time.Millisecond, PV: root.Turns(nil)[:1]})
	return search.Outcome{}
}

// TestClearingTakesTime checks that the time to clear the table counts as time of the
// search, and that no more of the table is cleared than the search needs.
func TestClearingTakesTime(t *testing.T) {
	const ms = time.Millisecond
	clocks := func(white, black time.Duration) [2]search.Clock {
		return [2]search.Clock{position.White: {Left: white}, position.Black: {Left: black}}
	}
	hit := make(chan struct{})
	close(hit)
	root := position.Start(position.Standard)
	for _, c := range []struct {
		name        string
		given, want search.Limits
		shown       time.Duration
		most        uint64
	}{
		{"no limit", search.Limits{}, search.Limits{}, 51 * ms, 1 << 30},
		{"a time for the turn", search.Limits{MoveTime: 200 * ms}, search.Limits{MoveTime: 150 * ms}, 51 * ms, 2_000_000},
		{"less time than clearing takes", search.Limits{MoveTime: 20 * ms}, search.Limits{MoveTime: 1}, 51 * ms, 200_000},
		{"a clock", search.Limits{Clock: clocks(90*ms, 70*ms)}, search.Limits{Clock: clocks(40*ms, 70*ms)}, 51 * ms, 900_000},
		{"a clock of nodes", search.Limits{MoveTime: 200 * ms, NodesTime: 1}, search.Limits{MoveTime: 200 * ms, NodesTime: 1}, ms, leastNodes},
		{"nodes", search.Limits{Nodes: 200_000}, search.Limits{Nodes: 200_000}, 51 * ms, 200_000},
		{"pondering", search.Limits{MoveTime: 200 * ms, Ponder: true}, search.Limits{MoveTime: 200 * ms, Ponder: true}, 51 * ms, 1 << 30},
		{"after ponderhit", search.Limits{MoveTime: 200 * ms, Ponder: true, PonderHit: hit},
			search.Limits{MoveTime: 150 * ms, Ponder: true, PonderHit: hit}, 51 * ms, 1 << 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &slowClearer{clearing: 50 * ms}
				var shown time.Duration
				Weaken(s, FullSkill-1, 1).Search(context.Background(), root, c.given, func(i search.Info) { shown = i.Time })
				s.limits.Depth, s.limits.MultiPV = 0, 0
				if diff := cmp.Diff(c.want, s.limits, cmp.Comparer(func(a, b <-chan struct{}) bool { return a == b })); diff != "" {
					t.Errorf("limits of the search (-want +got):\n%s", diff)
				}
				if shown != c.shown || s.cleared > c.most {
					t.Errorf("info shows %v, want %v; cleared for %d nodes, want at most %d", shown, c.shown, s.cleared, c.most)
				}
				Limit(s, 1000, 1).Search(context.Background(), root, search.Limits{}, searchtest.Ignore)
				if s.cleared > leastNodes {
					t.Errorf("a level one turn deep clears for %d nodes, want at most %d", s.cleared, leastNodes)
				}
			})
		})
	}
}

// TestSkillWinsAtOnce checks that every level plays a win in one turn, with any
// limit.
func TestSkillWinsAtOnce(t *testing.T) {
	p := searchtest.Parse(t, searchtest.MateIn1)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for level := range FullSkill {
			for nodes := range uint64(3) { // 0 is no limit
				out := Weaken(s, level, nodes).Search(context.Background(), p, search.Limits{Nodes: nodes}, searchtest.Ignore)
				if child := p.After(out.Best); child.Result() != position.WhiteWins {
					t.Errorf("level %d, %d nodes: %v does not win", level, nodes, out.Best)
				}
			}
		}
	})
}

// TestSkillReports checks the number of lines reported, and that a mate search runs
// at full strength.
func TestSkillReports(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for asked, want := range map[int]int{0: 1, 1: 1, 3: 3, 20: 20} {
			lines := 0
			Weaken(s, 0, 1).Search(context.Background(), p, search.Limits{MultiPV: asked}, func(i search.Info) { lines = max(lines, i.MultiPV) })
			if lines != want {
				t.Errorf("%d lines reported with %d asked for, want %d", lines, asked, want)
			}
		}
		win := searchtest.Parse(t, searchtest.MateIn1)
		out := Weaken(s, 0, 1).Search(context.Background(), win, search.Limits{Mate: 3}, searchtest.Ignore)
		if plies, proven := out.Info.Score.Mate(); !proven || plies != 1 {
			t.Errorf("score %v, want a win in one turn", out.Info.Score)
		}
	})
}

// TestSkillOrder plays levels of skill against each other and random turns at blitz:
// each must win most games against the one below.
func TestSkillOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of games")
	}
	rng := rand.New(rand.NewPCG(20, 27))
	random := func(p position.Position) position.Turn {
		turns := p.Turns(nil)
		return turns[rng.IntN(len(turns))]
	}
	level := func(level int) func(position.Position) position.Turn {
		s := Weaken(alphabeta.New(1), level, 5)
		return func(p position.Position) position.Turn {
			return s.Search(context.Background(), p, search.Limits{Nodes: 1000}, searchtest.Ignore).Best
		}
	}
	for _, c := range []struct {
		name            string
		stronger, other func(position.Position) position.Turn
	}{
		{"level 0 against random turns", level(0), random},
		{"level 3 against level 0", level(3), level(0)},
		{"level 10 against level 3", level(10), level(3)},
		{"full strength against level 10", level(FullSkill), level(10)},
		{"full strength against level 0", level(FullSkill), level(0)},
	} {
		const games, enough = 16, 11
		won := 0
		for game := range games {
			if us := position.Side(game & 1); beats(c.stronger, c.other, us, game) {
				won++
			}
		}
		if won < enough {
			t.Errorf("%s: won %d of %d, want %d", c.name, won, games, enough)
		}
	}
}

// beats plays a blitz game from a numbered opening, and reports whether the player of
// side us wins it.
func beats(player, other func(position.Position) position.Turn, us position.Side, game int) bool {
	rng := rand.New(rand.NewPCG(1, uint64(game/2)))
	p := position.Start(position.Blitz)
	for ply := 0; !p.Over(); ply++ {
		turn := position.None
		switch turns := p.Turns(nil); {
		case ply < 4:
			turn = turns[rng.IntN(len(turns))]
		case p.SideToMove() == us:
			turn = player(p)
		default:
			turn = other(p)
		}
		p = p.After(turn)
	}
	return p.Result() == position.WhiteWins+position.Result(us)
}

// TestLimitedRepeats checks that turns are legal and start their lines, that the same
// seed repeats a turn, and that limits on nodes hold.
func TestLimitedRepeats(t *testing.T) {
	all := searchtest.GamePositions(4)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for i := 0; i < len(all); i += 29 {
			p, elo := all[i], i*31%1900
			weak := Limit(s, elo, 7)
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

// TestLimitedWaits checks that a limited search does nothing while pondering,
// searches after ponderhit, and ends when it is stopped before.
func TestLimitedWaits(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		for _, elo := range []int{0, 1000, 1600} {
			weak := Limit(s, elo, 1)
			s.NewGame()
			want := weak.Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
			for _, hit := range []bool{true, false} {
				synctest.Test(t, func(t *testing.T) {
					ctx, stop := context.WithCancel(context.Background())
					defer stop()
					ponder, done := make(chan struct{}), make(chan search.Outcome, 1)
					s.NewGame()
					go func() { done <- weak.Search(ctx, p, search.Limits{Ponder: true, PonderHit: ponder}, searchtest.Ignore) }()
					synctest.Wait()
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
					if !p.Legal(out.Best) || hit && (out.Best != want.Best || out.Info.Nodes != want.Info.Nodes) {
						t.Errorf("Elo %d, hit %t: %v after %d nodes, want %v after %d", elo, hit, out.Best, out.Info.Nodes, want.Best, want.Info.Nodes)
					}
				})
			}
		}
	})
}

// TestLimitedAnswersMate checks that a mate search runs at full strength.
func TestLimitedAnswersMate(t *testing.T) {
	p := searchtest.Parse(t, searchtest.MateIn1)
	forEachSearcher(t, func(t *testing.T, s search.Searcher) {
		out := Limit(s, 0, 1).Search(context.Background(), p, search.Limits{Mate: 3}, searchtest.Ignore)
		if plies, proven := out.Info.Score.Mate(); !proven || plies != 1 {
			t.Errorf("score %v of a win in one turn", out.Info.Score)
		}
	})
}

// TestLowestRatingIsRandom checks that the lowest rating plays all turns of a
// position about equally often.
func TestLowestRatingIsRandom(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	s := alphabeta.New(1)
	defer s.Close()
	turns, draws := p.Count(), 0
	seen := map[position.Turn]int{}
	for ; draws < 6*turns; draws++ {
		out := Limit(s, MinElo, uint64(draws)).Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
		seen[out.Best]++
	}
	if len(seen) < turns*98/100 { // random play misses one in 400
		t.Errorf("%d of %d turns in %d draws", len(seen), turns, draws)
	}
	for turn, n := range seen {
		if n > 25 {
			t.Errorf("%v was drawn %d times of %d, with %d turns", turn, n, draws, turns)
		}
	}
}

// TestRatingsDiffer plays ratings far apart against each other: the higher one must
// win.
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
		points, games := 0, 16
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
		if points < games*13/8 { // expected: 97% of 2 points a game
			t.Errorf("%d made %d half points in %d games against %d", ratings[1], points, games, ratings[0])
		}
	}
}

// playRated plays a game between two ratings and returns the half points of the
// higher one, which plays the side high.
func playRated(p position.Position, ratings [2]int, high position.Side, seed uint64) int {
	searchers := [2]search.Searcher{alphabeta.New(1), alphabeta.New(1)}
	for i := range searchers {
		defer searchers[i].Close()
		searchers[i] = Limit(searchers[i], ratings[i], seed)
	}
	for !p.Over() {
		at := 0
		if p.SideToMove() == high {
			at = 1
		}
		out := searchers[at].Search(context.Background(), p, search.Limits{}, searchtest.Ignore)
		p = p.After(out.Best)
	}
	switch p.Result() {
	case position.WhiteWins + position.Result(high):
		return 2
	case position.Draw:
		return 1
	}
	return 0
}

// TestNodesTo checks that nodesTo is close to the nodes that searches of the levels visit: no fewer
// than most visit, for a table that keeps what it learns, and not many more, for one that is cleared soon.
func TestNodesTo(t *testing.T) {
	var positions []position.Position
	for i, p := range searchtest.GamePositions(12) {
		if i%122 == 7 {
			positions = append(positions, p)
		}
	}
	s := alphabeta.New(16)
	defer s.Close()
	for level := 0; level <= 10; level += 2 {
		w := &weakened{level: level}
		var nodes []uint64
		for _, p := range positions {
			s.NewGame()
			out := s.Search(context.Background(), p, search.Limits{Depth: w.depth(0), MultiPV: w.lines()}, searchtest.Ignore)
			nodes = append(nodes, out.Info.Nodes)
		}
		slices.Sort(nodes)
		most := nodes[(len(nodes)-1)*9/10]
		if guess := nodesTo(w.depth(0)); guess < most || guess > 8*most {
			t.Errorf("level %d, depth %d: %d nodes, but %d were enough for nine of ten searches", level, w.depth(0), guess, most)
		}
	}
}
