package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newTest returns the test of two hypotheses with 5% errors.
func newTest(t *testing.T, model Model, elo0, elo1 float64) *SPRT {
	t.Helper()
	test, err := NewSPRT(Hypotheses{Model: model, Elo0: elo0, Elo1: elo1, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	return test
}

func TestReferenceLogLikelihoodRatios(t *testing.T) {
	for _, row := range readTable(t, "llr.txt", 5) {
		t.Run(row[0]+" "+row[3], func(t *testing.T) {
			var model Model
			if err := model.UnmarshalText([]byte(row[3])); err != nil {
				t.Fatal(err)
			}
			test := newTest(t, model, parseFloat(t, row[1]), parseFloat(t, row[2]))
			checkDigits(t, "LLR", test.LLR(parseCounted(t, row[0])), row[4])
		})
	}
}

func TestBoundsAndStates(t *testing.T) {
	test, err := NewSPRT(Hypotheses{Elo1: 10, Alpha: 0.05, Beta: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	lower, upper := test.Bounds()
	checkNear(t, "lower", lower, -2.251292, 1e-6)
	checkNear(t, "upper", upper, 2.890372, 1e-6)
	for _, c := range []struct {
		counts Counts
		want   State
	}{
		{Pairs{}, Continue},
		{Pairs{5, 20, 40, 25, 10}, Continue},
		{Pairs{WinWin: 500}, AcceptH1},
		{Pairs{LossLoss: 500}, AcceptH0},
		{Games{Wins: 2000, Losses: 1000}, AcceptH1},
		{Games{Wins: 1000, Losses: 2000}, AcceptH0},
	} {
		if got := test.State(c.counts); got != c.want {
			t.Errorf("%v: %v, want %v", c.counts, got, c.want)
		}
	}
}

func TestInvalidHypotheses(t *testing.T) {
	good := Hypotheses{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	for _, test := range []struct {
		want   string // the start of the error
		change func(*Hypotheses)
	}{
		{"elo0 5: must be less than elo1 5", func(h *Hypotheses) { h.Elo0 = 5 }},
		{"elo0 NaN", func(h *Hypotheses) { h.Elo0 = math.NaN() }},
		{"elo1 +Inf", func(h *Hypotheses) { h.Elo1 = math.Inf(1) }},
		{"elo1 1001", func(h *Hypotheses) { h.Elo1 = 1001 }},
		{"alpha 0:", func(h *Hypotheses) { h.Alpha = 0 }},
		{"beta 1:", func(h *Hypotheses) { h.Beta = 1 }},
		{"beta NaN", func(h *Hypotheses) { h.Beta = math.NaN() }},
		{"alpha 0.5 and beta 0.5", func(h *Hypotheses) { h.Alpha, h.Beta = 0.5, 0.5 }},
		{"model 7", func(h *Hypotheses) { h.Model = 7 }},
	} {
		t.Run(test.want, func(t *testing.T) {
			h := good
			test.change(&h)
			_, err := NewSPRT(h)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %q...", err, test.want)
			}
		})
	}
}

func TestModelText(t *testing.T) {
	for _, m := range []Model{Normalized, Logistic} {
		text, _ := m.MarshalText()
		var back Model
		if err := back.UnmarshalText(text); err != nil || back != m {
			t.Errorf("%v as text %q reads back as %v, %v", m, text, back, err)
		}
	}
	model := Logistic
	if err := model.UnmarshalText([]byte("Logistic")); err == nil || model != Logistic {
		t.Errorf("a word that no model has is %v, %v", model, err)
	}
}

// forEachTest calls f for both models with narrow, shifted and very wide hypotheses.
func forEachTest(t *testing.T, f func(t *testing.T, test *SPRT)) {
	for _, model := range []Model{Normalized, Logistic} {
		for _, elo := range [][2]float64{{0, 2}, {-3, 1}, {0.764, 3.439}, {0, 60}, {-1000, 1000}} {
			t.Run(fmt.Sprintf("%v %v", model, elo), func(t *testing.T) {
				f(t, newTest(t, model, elo[0], elo[1]))
			})
		}
	}
}

func TestLLRIsFinite(t *testing.T) {
	forEachTest(t, func(t *testing.T, test *SPRT) {
		random := rand.New(rand.NewPCG(3, 3))
		for range 100 {
			for _, c := range []Counts{randomGames(random), randomPairs(random)} {
				if llr := test.LLR(c); math.IsNaN(llr) || math.IsInf(llr, 0) {
					t.Fatalf("%T %v: LLR %v", c, c, llr)
				}
			}
		}
	})
}

func TestLLRIsAntisymmetric(t *testing.T) {
	forEachTest(t, func(t *testing.T, test *SPRT) {
		h := test.Hypotheses()
		mirror := newTest(t, h.Model, -h.Elo1, -h.Elo0)
		random := rand.New(rand.NewPCG(4, 4))
		for range 50 {
			g, p := randomGames(random), randomPairs(random)
			for _, c := range [][2]Counts{{g, g.Swapped()}, {p, p.Swapped()}} {
				want := -test.LLR(c[0])
				checkNear(t, fmt.Sprint("LLR of ", c[1]), mirror.LLR(c[1]), want, 1e-6+1e-9*math.Abs(want))
			}
		}
	})
}

func TestLLRGrowsInProportion(t *testing.T) {
	forEachTest(t, func(t *testing.T, test *SPRT) {
		p := Pairs{5, 20, 40, 25, 10}
		checkNear(t, "LLR of 7 times as many", test.LLR(Pairs{35, 140, 280, 175, 70}), 7*test.LLR(p), 1e-8)
	})
}

func TestLLRAddsUp(t *testing.T) {
	for _, c := range []Counts{Pairs{5, 20, 40, 25, 10}, Games{136, 96, 111}, Games{Wins: 3}} {
		for _, model := range []Model{Normalized, Logistic} {
			whole := newTest(t, model, -10, 30).LLR(c)
			parts := newTest(t, model, -10, 5).LLR(c) + newTest(t, model, 5, 30).LLR(c)
			checkNear(t, fmt.Sprintf("%v LLR of %v", model, c), parts, whole, 1e-9)
		}
	}
}

// TestBetterPairs checks that better pairs raise the logistic LLR. No class is empty before
// or after, because the replacement for an empty class would change the number of pairs.
func TestBetterPairs(t *testing.T) {
	test := newTest(t, Logistic, 0, 10)
	random := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		p := randomPairs(random).Plus(Pairs{2, 2, 2, 2, 2})
		i := random.IntN(4)
		better := p
		better[i]--
		better[i+1]++
		if test.LLR(better) <= test.LLR(p) {
			t.Fatalf("LLR %v of %v, but %v of %v", test.LLR(p), p, test.LLR(better), better)
		}
	}
}

// TestLLRRises checks that the LLR rises in both models from all pairs lost to all won.
func TestLLRRises(t *testing.T) {
	forEachTest(t, func(t *testing.T, test *SPRT) {
		last := math.Inf(-1)
		for won := 0; won <= 100; won++ {
			llr := test.LLR(Pairs{LossLoss: 100 - won, WinWin: won})
			if llr <= last {
				t.Fatalf("%d of 100 pairs won: LLR %v, one less: %v", won, llr, last)
			}
			last = llr
		}
	})
}

// TestLLROfIndependentPairs checks that games and independent pairs have the same LLR in
// the limit of close hypotheses. Their likelihoods differ beyond the second order of the
// Elo difference.
func TestLLROfIndependentPairs(t *testing.T) {
	g := Games{Wins: 300, Losses: 295, Draws: 405}
	pairs := independentPairs(g)
	scale := 2 * g.Total()
	games := Games{Wins: g.Wins * scale, Losses: g.Losses * scale, Draws: g.Draws * scale}
	for _, model := range []Model{Normalized, Logistic} {
		test := newTest(t, model, 0, 2)
		want := test.LLR(games)
		checkNear(t, model.String()+" LLR", test.LLR(pairs), want, 0.002*math.Abs(want))
	}
}

// checkDistribution fails unless p is positive and adds up to 1.
func checkDistribution(t *testing.T, p []float64) {
	t.Helper()
	sum := 0.0
	for _, share := range p {
		sum += share
		if !(share > 0) {
			t.Fatalf("distribution %v: a share is not positive", p)
		}
	}
	checkNear(t, "sum of the shares", sum, 1, 1e-9)
}

func TestLikeliestDistributions(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		for _, c := range []Counts{randomGames(random), randomPairs(random)} {
			n, p := regularShares(c.Classes())
			if n == 0 {
				continue
			}
			elo := 2 * maxHypothesis * (random.Float64() - 0.5)
			q := likeliestWithMean(p, elo)
			checkDistribution(t, q)
			mean, _ := meanAndDeviation(q)
			checkNear(t, "mean score", mean, ScoreOfElo(elo), 1e-9)

			ratio := 4 * (random.Float64() - 0.5)
			q = likeliestWithRatio(p, ratio)
			checkDistribution(t, q)
			mean, deviation := meanAndDeviation(q)
			checkNear(t, "mean in deviations", (mean-0.5)/deviation, ratio, 1e-9)
			if t.Failed() {
				t.Fatalf("counts %v, Elo %v, ratio %v", c, elo, ratio)
			}
		}
	}
}

// TestLikeliestWithMean checks that no nearby distribution with the same mean has a larger
// likelihood. In three classes a mean leaves one direction.
func TestLikeliestWithMean(t *testing.T) {
	_, p := regularShares(Games{Wins: 30, Losses: 50, Draws: 20}.Classes())
	logLikelihood := func(q []float64) float64 {
		sum := 0.0
		for i := range p {
			sum += p[i] * math.Log(q[i])
		}
		return sum
	}
	best := likeliestWithMean(p, 40)
	for _, step := range []float64{-1e-3, -1e-5, 1e-5, 1e-3} {
		near := []float64{best[0] + step, best[1] - 2*step, best[2] + step}
		if logLikelihood(near) >= logLikelihood(best) {
			t.Errorf("%v is likelier than %v", near, best)
		}
	}
}

// TestLikeliestAtTheObservedStrength checks that the solution at the observed strength is
// the observed shares, which have the largest likelihood of all.
func TestLikeliestAtTheObservedStrength(t *testing.T) {
	for _, c := range []Counts{Pairs{5, 20, 40, 25, 10}, Games{136, 96, 111}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			_, p := regularShares(c.Classes())
			byModel := map[string][]float64{
				"logistic":   likeliest(Logistic, c.GamesPerOutcome(), p, Elo(c).Value),
				"normalized": likeliest(Normalized, c.GamesPerOutcome(), p, NormalizedElo(c).Value),
			}
			for model, q := range byModel {
				checkNear(t, model+" distance", distance(p, q), 0, 1e-9)
			}
		})
	}
}

