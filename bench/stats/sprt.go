package stats

import (
	"fmt"
	"math"
)

// Model says in what unit the two hypotheses of a test give the strength.
type Model int

// The models: normalized Elo, which makes the length of a test independent of
// the share of draws, and logistic Elo.
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

// ParseModel reads "normalized" or "logistic".
func ParseModel(text string) (Model, error) {
	for _, m := range []Model{Normalized, Logistic} {
		if text == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("model %q: neither normalized nor logistic", text)
}

// MarshalText returns the model's name, for flags and stored settings. It never
// fails.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what ParseModel reads.
func (m *Model) UnmarshalText(text []byte) error {
	model, err := ParseModel(string(text))
	if err == nil {
		*m = model
	}
	return err
}

// maxHypothesis bounds the Elo of a hypothesis, far beyond any that a match can
// tell apart, where the likelihoods are still exact.
const maxHypothesis = 1000

// Hypotheses are what a test decides between, and how often it may err. They are
// plain data, to be stored beside the games of a match.
type Hypotheses struct {
	Model Model   `json:"model"`
	Elo0  float64 `json:"elo0"`  // H0: the engine is stronger by Elo0, in the unit of Model
	Elo1  float64 `json:"elo1"`  // H1: by Elo1, which is more
	Alpha float64 `json:"alpha"` // chance to accept H1 where H0 holds
	Beta  float64 `json:"beta"`  // chance to accept H0 where H1 holds
}

// check returns what is wrong with h, nil if nothing.
func (h Hypotheses) check() error {
	for _, e := range []struct {
		name  string
		value float64
	}{{"elo0", h.Elo0}, {"elo1", h.Elo1}} {
		if !(math.Abs(e.value) <= maxHypothesis) {
			return fmt.Errorf("%s %v: not between -%d and %d", e.name, e.value, maxHypothesis, maxHypothesis)
		}
	}
	for _, e := range []struct {
		name  string
		value float64
	}{{"alpha", h.Alpha}, {"beta", h.Beta}} {
		if !(e.value > 0 && e.value < 1) {
			return fmt.Errorf("%s %v: not between 0 and 1", e.name, e.value)
		}
	}
	switch {
	case h.Model != Normalized && h.Model != Logistic:
		return fmt.Errorf("model %d: unknown", int(h.Model))
	case h.Elo0 >= h.Elo1:
		return fmt.Errorf("elo0 %v: not below elo1 %v", h.Elo0, h.Elo1)
	case h.Alpha+h.Beta >= 1:
		return fmt.Errorf("alpha %v and beta %v: their sum is not below 1", h.Alpha, h.Beta)
	}
	return nil
}

// State is where a test stands.
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

// SPRT is a sequential probability ratio test of checked hypotheses. It keeps no
// counts: each method is asked about all that were counted so far.
type SPRT struct {
	hypotheses Hypotheses
}

// NewSPRT returns the test of h. The error names the field that is wrong: Elo0
// and Elo1 must lie between -1000 and 1000 with Elo0 the lower, Alpha and Beta
// above 0 with a sum below 1.
func NewSPRT(h Hypotheses) (*SPRT, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return &SPRT{hypotheses: h}, nil
}

// Hypotheses returns what the test decides between.
func (t *SPRT) Hypotheses() Hypotheses { return t.hypotheses }

// Bounds returns the log-likelihood ratios, one below and one above 0, at which
// the test accepts H0 and H1: ln(beta/(1-alpha)) and ln((1-beta)/alpha).
func (t *SPRT) Bounds() (lower, upper float64) {
	h := t.hypotheses
	return math.Log(h.Beta / (1 - h.Alpha)), math.Log((1 - h.Beta) / h.Alpha)
}

// LLR is the natural logarithm of the generalized likelihood ratio of H1 over H0
// under the counts. It is finite, and 0 for no games.
func (t *SPRT) LLR(c Counts) float64 {
	h := t.hypotheses
	return logLikelihoodRatio(h.Model, c, h.Elo0, h.Elo1)
}

// State says what the test concludes from the counts.
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

// emptyClass stands for a count of zero in the likelihoods, which need every
// class to have been seen. The value is fishtest's.
const emptyClass = 1e-3

// The normalized model's distribution is found by iteration; it stands when no
// probability moves by more than standing.
const (
	standing      = 1e-12
	maxIterations = 1000
)

// logLikelihoodRatio is that of the hypothesis elo1 over elo0, each represented
// by the distribution that makes the counts likeliest (the generalized
// sequential probability ratio test): N sum p_i ln(p1_i/p0_i). It is 0 of no
// outcomes.
//
// Source: M. Van den Bergh's notes on the GSPRT and on normalized Elo, as
// fishtest uses them; the exact solutions, since the closed approximations are
// wrong for one-sided results.
func logLikelihoodRatio(model Model, c Counts, elo0, elo1 float64) float64 {
	ratio, _ := ratioAndReach(model, c, elo0, elo1)
	return ratio
}

// ratioAndReach returns the log-likelihood ratio, and the most that it would change by
// one outcome more if the two distributions stayed: the derivative of the ratio by the
// count of a class is ln(p1_i/p0_i), since both are at their maximum.
func ratioAndReach(model Model, c Counts, elo0, elo1 float64) (ratio, reach float64) {
	n, p := regularShares(c.Classes())
	if n == 0 {
		return 0, math.Inf(1)
	}
	likeliest := likeliestOf(model, c.GamesPerOutcome())
	p0, p1 := likeliest(p, elo0), likeliest(p, elo1)
	sum := 0.0
	for i := range p {
		change := math.Log(p1[i] / p0[i])
		sum += p[i] * change
		reach = max(reach, math.Abs(change))
	}
	return n * sum, reach
}

// likeliestOf returns the function that gives the distribution likeliest to show the
// shares p among those of a strength in the model's unit, for outcomes of so many games.
func likeliestOf(model Model, gamesPerOutcome int) func(p []float64, elo float64) []float64 {
	if model == Normalized {
		return likeliestWithNormalizedElo(gamesPerOutcome)
	}
	return likeliestWithMean
}

// regularShares returns the number of outcomes and the share of each class,
// with emptyClass in place of each zero. No outcomes are returned as n = 0.
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

// likeliestWithMean returns the distribution likeliest to show the shares p
// among those whose mean score the logistic curve expects of elo.
func likeliestWithMean(p []float64, elo float64) []float64 {
	score := ScoreOfElo(elo)
	phi := make([]float64, len(p))
	for i := range phi {
		phi[i] = classScore(i, len(p)) - score
	}
	return tilt(p, phi)
}

// likeliestWithNormalizedElo returns the function that gives the distribution
// likeliest to show the shares p among those with a given normalized Elo, for
// outcomes of so many games.
func likeliestWithNormalizedElo(gamesPerOutcome int) func(p []float64, nelo float64) []float64 {
	units := math.Sqrt(float64(gamesPerOutcome))
	return func(p []float64, nelo float64) []float64 {
		return likeliestWithRatio(p, nelo/eloScale*units)
	}
}

// likeliestWithRatio returns the distribution likeliest to show the shares p
// among those whose mean above 1/2 is t standard deviations.
//
// Its iteration starts from wins and losses alone, in the shares that meet the
// constraint: about a distribution that meets it the linear form takes both
// signs, as tilt needs, for every t. The usual uniform distribution leads to the
// same solution, but starts only for t up to about 0.94.
func likeliestWithRatio(p []float64, t float64) []float64 {
	start := make([]float64, len(p))
	start[0] = 0.5 - t/2/math.Sqrt(1+t*t)
	start[len(p)-1] = 1 - start[0]
	return iterateRatio(start, p, t)
}

// iterateRatio replaces the constraint on the mean in deviations by its linear
// form about the last distribution, solves, and goes on from the solution until
// it stands.
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
		if distance(last, next) < standing {
			return next
		}
		last = next
	}
	return last
}

