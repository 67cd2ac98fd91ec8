package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
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
	// In a chain, engine 0 is compared with 2 only through 1, so their variances add up.
	deviation := func(i, j int) float64 {
		_, deviation := r.sum(r.between(i, j))
		return deviation
	}
	checkNear(t, "deviation along the chain", deviation(0, 2), math.Hypot(deviation(0, 1), deviation(1, 2)), 1e-9)
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
// mean and of differences, also between the two ends, which hardly share a point.
func TestWideTournament(t *testing.T) {
	const engines, apart, games, tournaments = 8, 250.0, 24, 400
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
		if coverage < 92 || coverage > 98 {
			t.Errorf("%s: %.1f%%", what, coverage)
		}
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
