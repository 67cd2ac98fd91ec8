package stats

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Shape is the distribution of the results of pairs: shares of the five classes of Pairs
// that add up to one. At changes its strength.
type Shape [5]float64

// minShare is the minimum share of a class, so that the strength of a shape can change.
const minShare = 1e-9

// IndependentPairs returns the shape of pairs of independent games between equal engines
// with a share of draws.
func IndependentPairs(draws float64) (Shape, error) {
	if !(draws >= 0 && draws < 1) {
		return Shape{}, fmt.Errorf("share of draws %v: must be at least 0 and less than 1", draws)
	}
	won := (1 - draws) / 2
	return normalized(Shape{won * won, 2 * won * draws, draws*draws + 2*won*won, 2 * won * draws, won * won}), nil
}

// ObservedPairs returns the shape of observed pairs.
func ObservedPairs(p Pairs) (Shape, error) {
	if p.Total() == 0 {
		return Shape{}, fmt.Errorf("pairs %v: no pairs", p)
	}
	var s Shape
	for i, n := range p {
		s[i] = float64(n) / float64(p.Total())
	}
	return normalized(s), nil
}

// normalized returns a shape in which every class has a share.
func normalized(s Shape) Shape {
	sum := 0.0
	for i := range s {
		s[i] = max(s[i], minShare)
		sum += s[i]
	}
	for i := range s {
		s[i] /= sum
	}
	return s
}

// At returns the shape with the strength elo, in the model's unit: the distribution with
// that strength that maximizes the likelihood of the shape.
func (s Shape) At(model Model, elo float64) Shape {
	return Shape(likeliestOf(model, Pairs{}.GamesPerOutcome())(s[:], elo))
}

// ratio returns the mean above 1/2 in standard deviations of a pair.
func (s Shape) ratio() float64 {
	mean, deviation := meanAndDeviation(s[:])
	return (mean - 0.5) / deviation
}

// Forecast returns the probability that the test accepts H1 and the mean number of pairs
// it takes, for pairs of a shape with strength elo.
//
// It approximates the log-likelihood ratio by a Brownian motion between the bounds. If t
// is the mean above 1/2 in standard deviations of a pair, the drift is
// (t1-t0)(t-(t0+t1)/2) per pair and the variance (t1-t0)^2. In the normalized model t and
// the length do not depend on the shape. A real test overshoots its bounds, so it takes a
// little longer and errs a little less: see Simulation. Source: A. Wald, "Sequential
// Tests of Statistical Hypotheses" (1945).
func (t *SPRT) Forecast(shape Shape, elo float64) (acceptH1, pairs float64) {
	h := t.hypotheses
	t0, t1 := shape.At(h.Model, h.Elo0).ratio(), shape.At(h.Model, h.Elo1).ratio()
	drift := (t1 - t0) * (shape.At(h.Model, elo).ratio() - (t0+t1)/2)
	variance := (t1 - t0) * (t1 - t0)
	lower, upper := t.Bounds()
	// Near zero drift the quotients below lose precision.
	if root := -2 * drift / variance; math.Abs(root)*(upper-lower) > 1e-6 {
		acceptH1 = math.Expm1(root*lower) / (math.Exp(root*lower) - math.Exp(root*upper))
		return acceptH1, (acceptH1*upper + (1-acceptH1)*lower) / drift
	}
	return -lower / (upper - lower), -lower * upper / variance
}

// Simulation simulates a test many times with random pairs.
type Simulation struct {
	Test     *SPRT
	Shape    Shape
	Tests    int    // number of simulated tests
	Seed     uint64 // the same seed gives the same tests on any machine
	MaxPairs int    // pairs after which a test ends undecided
}

// Simulated is the result of simulated tests at one strength.
type Simulated struct {
	AcceptedH0, AcceptedH1, Undecided int
	Lengths                           []int // pairs of each test, ascending
}

// Mean returns the mean number of pairs.
func (s *Simulated) Mean() float64 {
	sum := 0
	for _, n := range s.Lengths {
		sum += n
	}
	return float64(sum) / float64(max(len(s.Lengths), 1))
}

// Quantile returns the number of pairs that a share of the tests, from 0 to 1, does not
// exceed.
func (s *Simulated) Quantile(share float64) int {
	if len(s.Lengths) == 0 {
		return 0
	}
	at := int(math.Ceil(share*float64(len(s.Lengths)))) - 1
	return s.Lengths[max(0, min(at, len(s.Lengths)-1))]
}

// Run simulates the tests with pairs of strength elo, in the model's unit. The error is
// ctx's cause.
func (s *Simulation) Run(ctx context.Context, elo float64) (*Simulated, error) {
	var limits [5]float64 // cumulative shares by class
	sum := 0.0
	for i, share := range s.Shape.At(s.Test.hypotheses.Model, elo) {
		sum += share
		limits[i] = sum
	}
	result := &Simulated{Lengths: make([]int, s.Tests)}
	states := make([]State, s.Tests)
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < s.Tests && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				states[i], result.Lengths[i] = s.test(limits, rand.New(rand.NewPCG(s.Seed, uint64(i))))
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, state := range states {
		switch state {
		case AcceptH0:
			result.AcceptedH0++
		case AcceptH1:
			result.AcceptedH1++
		default:
			result.Undecided++
		}
	}
	slices.Sort(result.Lengths)
	return result, nil
}

// test simulates one test. It computes the ratio only after pairs at which a bound may have
// been reached.
func (s *Simulation) test(limits [5]float64, rng *rand.Rand) (State, int) {
	h := s.Test.hypotheses
	lower, upper := s.Test.Bounds()
	var pairs Pairs
	for played, due := 1, 1; played <= s.MaxPairs; played++ {
		class := 0
		for x := rng.Float64(); class < len(limits)-1 && x >= limits[class]; {
			class++
		}
		pairs[class]++
		if played < due && played < s.MaxPairs {
			continue
		}
		ratio, reach := ratioAndReach(h.Model, pairs, h.Elo0, h.Elo1)
		switch {
		case ratio >= upper:
			return AcceptH1, played
		case ratio <= lower:
			return AcceptH0, played
		}
		due = played + idle(played, min(upper-ratio, ratio-lower), reach)
	}
	return Continue, s.MaxPairs
}

// idle returns how many further pairs cannot end a test: half the number that the distance
// to the bounds allows at the current reach, and few enough that the reach changes little.
func idle(played int, distance, reach float64) int {
	return 1 + int(min(distance/reach/2, float64(played)/8))
}