// meanAndDeviation returns those of the score distributed as p.
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

// distance is the largest difference between two probabilities.
func distance(p, q []float64) float64 {
	largest := 0.0
	for i := range p {
		largest = math.Max(largest, math.Abs(p[i]-q[i]))
	}
	return largest
}

// maxHalvings ends a bisection that does not settle earlier.
const maxHalvings = 200

// tilt returns the distribution likeliest to show the shares p among those
// under which the mean of phi is zero: p_i / (1 + theta phi_i) with the theta
// for which sum p_i phi_i / (1 + theta phi_i) = 0.
//
// All of p is positive, and phi takes both signs. Then the sum falls from +Inf
// to -Inf as theta goes from -1/max(phi) to -1/min(phi), and the one root lies
// between.
//
// A rare class can put the root next to an end, where 1 + theta phi_i loses its
// digits. So theta is written as (1-u)/m, with m the distance of phi's end from
// zero on the root's side: the denominators become 1 + phi_i/m - u phi_i/m,
// which is u itself for the class at the end.
func tilt(p, phi []float64) []float64 {
	mean := 0.0
	for i, f := range phi {
		mean += p[i] * f
	}
	// With the sign of phi turned so that its mean is positive, theta is too.
	turn := float64(sign(mean))
	m := 0.0
	for _, f := range phi {
		m = max(m, -turn*f)
	}
	ratios := make([]float64, len(phi))
	for i, f := range phi {
		ratios[i] = turn * f / m
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

// risingRoot bisects 0 to 1 for the root of f, which rises through zero once
// above 0 and at or below 1. The root is positive, and good to a float64's
// relative precision. f is not called at 0.
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
