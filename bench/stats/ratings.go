package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Ratings are the Elo ratings of several engines with their covariance, as Rate
// returns them. Engines are named by their indices; only differences between
// them mean anything, and the methods say against what they measure.
type Ratings struct {
	// elo has the mean zero. covariance is about engine 0's rating: its row
	// and column 0 are zero. In Elo and Elo squared.
	elo        []float64
	covariance symmetric
}

// newRatings takes ratings and their covariance in natural units.
func newRatings(natural []float64, covariance symmetric) *Ratings {
	r := &Ratings{elo: make([]float64, len(natural)), covariance: covariance}
	mean := 0.0
	for _, x := range natural {
		mean += x / float64(len(natural))
	}
	for i, x := range natural {
		r.elo[i] = naturalElo * (x - mean)
		for j := range covariance[i] {
			covariance[i][j] *= naturalElo * naturalElo
		}
	}
	return r
}

// Len is the number of engines.
func (r *Ratings) Len() int { return len(r.elo) }

// AboutMean is the rating of engine i with the mean of all at zero, and its
// error against that mean.
func (r *Ratings) AboutMean(i int) Estimate {
	weights := make([]float64, len(r.elo))
	for j := range weights {
		weights[j] = -1 / float64(len(weights))
	}
	weights[i]++
	return Estimate{Value: r.elo[i], Error: confidence * r.deviation(weights)}
}

// Anchored is the rating of engine i with that of the anchor fixed at elo, and
// its error against the anchor, whose own error is 0.
func (r *Ratings) Anchored(i, anchor int, elo float64) Estimate {
	e := r.Difference(i, anchor)
	e.Value += elo
	return e
}

// Difference is how much stronger engine i is than engine j.
func (r *Ratings) Difference(i, j int) Estimate {
	return Estimate{Value: r.elo[i] - r.elo[j], Error: confidence * r.deviationBetween(i, j)}
}

// LOS is the likelihood, from 0 to 1, that engine i is stronger than engine j;
// 1/2 if they come out equal.
func (r *Ratings) LOS(i, j int) float64 {
	difference := r.elo[i] - r.elo[j]
	if difference == 0 {
		return 0.5
	}
	return normalCDF(difference / r.deviationBetween(i, j))
}

// deviationBetween is the standard deviation of the difference of two ratings.
func (r *Ratings) deviationBetween(i, j int) float64 {
	weights := make([]float64, len(r.elo))
	weights[i]++
	weights[j]--
	return r.deviation(weights)
}

// deviation is the standard deviation of the weighted sum of the ratings, for
// weights that add up to zero.
func (r *Ratings) deviation(weights []float64) float64 {
	sum := 0.0
	for i, row := range r.covariance {
		for j, c := range row {
			sum += weights[i] * weights[j] * c
		}
	}
	// A variance of zero may come out a rounding below it.
	return math.Sqrt(math.Max(sum, 0))
}

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

// Encounter is what two engines did to each other, seen from the first. Engines
// are named by their indices. A game is counted either in Games or, with the
// other of its pair, in Pairs.
type Encounter struct {
	First, Second int
	Games         Games
	Pairs         Pairs
}

// UnlinkedError says that nothing compares two engines: no games lead from the
// one to the other, not even through others.
type UnlinkedError struct {
	First, Second int
}

// Error names the two engines by their indices.
func (e *UnlinkedError) Error() string {
	return fmt.Sprintf("engines %d and %d are not linked by any games", e.First, e.Second)
}

// swapped returns the same games as the second engine sees them.
func (e Encounter) swapped() Encounter {
	return Encounter{First: e.Second, Second: e.First, Games: e.Games.Swapped(), Pairs: e.Pairs.Swapped()}
}

// games is the number of games, those in pairs included.
func (e Encounter) games() int { return e.Games.Total() + 2*e.Pairs.Total() }

// points is the number of points that the first engine scored.
func (e Encounter) points() float64 {
	halves := 2*e.Games.Wins + e.Games.Draws
	for i, n := range e.Pairs {
		halves += i * n
	}
	return float64(halves) / 2
}

// scatter is the sum of the squared distances of the points from those expected
// at a score of p a game, over single games and whole pairs.
func (e Encounter) scatter(p float64) float64 {
	sum := 0.0
	for _, c := range []Counts{e.Games, e.Pairs} {
		worth := float64(c.GamesPerOutcome())
		classes := c.Classes()
		for i, n := range classes {
			off := worth * (classScore(i, len(classes)) - p)
			sum += float64(n) * off * off
		}
	}
	return sum
}

