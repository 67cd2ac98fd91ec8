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

// Model is the unit of strength in the hypotheses of a test.
type Model int

// The models are normalized Elo, with which the length of a test does not depend on the
// share of draws, and logistic Elo.
const (
	Normalized Model = iota
	Logistic
)

// String returns "normalized" or "logistic".
func (m Model) String() string {
	if m == Logistic {
		return "logistic"
	}
	return "normalized"
}

// MarshalText implements encoding.TextMarshaler. It never fails.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Model) UnmarshalText(text []byte) error {
	for _, model := range []Model{Normalized, Logistic} {
		if string(text) == model.String() {
			*m = model
			return nil
		}
	}
	return fmt.Errorf("model %q: must be normalized or logistic", text)
}

// maxHypothesis is the maximum Elo of a hypothesis. It is far beyond the resolution of any
// match, but the likelihoods are still exact.
const maxHypothesis = 1000

// Hypotheses are the two hypotheses of a test and its error rates. They are stored with
// the games of a match.
type Hypotheses struct {
	Model Model   `json:"model"`
	Elo0  float64 `json:"elo0"`  // H0: the engine is stronger by Elo0, in units of Model
	Elo1  float64 `json:"elo1"`  // H1: by Elo1, more than Elo0
	Alpha float64 `json:"alpha"` // probability of accepting H1 if H0 is true
	Beta  float64 `json:"beta"`  // probability of accepting H0 if H1 is true
}

func (h Hypotheses) check() error {
	switch { // a NaN must be invalid
	case !(math.Abs(h.Elo0) <= maxHypothesis):
		return fmt.Errorf("elo0 %v: must be between -%d and %d", h.Elo0, maxHypothesis, maxHypothesis)
	case !(math.Abs(h.Elo1) <= maxHypothesis):
		return fmt.Errorf("elo1 %v: must be between -%d and %d", h.Elo1, maxHypothesis, maxHypothesis)
	case !(h.Alpha > 0 && h.Alpha < 1):
		return fmt.Errorf("alpha %v: must be between 0 and 1", h.Alpha)
	case !(h.Beta > 0 && h.Beta < 1):
		return fmt.Errorf("beta %v: must be between 0 and 1", h.Beta)
	case h.Model != Normalized && h.Model != Logistic:
		return fmt.Errorf("model %d: unknown", int(h.Model))
	case h.Elo0 >= h.Elo1:
		return fmt.Errorf("elo0 %v: must be less than elo1 %v", h.Elo0, h.Elo1)
	case h.Alpha+h.Beta >= 1:
		return fmt.Errorf("alpha %v and beta %v: their sum must be less than 1", h.Alpha, h.Beta)
	}
	return nil
}

// State is the state of a test.
type State int

// The states of a test.
const (
	Continue State = iota
	AcceptH0
	AcceptH1
)

// String returns "continue", "accept H0" or "accept H1".
func (s State) String() string {
	switch s {
	case AcceptH0:
		return "accept H0"
	case AcceptH1:
		return "accept H1"
	}
	return "continue"
}

// SPRT is a sequential probability ratio test of valid hypotheses. It has no state: its
// methods take all counts so far.
type SPRT struct {
	hypotheses Hypotheses
}

// NewSPRT returns the test of h. It returns an error unless Elo0 and Elo1 are between -1000
// and 1000, Elo0 is less than Elo1, and Alpha and Beta are positive with a sum below 1.
func NewSPRT(h Hypotheses) (*SPRT, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return &SPRT{hypotheses: h}, nil
}

// Hypotheses returns the hypotheses of the test.
func (t *SPRT) Hypotheses() Hypotheses { return t.hypotheses }

// Bounds returns the log-likelihood ratios at which the test accepts H0 and H1:
// ln(beta/(1-alpha)), which is negative, and ln((1-beta)/alpha), which is positive.
func (t *SPRT) Bounds() (lower, upper float64) {
	h := t.hypotheses
	return math.Log(h.Beta / (1 - h.Alpha)), math.Log((1 - h.Beta) / h.Alpha)
}

