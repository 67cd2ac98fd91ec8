package stats

import "math"

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
