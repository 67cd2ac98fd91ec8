package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

// TestErrorRates simulates 2,000 tests at both hypotheses, fewer in short mode. Their error
// rates are at most alpha and beta plus five standard errors, and their lengths are about
// those of the forecast.
func TestErrorRates(t *testing.T) {
	tests := 500
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
			t.Errorf("a share of draws of %v was taken", wrong)
		}
	}
	if _, err := ObservedPairs(Pairs{}); err == nil {
		t.Error("no pairs have a shape")
	}
}
