package stats

import "math"

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
