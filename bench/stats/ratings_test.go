package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustRate(t *testing.T, engines int, encounters []Encounter, prior float64) *Ratings {
	t.Helper()
	r, err := Rate(engines, encounters, prior)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTwoEngines checks that the difference of two engines is the Elo of their score with
// the same interval and LOS.
func TestTwoEngines(t *testing.T) {
	for _, e := range []Encounter{
		{First: 0, Second: 1, Games: Games{Wins: 760, Losses: 890, Draws: 1230}},
		{First: 1, Second: 0, Games: Games{Wins: 1360, Losses: 960, Draws: 1110}},
		{First: 0, Second: 1, Pairs: Pairs{340, 540, 630, 640, 750}},
		{First: 1, Second: 0, Pairs: Pairs{1, 0, 2, 0, 7}},
		{First: 0, Second: 1, Pairs: Pairs{Even: 3}},
		{First: 0, Second: 1, Games: Games{Wins: 17, Losses: 3}},
	} {
		t.Run(fmt.Sprint(e.Games, " ", e.Pairs), func(t *testing.T) {
			c := Counts(e.Games)
			if e.Games.Total() == 0 {
				c = e.Pairs
			}
			r := mustRate(t, 2, []Encounter{e}, DefaultPrior)
			want := Elo(c)
			for name, got := range map[string]Interval{
				"difference": r.Difference(e.First, e.Second),
				"anchored":   r.Anchored(e.First, e.Second, 0),
				"about mean": twice(r.AboutMean(e.First)),
			} {
				checkNear(t, name, got.Value, want.Value, 1e-6)
				checkNear(t, name+", low", got.Low, want.Low, 1e-6)
				checkNear(t, name+", high", got.High, want.High, 1e-6)
			}
			checkNear(t, "LOS", r.LOS(e.First, e.Second), LOS(c), 1e-9)
		})
	}
}

func twice(i Interval) Interval { return Interval{2 * i.Value, 2 * i.Low, 2 * i.High} }

func TestPriorIsAVirtualGame(t *testing.T) {
	r := mustRate(t, 2, []Encounter{{First: 0, Second: 1, Games: Games{Wins: 10}}}, 2)
	d := r.Difference(0, 1)
	checkNear(t, "difference after 10 wins", d.Value, EloOfScore(11.0/12), 1e-9)
	if d.Low < 50 || !math.IsInf(d.High, 1) {
		t.Errorf("after 10 wins: %v, want a lower bound only", d)
	}
}

func TestOneEngineWonAll(t *testing.T) {
	r := mustRate(t, 3, []Encounter{
		{First: 0, Second: 1, Games: Games{Wins: 20}},
		{First: 2, Second: 0, Games: Games{Losses: 20}},
		{First: 1, Second: 2, Games: Games{Wins: 11, Losses: 9}},
	}, DefaultPrior)
	sum := 0.0
	for i := range r.Len() {
		e := r.AboutMean(i)
		sum += e.Value
		if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) || !(e.Low < e.Value && e.Value < e.High) {
			t.Errorf("engine %d: %v", i, e)
		}
	}
	checkNear(t, "sum of the ratings", sum, 0, 1e-9)
	if !(r.AboutMean(0).Value > r.AboutMean(1).Value && r.AboutMean(1).Value > r.AboutMean(2).Value) {
		t.Errorf("order: %v, %v, %v", r.AboutMean(0), r.AboutMean(1), r.AboutMean(2))
	}
}

// TestCycle checks that three engines that beat each other in a cycle are equally strong.
func TestCycle(t *testing.T) {
	r := mustRate(t, 3, []Encounter{
		{First: 0, Second: 1, Games: Games{Wins: 8, Losses: 2}},
		{First: 1, Second: 2, Games: Games{Wins: 8, Losses: 2}},
		{First: 2, Second: 0, Games: Games{Wins: 8, Losses: 2}},
	}, DefaultPrior)
	for i := range r.Len() {
		checkNear(t, "rating", r.AboutMean(i).Value, 0, 1e-9)
		checkNear(t, "error", r.AboutMean(i).Error(), r.AboutMean(0).Error(), 1e-9)
	}
}

