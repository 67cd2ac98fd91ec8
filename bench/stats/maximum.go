package stats

import (
	"fmt"
	"math"
)

// DefaultPrior is the prior of Rate that is right unless there is a reason for
// another: one virtual game between each two engines that met.
const DefaultPrior = 1.0

// Newton's method is done when no rating moves by more than settled. Steps of
// more than longStep are tried, and halved while they lower the likelihood;
// shorter ones are safe. All in natural units, one of which is 174 Elo.
const (
	settled        = 1e-12
	longStep       = 0.1
	maxNewtonSteps = 200
)

// naturalElo is the Elo of one natural unit of rating, in which the expected
// score is 1/(1+exp(-difference)).
const naturalElo = 400 / math.Ln10

// Rate returns the maximum-likelihood ratings of so many engines under the
// Bradley-Terry model with a draw as half a win and half a loss: the ratings
// whose logistic expectations add up, for each engine, to the points that it
// scored. Two engines come out apart by the Elo of their score.
//
// prior is the number of virtual games, half of them won and half lost, added
// between each two engines that met; it must be positive. It keeps the ratings
// finite where an engine won or lost all, costs a fraction of a game elsewhere,
// and favours no rating in itself. Use DefaultPrior.
//
// Errors come from the sandwich covariance: the curvature of the likelihood
// gives how far a point moves the ratings, the observed scatter of the points
// how far points stray. So draws, and opposite results within a pair, narrow
// them as they do for Elo. Source: R. Bradley and M. Terry, "Rank analysis of
// incomplete block designs" (1952); P. Huber, "The behavior of maximum
// likelihood estimates under nonstandard conditions" (1967).
//
// The error is an *UnlinkedError if games do not connect all engines, another
// for an encounter of an engine with itself or out of range, or a prior that is
// not positive.
func Rate(engines int, encounters []Encounter, prior float64) (*Ratings, error) {
	if engines < 1 {
		return nil, fmt.Errorf("%d engines: need at least one", engines)
	}
	if !(prior > 0) || math.IsInf(prior, 1) {
		return nil, fmt.Errorf("prior %v: not a positive number of games", prior)
	}
	merged, err := merge(engines, encounters)
	if err != nil {
		return nil, err
	}
	if err := linked(engines, merged); err != nil {
		return nil, err
	}
	m := &maximum{engines: engines, encounters: merged, prior: prior}
	ratings := m.climb()
	return newRatings(ratings, m.covariance(ratings)), nil
}

// maximum is the search for the ratings of the greatest likelihood. Ratings are
// in natural units; only differences count, so engine 0 stays at zero, and
// vectors and matrices of the equations leave it out: row i is engine i+1.
type maximum struct {
	engines    int
	encounters []Encounter
	prior      float64
}

// games and points of an encounter, the virtual ones included.
func (m *maximum) games(e Encounter) float64  { return float64(e.games()) + m.prior }
func (m *maximum) points(e Encounter) float64 { return e.points() + m.prior/2 }

// expected is the score that the ratings expect of e's first engine, a game.
func expected(ratings []float64, e Encounter) float64 {
	return 1 / (1 + math.Exp(ratings[e.Second]-ratings[e.First]))
}

// climb finds the ratings by Newton's method from all equal.
func (m *maximum) climb() []float64 {
	ratings := make([]float64, m.engines)
	for range maxNewtonSteps {
		step := m.curvature(ratings).factor().solve(m.gradient(ratings))
		length := 0.0
		for _, s := range step {
			length = max(length, math.Abs(s))
		}
		share := 1.0
		next := moved(ratings, step, share)
		if length > longStep {
			for m.logLikelihood(next) < m.logLikelihood(ratings) && share*length > longStep {
				share /= 2
				next = moved(ratings, step, share)
			}
		}
		ratings = next
		if length < settled {
			break
		}
	}
	return ratings
}

// moved returns the ratings after a share of the step.
func moved(ratings, step []float64, share float64) []float64 {
	next := make([]float64, len(ratings))
	for i, s := range step {
		next[i+1] = ratings[i+1] + share*s
	}
	return next
}

// logLikelihood of the points, up to a constant. Written with logarithms of
// 1+exp(-|d|), it stays finite for all differences d.
func (m *maximum) logLikelihood(ratings []float64) float64 {
	sum := 0.0
	for _, e := range m.encounters {
		d := ratings[e.First] - ratings[e.Second]
		games, points := m.games(e), m.points(e)
		sum += points*d - games*(math.Max(d, 0)+math.Log1p(math.Exp(-math.Abs(d))))
	}
	return sum
}

// gradient is the points that each engine scored above those expected.
func (m *maximum) gradient(ratings []float64) []float64 {
	all := make([]float64, m.engines)
	for _, e := range m.encounters {
		above := m.points(e) - m.games(e)*expected(ratings, e)
		all[e.First] += above
		all[e.Second] -= above
	}
	return all[1:]
}

// curvature is the negative second derivative of the likelihood, positive
// definite since games link all engines to engine 0.
func (m *maximum) curvature(ratings []float64) symmetric {
	return m.sumOver(func(e Encounter) float64 {
		p := expected(ratings, e)
		return m.games(e) * p * (1 - p)
	})
}

// scatter is the observed covariance of the gradient. The virtual games count as
// wins and losses.
func (m *maximum) scatter(ratings []float64) symmetric {
	return m.sumOver(func(e Encounter) float64 {
		p := expected(ratings, e)
		return e.scatter(p) + m.prior/2*(p*p+(1-p)*(1-p))
	})
}

// sumOver adds up the matrices that weigh the squared difference of the two
// engines' ratings in each encounter.
func (m *maximum) sumOver(weight func(Encounter) float64) symmetric {
	sum := newSymmetric(m.engines - 1)
	for _, e := range m.encounters {
		w := weight(e)
		i, j := e.First-1, e.Second-1
		sum[j][j] += w
		if i >= 0 {
			sum[i][i] += w
			sum[i][j] -= w
			sum[j][i] -= w
		}
	}
	return sum
}

// covariance of the ratings about engine 0's, in natural units squared, engine 0
// included with zeros: curvature^-1 scatter curvature^-1.
func (m *maximum) covariance(ratings []float64) symmetric {
	factored := m.curvature(ratings).factor()
	half := newSymmetric(m.engines - 1)
	for i, row := range m.scatter(ratings) {
		half[i] = factored.solve(row)
	}
	all := newSymmetric(m.engines)
	for i := range half {
		column := make([]float64, len(half))
		for j := range half {
			column[j] = half[j][i]
		}
		copy(all[i+1][1:], factored.solve(column))
	}
	return all
}