// merge checks the encounters of so many engines and returns one for each two
// that met, First below Second, in ascending order.
func merge(engines int, encounters []Encounter) ([]Encounter, error) {
	var merged []Encounter
	index := map[[2]int]int{}
	for i, e := range encounters {
		if err := e.check(engines); err != nil {
			return nil, fmt.Errorf("encounter %d: %w", i, err)
		}
		if e.games() == 0 {
			continue
		}
		if e.First > e.Second {
			e = e.swapped()
		}
		key := [2]int{e.First, e.Second}
		at, met := index[key]
		if !met {
			index[key] = len(merged)
			merged = append(merged, e)
			continue
		}
		merged[at].Games = merged[at].Games.Plus(e.Games)
		merged[at].Pairs = merged[at].Pairs.Plus(e.Pairs)
	}
	slices.SortFunc(merged, func(a, b Encounter) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return merged, nil
}

// check returns what is wrong with e among so many engines, nil if nothing.
func (e Encounter) check(engines int) error {
	for _, i := range []int{e.First, e.Second} {
		if i < 0 || i >= engines {
			return fmt.Errorf("engine %d: not one of the %d engines", i, engines)
		}
	}
	if e.First == e.Second {
		return fmt.Errorf("engine %d met itself", e.First)
	}
	for _, c := range []Counts{e.Games, e.Pairs} {
		for _, n := range c.Classes() {
			if n < 0 {
				return fmt.Errorf("engines %d and %d: negative count %d", e.First, e.Second, n)
			}
		}
	}
	return nil
}

// linked returns an *UnlinkedError unless games lead from engine 0 to all others.
func linked(engines int, encounters []Encounter) error {
	reached := make([]bool, engines)
	reached[0] = true
	for grown := true; grown; {
		grown = false
		for _, e := range encounters {
			if reached[e.First] != reached[e.Second] {
				reached[e.First], reached[e.Second] = true, true
				grown = true
			}
		}
	}
	for i, r := range reached {
		if !r {
			return &UnlinkedError{First: 0, Second: i}
		}
	}
	return nil
}

// Opponent is an engine of a known rating, and what another did against it.
type Opponent struct {
	Elo   Estimate
	Games Games // as the other sees them
	Pairs Pairs // as the other sees them, and not among Games
}

// Place returns the rating of an engine that has met opponents of known ratings:
// the likeliest under the Bradley-Terry model with a draw as half a win and half
// a loss, with prior virtual games, half of them won, against each opponent met,
// as for Rate. prior must be positive; it keeps the rating finite.
//
// The error is that of the likelihood's curvature, with those of the opponents'
// ratings, taken as independent, by the weight that each has. Without games the
// rating is 0 with an infinite error.
func Place(opponents []Opponent, prior float64) Estimate {
	low, high := -placeReach, placeReach
	for range 100 {
		middle := (low + high) / 2
		if excess, _ := placeAt(opponents, prior, middle); excess > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	rating := (low + high) / 2
	_, weights := placeAt(opponents, prior, rating)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return Estimate{Error: math.Inf(1)}
	}
	reach := confidence * naturalElo / math.Sqrt(total)
	variance := reach * reach
	for i, w := range weights {
		part := w / total * opponents[i].Elo.Error
		variance += part * part
	}
	return Estimate{Value: rating, Error: math.Sqrt(variance)}
}

// placeReach bounds ratings, in Elo, far beyond any that games can show.
const placeReach = 100_000.0

// placeAt returns the points that an engine of a rating made beyond those
// expected of it, and the weight of each opponent: the information of its games.
func placeAt(opponents []Opponent, prior, elo float64) (excess float64, weights []float64) {
	for _, o := range opponents {
		e := Encounter{Games: o.Games, Pairs: o.Pairs}
		games := float64(e.games())
		if games == 0 {
			weights = append(weights, 0)
			continue
		}
		p := ScoreOfElo(elo - o.Elo.Value)
		excess += e.points() + prior/2 - (games+prior)*p
		weights = append(weights, (games+prior)*p*(1-p))
	}
	return excess, weights
}

// symmetric is a symmetric matrix by rows, both triangles filled in.
type symmetric [][]float64

// newSymmetric returns the zero matrix of n rows.
func newSymmetric(n int) symmetric {
	cells := make([]float64, n*n)
	rows := make(symmetric, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

// cholesky is the lower triangle L of a positive definite matrix L L^T.
type cholesky [][]float64

// factor returns the Cholesky factor of a, which must be positive definite.
func (a symmetric) factor() cholesky {
	l := cholesky(newSymmetric(len(a)))
	for i := range a {
		for j := 0; j <= i; j++ {
			rest := a[i][j]
			for k := range j {
				rest -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(rest)
			} else {
				l[i][j] = rest / l[j][j]
			}
		}
	}
	return l
}

// solve returns the x for which L L^T x = b.
func (l cholesky) solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range x {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		for k := i + 1; k < len(x); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x
}