func TestAnchor(t *testing.T) {
	r := mustRate(t, 3, []Encounter{
		{First: 0, Second: 1, Games: Games{Wins: 30, Losses: 20, Draws: 5}},
		{First: 1, Second: 2, Games: Games{Wins: 30, Losses: 25, Draws: 5}},
	}, DefaultPrior)
	anchor := r.Anchored(1, 1, 2500)
	checkNear(t, "rating of the anchor", anchor.Value, 2500, 0)
	checkNear(t, "error of the anchor", anchor.Error(), 0, 0)
	for i := range r.Len() {
		got, want := r.Anchored(i, 1, 2500), r.Difference(i, 1)
		checkNear(t, "rating", got.Value-2500, want.Value, 1e-9)
		checkNear(t, "error", got.Error(), want.Error(), 1e-9)
	}
	// In a chain, engine 0 is compared with 2 only through 1, so their variances add up, about.
	width := func(i, j int) float64 { return r.Difference(i, j).Error() }
	checkNear(t, "width along the chain", width(0, 2), math.Hypot(width(0, 1), width(1, 2)), 4)
}

func TestGrouping(t *testing.T) {
	whole := mustRate(t, 2, []Encounter{{First: 0, Second: 1, Games: Games{Wins: 7, Losses: 4, Draws: 2}}}, DefaultPrior)
	parts := mustRate(t, 2, []Encounter{
		{First: 0, Second: 1, Games: Games{Wins: 5, Draws: 2}},
		{First: 1, Second: 0},
		{First: 1, Second: 0, Games: Games{Wins: 4, Losses: 2}},
	}, DefaultPrior)
	checkNear(t, "difference", parts.Difference(0, 1).Value, whole.Difference(0, 1).Value, 1e-9)
	checkNear(t, "error", parts.Difference(0, 1).Error(), whole.Difference(0, 1).Error(), 1e-9)
}

func TestLikelihoodEquations(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const engines = 9
	for range 50 {
		var encounters []Encounter
		for i := range engines - 1 {
			encounters = append(encounters, Encounter{First: i, Second: i + 1, Games: Games{Wins: 1 + random.IntN(1000), Losses: random.IntN(3)}})
			encounters = append(encounters, Encounter{First: i, Second: random.IntN(i+1) + engines - i - 1, Pairs: randomPairs(random)})
		}
		encounters = withoutSelf(encounters)
		r := mustRate(t, engines, encounters, DefaultPrior)
		above := make([]float64, engines)
		games := make([]float64, engines)
		merged, err := merge(engines, encounters)
		if err != nil {
			t.Fatal(err)
		}
		met := make([]int, engines)
		for _, e := range merged {
			met[e.First]++
			met[e.Second]++
		}
		for _, e := range merged {
			virtual := DefaultPrior / float64(max(met[e.First], met[e.Second]))
			n := float64(e.games()) + virtual
			d := e.points() + virtual/2 - n*ScoreOfElo(r.Difference(e.First, e.Second).Value)
			above[e.First] += d
			above[e.Second] -= d
			games[e.First] += n
			games[e.Second] += n
		}
		for i := range above {
			checkNear(t, fmt.Sprintf("points of engine %d above the expected points", i), above[i], 0, 1e-9*games[i])
		}
	}
}

func withoutSelf(encounters []Encounter) []Encounter {
	var kept []Encounter
	for _, e := range encounters {
		if e.First != e.Second {
			kept = append(kept, e)
		}
	}
	return kept
}

// simulated returns a round robin between engines of the given ratings. At most a third of
// the games are drawn, and the scores are as expected.
func simulated(random *rand.Rand, ratings []float64, games int) []Encounter {
	var encounters []Encounter
	for i := range ratings {
		for j := range i {
			p := ScoreOfElo(ratings[i] - ratings[j])
			drawn := 4 * p * (1 - p) / 3
			e := Encounter{First: i, Second: j}
			for range games {
				switch x := random.Float64(); {
				case x < drawn:
					e.Games.Draws++
				case x < p+drawn/2:
					e.Games.Wins++
				default:
					e.Games.Losses++
				}
			}
			encounters = append(encounters, e)
		}
	}
	return encounters
}