// LLR returns the natural logarithm of the generalized likelihood ratio of H1 to H0. It is
// finite, and 0 for no games.
func (t *SPRT) LLR(c Counts) float64 {
	h := t.hypotheses
	ratio, _ := ratioAndReach(h.Model, c, h.Elo0, h.Elo1)
	return ratio
}

// State returns the conclusion of the test.
func (t *SPRT) State(c Counts) State {
	llr := t.LLR(c)
	lower, upper := t.Bounds()
	switch {
	case llr >= upper:
		return AcceptH1
	case llr <= lower:
		return AcceptH0
	}
	return Continue
}

// emptyClass replaces a count of zero in the likelihoods, which need every class to be
// present. The value is fishtest's.
const emptyClass = 1e-3

// The distribution of the normalized model is found by iteration until no probability
// changes by more than tolerance.
const (
	tolerance     = 1e-12
	maxIterations = 1000
)

// ratioAndReach returns the log-likelihood ratio of elo1 to elo0, each represented by the
// distribution that maximizes the likelihood of the counts (the generalized sequential
// probability ratio test): N sum p_i ln(p1_i/p0_i). It is 0 for no outcomes.
//
// reach is the maximum change of the ratio by one more outcome if the two distributions
// stayed the same: the derivative of the ratio with respect to the count of a class is
// ln(p1_i/p0_i), because both are at their maximum.
//
// Source: M. Van den Bergh's notes on the GSPRT and on normalized Elo, as used by
// fishtest. We use the exact solutions, because the closed approximations are wrong for
// one-sided results.
func ratioAndReach(model Model, c Counts, elo0, elo1 float64) (ratio, reach float64) {
	n, p := regularShares(c.Classes())
	if n == 0 {
		return 0, math.Inf(1)
	}
	p0 := likeliest(model, c.GamesPerOutcome(), p, elo0)
	p1 := likeliest(model, c.GamesPerOutcome(), p, elo1)
	sum := 0.0
	for i := range p {
		change := math.Log(p1[i] / p0[i])
		sum += p[i] * change
		reach = max(reach, math.Abs(change))
	}
	return n * sum, reach
}

// likeliest returns, among the distributions with the strength elo in the model's unit, the
// one that maximizes the likelihood of the shares p.
func likeliest(model Model, gamesPerOutcome int, p []float64, elo float64) []float64 {
	if model == Normalized {
		return likeliestWithRatio(p, elo/eloScale*math.Sqrt(float64(gamesPerOutcome)))
	}
	return likeliestWithMean(p, elo)
}

// regularShares returns the number of outcomes and the share of each class, with emptyClass
// in place of each zero. n is 0 for no outcomes.
func regularShares(classes []int) (n float64, p []float64) {
	p = make([]float64, len(classes))
	seen := false
	for i, count := range classes {
		p[i] = emptyClass
		if count > 0 {
			seen = true
			p[i] = float64(count)
		}
		n += p[i]
	}
	if !seen {
		return 0, p
	}
	for i := range p {
		p[i] /= n
	}
	return n, p
}

// likeliestWithMean returns the distribution that maximizes the likelihood of the shares p
// among those with the mean score of elo.
func likeliestWithMean(p []float64, elo float64) []float64 {
	score := ScoreOfElo(elo)
	phi := make([]float64, len(p))
	for i := range phi {
		phi[i] = classScore(i, len(p)) - score
	}
	return tilt(p, phi)
}