func TestTiltOfRareClasses(t *testing.T) {
	// Two classes with phi -1 and 1: the shares must become equal.
	for _, rare := range []float64{0.5, 1e-3, 1e-9, 1e-15} {
		for _, p := range [][]float64{{rare, 1 - rare}, {1 - rare, rare}} {
			q := tilt(p, []float64{-1, 1})
			checkNear(t, fmt.Sprint("tilted ", p), q[0], 0.5, 1e-14)
			checkNear(t, fmt.Sprint("tilted ", p), q[1], 0.5, 1e-14)
		}
	}
}

func TestStartOfNormalizedModel(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 1000 {
		for _, c := range []Counts{randomGames(random), randomPairs(random)} {
			n, p := regularShares(c.Classes())
			if n == 0 {
				continue
			}
			ratio := 1.8 * (random.Float64() - 0.5)
			uniform := make([]float64, len(p))
			for i := range uniform {
				uniform[i] = 1 / float64(len(p))
			}
			got, want := likeliestWithRatio(p, ratio), iterateRatio(uniform, p, ratio)
			if far := distance(got, want); !(far < 1e-9) {
				t.Fatalf("%T %v, ratio %v: %v, from the uniform distribution %v", c, c, ratio, got, want)
			}
		}
	}
}

// mustTest returns a test between two strengths with errors of five percent.
func mustTest(t *testing.T, model Model, elo0, elo1 float64) *SPRT {
	t.Helper()
	test, err := NewSPRT(Hypotheses{Model: model, Elo0: elo0, Elo1: elo1, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// someShapes returns shapes without draws, with many draws, and of a match with fewer split
// pairs than expected of independent games.
func someShapes(t *testing.T) map[string]Shape {
	t.Helper()
	shapes := map[string]Shape{}
	for _, draws := range []float64{0, 0.6} {
		s, err := IndependentPairs(draws)
		if err != nil {
			t.Fatal(err)
		}
		shapes[fmt.Sprint(draws, " drawn")] = s
	}
	s, err := ObservedPairs(Pairs{30, 2, 40, 3, 25})
	if err != nil {
		t.Fatal(err)
	}
	shapes["observed"] = s
	return shapes
}

// TestSimulationSkips checks that simulated tests end at the same pair as tests that compute
// the ratio after every pair.
func TestSimulationSkips(t *testing.T) {
	for name, shape := range someShapes(t) {
		for _, model := range []Model{Normalized, Logistic} {
			test := mustTest(t, model, 0, 60)
			s := Simulation{Test: test, Shape: shape, MaxPairs: 400}
			for seed := range uint64(6) {
				var limits [5]float64
				sum := 0.0
				for i, share := range shape.At(model, 30) {
					sum += share
					limits[i] = sum
				}
				state, length := s.test(limits, rand.New(rand.NewPCG(1, seed)))
				var pairs Pairs
				rng := rand.New(rand.NewPCG(1, seed))
				want, played := Continue, 0
				for want == Continue && played < s.MaxPairs {
					class, x := 0, rng.Float64()
					for class < 4 && x >= limits[class] {
						class++
					}
					pairs[class]++
					played++
					want = test.State(pairs)
				}
				if state != want || length != played {
					t.Errorf("%s, %v, seed %d: %v after %d pairs, want %v after %d", name, model, seed, state, length, want, played)
				}
			}
		}
	}
}

// TestErrorRates simulates tests at both hypotheses, with -stress 10,000. Their error
// rates are at most alpha and beta plus five standard errors, and their lengths are about
// those of the forecast.
func TestErrorRates(t *testing.T) {
	tests := 200
	switch {
	case *stress:
		tests = 10_000
	case testing.Short():
		tests = 100
	}
	for name, shape := range someShapes(t) {
		for _, model := range []Model{Normalized, Logistic} {
			t.Run(fmt.Sprint(name, " ", model), func(t *testing.T) {
				t.Parallel()
				test := mustTest(t, model, 0, 60)
				s := Simulation{Test: test, Shape: shape, Tests: tests, Seed: 9, MaxPairs: 100_000}
				for _, elo := range []float64{0, 60} {
					got, err := s.Run(context.Background(), elo)
					if err != nil {
						t.Fatal(err)
					}
					wrong := got.AcceptedH0
					if elo == 0 {
						wrong = got.AcceptedH1
					}
					most := 0.05 + 5*math.Sqrt(0.05*0.95/float64(tests))
					if rate := float64(wrong) / float64(tests); rate > most || got.Undecided > 0 {
						t.Errorf("%s, %v at %v: %d of %d tests err, %d undecided", name, model, elo, wrong, tests, got.Undecided)
					}
					_, pairs := test.Forecast(shape, elo)
					if mean := got.Mean(); mean < 0.8*pairs || mean > 1.3*pairs {
						t.Errorf("%s, %v at %v: %.0f pairs on the mean, the forecast says %.0f", name, model, elo, mean, pairs)
					}
				}
			})
		}
	}
}

// TestSimulationRepeats runs a simulation twice, and cancels one.
func TestSimulationRepeats(t *testing.T) {
	s := Simulation{Test: mustTest(t, Normalized, 0, 100), Shape: someShapes(t)["observed"], Tests: 20, Seed: 3, MaxPairs: 50}
	first, err := s.Run(context.Background(), 50)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := s.Run(context.Background(), 50)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	if first.AcceptedH0+first.AcceptedH1+first.Undecided != 20 || first.Undecided == 0 || first.Quantile(1) != 50 || first.Quantile(0) != first.Lengths[0] {
		t.Errorf("%+v", first)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Run(ctx, 50); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestForecast checks the forecast at both hypotheses, where the error rates are alpha and
// beta, and halfway, where both verdicts are equally likely and the test is longest.
func TestForecast(t *testing.T) {
	shape := someShapes(t)["0 drawn"]
	test := mustTest(t, Normalized, 0, 20)
	for elo, want := range map[float64]float64{0: 0.05, 10: 0.5, 20: 0.95} {
		chance, _ := test.Forecast(shape, elo)
		checkNear(t, fmt.Sprint("chance of H1 at ", elo), chance, want, 1e-6)
	}
	_, low := test.Forecast(shape, 0)
	_, middle := test.Forecast(shape, 10)
	_, near := test.Forecast(shape, 10+1e-4)
	if !(middle > 1.5*low) {
		t.Errorf("%v pairs in the middle, %v at the end", middle, low)
	}
	checkNear(t, "pairs near the middle", near, middle, 0.01)
	for _, wrong := range []float64{-0.1, 1, math.NaN()} {
		if _, err := IndependentPairs(wrong); err == nil {
			t.Errorf("a share of draws of %v was accepted", wrong)
		}
	}
	if _, err := ObservedPairs(Pairs{}); err == nil {
		t.Error("no pairs have a shape")
	}
}