func TestRatingsAreRecovered(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	truth := []float64{-230, -90, 0, 20, 110, 190}
	const leagues = 400
	covered := 0
	mean := make([]float64, len(truth))
	for range leagues {
		r := mustRate(t, len(truth), simulated(random, truth, 200), DefaultPrior)
		for i := range truth {
			e := r.AboutMean(i)
			mean[i] += e.Value / leagues
			if e.Low <= truth[i] && truth[i] <= e.High {
				covered++
			}
		}
	}
	for i := range truth {
		checkNear(t, fmt.Sprintf("mean rating of engine %d", i), mean[i], truth[i], 2)
	}
	checkNear(t, "share of intervals with the true rating", float64(covered)/float64(leagues*len(truth)), 0.95, 0.015)
}

// TestWideTournament simulates round robins of engines whose ratings span 1,750 Elo. Every
// interval is finite, and those of 95% contain the truth in about 95%: of ratings about the
// mean and of differences, also between the two ends, which hardly share a point. With -stress there
// are 400 tournaments.
func TestWideTournament(t *testing.T) {
	const engines, apart, games = 8, 250.0, 24
	tournaments, least := 120, 90.0
	if *stress {
		tournaments, least = 400, 92
	}
	random := rand.New(rand.NewPCG(31, 7))
	covered, all := map[string]int{}, map[string]int{}
	for range tournaments {
		var league []Encounter
		for i := range engines {
			for j := range i {
				e := Encounter{First: i, Second: j}
				for range games {
					if random.Float64() < ScoreOfElo(apart*float64(i-j)) {
						e.Games.Wins++
					} else {
						e.Games.Losses++
					}
				}
				league = append(league, e)
			}
		}
		r := mustRate(t, engines, league, DefaultPrior)
		check := func(what string, interval Interval, truth float64) {
			if math.IsInf(interval.Low, 0) || math.IsInf(interval.High, 0) {
				t.Fatalf("%s: %+v is not finite", what, interval)
			}
			all[what]++
			if interval.Low <= truth && truth <= interval.High {
				covered[what]++
			}
		}
		for i := range engines {
			check("about the mean", r.AboutMean(i), apart*(float64(i)-(engines-1)/2.0))
		}
		for i := 1; i < engines; i++ {
			check("neighbors", r.Difference(i, i-1), apart)
		}
		check("ends", r.Difference(engines-1, 0), apart*(engines-1))
	}
	for what, n := range all {
		coverage := 100 * float64(covered[what]) / float64(n)
		t.Logf("%s: the interval contains the truth in %.1f%% of %d", what, coverage, n)
		if coverage < least || coverage > 98 {
			t.Errorf("%s: %.1f%%", what, coverage)
		}
	}
}

// TestPrepare checks that ratings and differences computed at once equal those computed one by one,
// to the last bit.
func TestPrepare(t *testing.T) {
	const engines = 9
	rng := rand.New(rand.NewPCG(7, 1))
	var all []Encounter
	for i := range engines {
		for j := range i {
			var p Pairs
			for range 12 {
				p[rng.IntN(len(p))]++
			}
			all = append(all, Encounter{First: i, Second: j, Pairs: p})
		}
	}
	var results [2][]any
	for prepared := range results {
		r, err := Rate(engines, all, DefaultPrior)
		if err != nil {
			t.Fatal(err)
		}
		if prepared == 1 {
			r.Prepare()
		}
		for i := range engines {
			results[prepared] = append(results[prepared], r.AboutMean(i))
			for j := range engines {
				results[prepared] = append(results[prepared], r.Difference(i, j), r.LOS(i, j))
			}
		}
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Errorf("one by one and at once: %s", diff)
	}
}

func TestRateErrors(t *testing.T) {
	game := Games{Wins: 1}
	for _, test := range []struct {
		want       string
		engines    int
		encounters []Encounter
		prior      float64
	}{
		{"0 engines", 0, nil, 1},
		{"prior 0", 2, []Encounter{{0, 1, game, Pairs{}}}, 0},
		{"prior NaN", 2, []Encounter{{0, 1, game, Pairs{}}}, math.NaN()},
		{"encounter 1: engine 2: there are 2 engines", 2, []Encounter{{0, 1, game, Pairs{}}, {0, 2, game, Pairs{}}}, 1},
		{"encounter 0: engine -1: there are", 2, []Encounter{{-1, 1, game, Pairs{}}}, 1},
		{"encounter 0: engine 1 met itself", 2, []Encounter{{1, 1, game, Pairs{}}}, 1},
		{"encounter 0: engines 0 and 1: negative count -3", 2, []Encounter{{0, 1, Games{Draws: -3}, Pairs{}}}, 1},
		{"engines 0 and 2 are not linked", 4, []Encounter{{0, 1, game, Pairs{}}, {2, 3, game, Pairs{}}, {1, 2, Games{}, Pairs{}}}, 1},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := Rate(test.engines, test.encounters, test.prior)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %q...", err, test.want)
			}
		})
	}
	_, err := Rate(2, nil, 1)
	if _, ok := errors.AsType[*UnlinkedError](err); !ok {
		t.Errorf("two engines without games: error %v, want an *UnlinkedError", err)
	}
}