// likeliestWithRatio returns the distribution that maximizes the likelihood of the shares p
// among those whose mean is t standard deviations above 1/2.
//
// The iteration starts from a distribution of wins and losses only that satisfies the
// constraint. Around it the linear form takes both signs for every t, as tilt requires.
// The usual uniform distribution leads to the same solution, but works only for t up to
// about 0.94.
func likeliestWithRatio(p []float64, t float64) []float64 {
	start := make([]float64, len(p))
	start[0] = 0.5 - t/2/math.Sqrt(1+t*t)
	start[len(p)-1] = 1 - start[0]
	return iterateRatio(start, p, t)
}

// iterateRatio replaces the constraint by its linear form around the last distribution,
// solves it, and repeats from the solution until it converges.
func iterateRatio(last, p []float64, t float64) []float64 {
	phi := make([]float64, len(p))
	for range maxIterations {
		mean, deviation := meanAndDeviation(last)
		for i := range phi {
			a := classScore(i, len(p))
			z := (mean - a) / deviation
			phi[i] = a - 0.5 - t*deviation/2*(1+z*z)
		}
		next := tilt(p, phi)
		if distance(last, next) < tolerance {
			return next
		}
		last = next
	}
	return last
}

// meanAndDeviation returns the mean and standard deviation of a score distributed as p.
func meanAndDeviation(p []float64) (mean, deviation float64) {
	for i, share := range p {
		mean += share * classScore(i, len(p))
	}
	variance := 0.0
	for i, share := range p {
		off := classScore(i, len(p)) - mean
		variance += share * off * off
	}
	return mean, math.Sqrt(variance)
}

// distance returns the largest difference of a probability.
func distance(p, q []float64) float64 {
	largest := 0.0
	for i := range p {
		largest = math.Max(largest, math.Abs(p[i]-q[i]))
	}
	return largest
}

// maxHalvings is the maximum number of steps of a bisection.
const maxHalvings = 200

// tilt returns the distribution that maximizes the likelihood of the shares p among those
// under which the mean of phi is zero: p_i / (1 + theta phi_i) with the theta for which
// sum p_i phi_i / (1 + theta phi_i) = 0.
//
// All of p must be positive, and phi must take both signs. The sum then falls from +Inf
// to -Inf as theta goes from -1/max(phi) to -1/min(phi), with one root between.
//
// A rare class can move the root next to an end, where 1 + theta phi_i loses precision.
// Theta is therefore written as (1-u)/m, where m is the distance of phi's end from zero
// on the root's side. The denominators become 1 + phi_i/m - u phi_i/m, which is u for
// the class at the end.
func tilt(p, phi []float64) []float64 {
	mean := 0.0
	for i, f := range phi {
		mean += p[i] * f
	}
	// If the sign of phi is flipped so that its mean is positive, theta is positive, too.
	flip := float64(sign(mean))
	m := 0.0
	for _, f := range phi {
		m = max(m, -flip*f)
	}
	ratios := make([]float64, len(phi))
	for i, f := range phi {
		ratios[i] = flip * f / m
	}
	u := risingRoot(func(u float64) float64 {
		sum := 0.0
		for i, r := range ratios {
			sum += p[i] * r / (1 + r - u*r)
		}
		return sum
	})
	tilted := make([]float64, len(p))
	for i, r := range ratios {
		tilted[i] = p[i] / (1 + r - u*r)
	}
	return tilted
}

// risingRoot finds the root of f in (0, 1] by bisection. f rises through zero once. The
// root is positive and has the relative precision of a float64. f is not called at 0.
func risingRoot(f func(float64) float64) float64 {
	low, high := 0.0, 1.0
	for range maxHalvings {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if f(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

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
	return Shape(likeliest(model, Pairs{}.GamesPerOutcome(), s[:], elo))
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
	Step     func() // called after each test, by one goroutine at a time; may be nil
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
	var stepping sync.Mutex
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < s.Tests && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				states[i], result.Lengths[i] = s.test(limits, rand.New(rand.NewPCG(s.Seed, uint64(i))))
				if s.Step != nil {
					stepping.Lock()
					s.Step()
					stepping.Unlock()
				}
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
