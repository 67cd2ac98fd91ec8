package stats

import "math"

// confidence is the number of standard errors to either side of a mean that
// hold 95% of a normal distribution.
const confidence = 1.959963984540054

// eloScale is C of the pages on normalized Elo: the Elo gained for a unit of
// score near an even result.
const eloScale = 800 / math.Ln10

// Estimate is a number with its error, half the width of the 95% interval.
// Either may be infinite; neither is ever NaN.
type Estimate struct {
	Value, Error float64
}

// EloOfScore is the Elo difference at which the logistic curve expects the
// score: -Inf for a score of 0 or less, +Inf for 1 or more.
func EloOfScore(score float64) float64 {
	if score <= 0 {
		return math.Inf(-1)
	}
	if score >= 1 {
		return math.Inf(1)
	}
	return -400 * math.Log10(1/score-1)
}

// ScoreOfElo is the score that the logistic curve expects of an engine stronger
// by elo.
func ScoreOfElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Elo is the logistic Elo difference of the mean score. Its error is half the
// way from the Elo of the score's lower confidence limit to that of its upper
// one, as fishtest and fastchess have it; it is infinite where a limit leaves
// the scores between 0 and 1.
//
// No games give 0 with an infinite error, games all won or all lost an infinite
// Elo with an infinite error. Outcomes all of one other class (all draws) have
// no observed variance and so the error 0.
func Elo(c Counts) Estimate {
	m := MomentsOf(c)
	value := EloOfScore(m.Mean)
	if m.N == 0 || math.IsInf(value, 0) {
		return Estimate{Value: value, Error: math.Inf(1)}
	}
	reach := confidence * m.StandardError()
	return Estimate{
		Value: value,
		Error: (EloOfScore(m.Mean+reach) - EloOfScore(m.Mean-reach)) / 2,
	}
}

// NormalizedElo is the mean score above 1/2 in units of the standard deviation
// of one game's score, on the scale of Elo. For pairs the deviation of a game is
// sqrt(2) times that of a pair, so that pairs of independent games give what
// their games give.
//
// No games give 0 with an infinite error. Outcomes all of one class have no
// deviation: in the even class they give 0 with its usual error, which depends
// on the number of outcomes alone, in another an infinity with an infinite
// error.
func NormalizedElo(c Counts) Estimate {
	m := MomentsOf(c)
	if m.N == 0 {
		return Estimate{Error: math.Inf(1)}
	}
	units := math.Sqrt(float64(c.GamesPerOutcome()))
	off := m.Mean - 0.5
	if m.Variance == 0 && off != 0 {
		return Estimate{Value: math.Inf(sign(off)), Error: math.Inf(1)}
	}
	e := Estimate{Error: eloScale * confidence / math.Sqrt(float64(m.N)) / units}
	if off != 0 {
		e.Value = eloScale * off / math.Sqrt(m.Variance) / units
	}
	return e
}

// LOS is the likelihood of superiority, from 0 to 1: how likely it is that the
// engine is the stronger one, its mean score taken as normally distributed about
// the true one. An even score, or no games, give exactly 1/2; outcomes all of
// one class other than the even one give exactly 0 or 1.
func LOS(c Counts) float64 {
	m := MomentsOf(c)
	off := m.Mean - 0.5
	if off == 0 {
		return 0.5
	}
	return normalCDF(off / m.StandardError())
}

// normalCDF is the standard normal distribution function.
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func sign(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}