func TestOneEngineAlone(t *testing.T) {
	r := mustRate(t, 1, nil, DefaultPrior)
	if got := r.AboutMean(0); got != (Interval{}) {
		t.Errorf("rating %v, want zero without an interval", got)
	}
}

func TestPlace(t *testing.T) {
	at := func(elo, reach float64, g Games) Opponent {
		return Opponent{Elo: Estimate{Value: elo, Error: reach}, Games: g}
	}
	for _, test := range []struct {
		name      string
		opponents []Opponent
		want      Estimate
	}{
		{"no games", []Opponent{at(500, 1, Games{})}, Estimate{0, math.Inf(1)}},
		{"even with one", []Opponent{at(500, 0, Games{Wins: 50, Losses: 49})}, Estimate{500 + 3.47, 68.1}},
		{"between two", []Opponent{at(400, 0, Games{Wins: 75, Losses: 25}), at(600, 0, Games{Wins: 25, Losses: 75})}, Estimate{500, 50.03}},
		{"all won", []Opponent{at(0, 0, Games{Wins: 99})}, Estimate{919.5, 482.7}},
		{"against an uncertain rating", []Opponent{at(0, 100, Games{Wins: 5000, Losses: 5000})}, Estimate{0, 100.23}},
		{"pairs", []Opponent{{Pairs: Pairs{0, 0, 50, 0, 0}}}, Estimate{0, 67.8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Place(test.opponents, DefaultPrior)
			if math.Abs(got.Value-test.want.Value) > 0.1 || got.Error != test.want.Error && math.Abs(got.Error-test.want.Error) > 0.1 {
				t.Errorf("%.2f +- %.2f, want %.2f +- %.2f", got.Value, got.Error, test.want.Value, test.want.Error)
			}
		})
	}
}

// TestPlaceAgreesWithRate compares both for an engine that won all games, where both use the
// prior.
func TestPlaceAgreesWithRate(t *testing.T) {
	pairs := Pairs{WinWin: 20}
	r, err := Rate(2, []Encounter{{First: 0, Second: 1, Pairs: pairs}}, DefaultPrior)
	if err != nil {
		t.Fatal(err)
	}
	want := r.Anchored(0, 1, 1000).Value
	if got := Place([]Opponent{{Elo: Estimate{Value: 1000}, Pairs: pairs}}, DefaultPrior).Value; math.Abs(got-want) > 1e-6 {
		t.Errorf("placed at %v, rated %v", got, want)
	}
}

// sweep returns an encounter whose first engine won all pairs.
func sweep(first, second, pairs int) Encounter {
	return Encounter{First: first, Second: second, Pairs: Pairs{WinWin: pairs}}
}

