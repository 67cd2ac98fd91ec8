package stats

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Simulation plays a test out many times, with pairs drawn by chance.
type Simulation struct {
	Test  *SPRT
	Shape Shape
	Tests int    // how many
	Seed  uint64 // the same seed gives the same tests on any machine
	Most  int    // pairs after which a test ends undecided
}

// Simulated is what came of the tests at one strength.
type Simulated struct {
	AcceptedH0, AcceptedH1, Undecided int
	Lengths                           []int // pairs that each took, ascending
}

// Mean is the mean number of pairs.
func (s *Simulated) Mean() float64 {
	sum := 0
	for _, n := range s.Lengths {
		sum += n
	}
	return float64(sum) / float64(max(len(s.Lengths), 1))
}

// Quantile is the number of pairs that a share of the tests, from 0 to 1, does not
// exceed.
func (s *Simulated) Quantile(share float64) int {
	if len(s.Lengths) == 0 {
		return 0
	}
	at := int(math.Ceil(share*float64(len(s.Lengths)))) - 1
	return s.Lengths[max(0, min(at, len(s.Lengths)-1))]
}

// Run plays the tests out with pairs of a strength of elo, in the model's unit. The
// error is ctx's cause.
func (s *Simulation) Run(ctx context.Context, elo float64) (*Simulated, error) {
	var limits [5]float64 // of chance, by class
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

// test plays one test out. After each pair it would ask for the ratio; it leaves out
// those pairs after which no bound can be reached yet.
func (s *Simulation) test(limits [5]float64, rng *rand.Rand) (State, int) {
	h := s.Test.hypotheses
	lower, upper := s.Test.Bounds()
	var pairs Pairs
	for played, due := 1, 1; played <= s.Most; played++ {
		class := 0
		for x := rng.Float64(); class < len(limits)-1 && x >= limits[class]; {
			class++
		}
		pairs[class]++
		if played < due && played < s.Most {
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
	return Continue, s.Most
}

// idle is how many pairs more cannot end a test: half of what the distance to the
// bounds allows at the present reach, and so few that the reach stays near it.
func idle(played int, distance, reach float64) int {
	return 1 + int(min(distance/reach/2, float64(played)/8))
}