// TestOtherOpponents adds games of other engines to two that met. Games that do not connect the
// two change neither LOS nor interval; games that agree with theirs make both more certain.
func TestOtherOpponents(t *testing.T) {
	even := func(first, second, pairs int) Encounter {
		return Encounter{First: first, Second: second, Pairs: Pairs{Even: pairs / 2, WinWin: pairs / 4, LossLoss: pairs / 4}}
	}
	for _, pairs := range []int{10, 20, 50} {
		for name, first := range map[string]Encounter{
			"all won":     sweep(0, 1, pairs),
			"all lost":    sweep(1, 0, pairs),
			"most won":    {First: 0, Second: 1, Pairs: Pairs{1, 0, 1, 1, pairs - 3}},
			"single wins": {First: 0, Second: 1, Games: Games{Wins: 2 * pairs}},
		} {
			alone := mustRate(t, 2, []Encounter{first}, DefaultPrior)
			los, want := alone.LOS(0, 1), alone.Difference(0, 1)
			for _, others := range []struct {
				name   string
				engine int
				games  []Encounter
				agree  bool // games that compare the two once more
			}{
				{"a third loses to the first", 3, []Encounter{sweep(0, 2, pairs)}, false},
				{"a third loses to the second", 3, []Encounter{sweep(1, 2, pairs)}, false},
				{"a third beats the first", 3, []Encounter{sweep(2, 0, pairs)}, false},
				{"a third is as strong as the first", 3, []Encounter{even(0, 2, 40)}, false},
				{"a few games", 3, []Encounter{sweep(0, 2, 1)}, false},
				{"a chain", 5, []Encounter{sweep(1, 2, pairs), sweep(2, 3, pairs), sweep(3, 4, pairs)}, false},
				{"a star", 5, []Encounter{sweep(0, 2, pairs), sweep(0, 3, pairs), sweep(0, 4, pairs)}, false},
				{"a triangle apart", 4, []Encounter{even(1, 2, 8), sweep(2, 3, pairs), sweep(1, 3, pairs)}, false},
				{"the third's games agree", 3, []Encounter{{First: first.First, Second: 2, Games: first.Games, Pairs: first.Pairs}, even(first.Second, 2, 40)}, true},
				{"three in order", 3, []Encounter{sweep(first.First, 2, pairs), sweep(2, first.Second, pairs)}, true},
				{"a fourth and a fifth in order", 5, []Encounter{sweep(first.First, 2, pairs), sweep(2, first.Second, pairs),
					sweep(first.First, 3, pairs), even(2, 3, 40), sweep(3, first.Second, pairs), sweep(first.Second, 4, pairs)}, true},
			} {
				t.Run(fmt.Sprint(name, " ", pairs, " ", others.name), func(t *testing.T) {
					r := mustRate(t, others.engine, append([]Encounter{first}, others.games...), DefaultPrior)
					got := r.Difference(0, 1)
					if others.agree {
						if gotLOS := r.LOS(0, 1); math.Abs(gotLOS-0.5) < math.Abs(los-0.5)-1e-9 {
							t.Errorf("LOS %v, %v without the others", gotLOS, los)
						}
						if want.Low > 0 && got.Low < want.Low-1e-6 || want.High < 0 && got.High > want.High+1e-6 {
							t.Errorf("%+v, %+v without the others", got, want)
						}
						return
					}
					checkNear(t, "LOS", r.LOS(0, 1), los, 1e-9)
					checkNear(t, "low", got.Low, want.Low, 1e-6)
					checkNear(t, "high", got.High, want.High, 1e-6)
				})
			}
		}
	}
}

// TestPooledOpponents compares a triangle with the match that it nearly is: two opponents that
// are known to be equally strong are one.
func TestPooledOpponents(t *testing.T) {
	for _, pairs := range []Pairs{{WinWin: 20}, {0, 0, 3, 2, 15}, {5, 0, 10, 0, 5}, {LossLoss: 20}} {
		r := mustRate(t, 3, []Encounter{
			{First: 0, Second: 1, Pairs: pairs}, {First: 0, Second: 2, Pairs: pairs},
			{First: 1, Second: 2, Pairs: Pairs{Even: 100_000}},
		}, DefaultPrior)
		got, want := r.Difference(0, 1), Elo(pairs.Plus(pairs))
		checkNear(t, fmt.Sprint(pairs, ", low"), got.Low, want.Low, 2)
		checkNear(t, fmt.Sprint(pairs, ", high"), got.High, want.High, 2)
		checkNear(t, fmt.Sprint(pairs, ", LOS"), r.LOS(0, 1), LOS(pairs.Plus(pairs)), 1e-3)
	}
}

// TestNoChainOfPoints checks which ends are infinite: those that no chain of points bounds.
func TestNoChainOfPoints(t *testing.T) {
	even := Pairs{1, 2, 4, 2, 1}
	r := mustRate(t, 5, []Encounter{ // 0 and 1 beat 2 and 3, which beat 4
		{First: 0, Second: 1, Pairs: even}, {First: 2, Second: 3, Pairs: even},
		sweep(0, 2, 10), sweep(1, 3, 10), sweep(0, 3, 10), sweep(1, 2, 10), sweep(3, 4, 10),
	}, DefaultPrior)
	group := []int{0, 0, 1, 1, 2}
	for i := range group {
		for j := range group {
			d, los := r.Difference(i, j), r.LOS(i, j)
			if i == j {
				continue
			}
			if got, want := math.IsInf(d.High, 1), group[i] < group[j]; got != want {
				t.Errorf("%d minus %d is %+v: no upper bound %v, want %v", i, j, d, got, want)
			}
			if got, want := math.IsInf(d.Low, -1), group[i] > group[j]; got != want {
				t.Errorf("%d minus %d is %+v: no lower bound %v, want %v", i, j, d, got, want)
			}
			if (los > 0.975) != (d.Low > 0) || (los < 0.025) != (d.High < 0) {
				t.Errorf("%d minus %d is %+v, but LOS is %v", i, j, d, los)
			}
		}
	}
	if chained, first, second := r.Difference(0, 4).Low, r.Difference(0, 3).Low, r.Difference(3, 4).Low; chained < first+second {
		t.Errorf("at least %v over two sweeps that are at least %v and %v", chained, first, second)
	}
}

// TestStrongEngine simulates tournaments in which one engine wins nearly all games, in many of
// them all. Its intervals contain the truth at least as often as they say.
func TestStrongEngine(t *testing.T) {
	const tournaments = 1000
	random := rand.New(rand.NewPCG(5, 41))
	truth := []float64{600, 60, 0, -60}
	covered, all, swept := 0, 0, 0
	for range tournaments {
		league := simulated(random, truth, 20)
		r := mustRate(t, len(truth), league, DefaultPrior)
		won := 0.0
		for _, e := range league {
			if e.Second == 0 {
				won += float64(e.Games.Total()) - e.points()
			}
		}
		if won == 60 {
			swept++
		}
		for j := 1; j < len(truth); j++ {
			all++
			if d := r.Difference(0, j); d.Low <= truth[0]-truth[j] && truth[0]-truth[j] <= d.High {
				covered++
			}
		}
	}
	coverage := 100 * float64(covered) / float64(all)
	t.Logf("the interval contains the truth in %.1f%% of %d; %d sweeps in %d tournaments", coverage, all, swept, tournaments)
	if coverage < 93.5 {
		t.Errorf("coverage %.1f%%", coverage)
	}
}

// TestLopsidedIntervals checks that the intervals are numbers, or infinite, and hold their
// values if almost all games of wide tables were won by one side.
func TestLopsidedIntervals(t *testing.T) {
	for name, encounters := range map[string][]Encounter{
		"with cycles": {
			{First: 1, Second: 0, Games: Games{Wins: 57, Draws: 1}},
			{First: 2, Second: 1, Pairs: Pairs{0, 11, 0, 1, 115}},
			{First: 3, Second: 0, Pairs: Pairs{1, 0, 0, 0, 0}},
			{First: 4, Second: 0, Pairs: Pairs{0, 0, 0, 0, 1}},
			{First: 5, Second: 4, Games: Games{Wins: 1}},
			{First: 5, Second: 2, Games: Games{Wins: 1}},
			{First: 4, Second: 3, Pairs: Pairs{0, 0, 1, 6, 1}},
			{First: 4, Second: 2, Pairs: Pairs{0, 0, 0, 1, 112}},
		},
		"a tree": {
			{First: 1, Second: 0, Games: Games{Wins: 52, Losses: 1, Draws: 1}},
			{First: 2, Second: 0, Pairs: Pairs{13, 0, 0, 2, 0}},
			{First: 3, Second: 1, Pairs: Pairs{28, 1, 10, 1, 0}},
			{First: 4, Second: 1, Pairs: Pairs{0, 7, 0, 0, 104}},
			{First: 5, Second: 1, Games: Games{Draws: 1}},
			{First: 6, Second: 3, Games: Games{Losses: 56}},
			{First: 7, Second: 3, Games: Games{Losses: 1, Draws: 20}},
		},
	} {
		engines := 0
		for _, e := range encounters {
			engines = max(engines, e.First+1, e.Second+1)
		}
		r, err := Rate(engines, encounters, DefaultPrior)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range engines {
			for j := range engines {
				if d := r.Difference(i, j); !(d.Low <= d.Value && d.Value <= d.High) {
					t.Errorf("%s: difference of %d and %d is %v", name, i, j, d)
				}
			}
			if m := r.AboutMean(i); !(m.Low <= m.Value && m.Value <= m.High) {
				t.Errorf("%s: %d about the mean is %v", name, i, m)
			}
		}
	}
}
