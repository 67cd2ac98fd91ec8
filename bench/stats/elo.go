// Package stats turns the results of matches into strengths: Elo and
// normalized Elo with their errors, the likelihood of superiority, sequential
// probability ratio tests, and the ratings of several engines. It knows nothing
// of engines or of rules, only of counts.
//
// The files:
//
//	counts.go    Games and Pairs: what is counted, its text, mean and variance
//	elo.go       Elo, NormalizedElo, LOS and their errors; the report of the calculator
//	sprt.go      SPRT: hypotheses, bounds, and the log-likelihood ratio
//	simulate.go  Forecast and Simulation: how long a test takes and how it ends
//	ratings.go   Ratings of several engines by maximum likelihood; Place
//
// All results are seen from one engine, the first of the two. An error is half
// the width of the 95% confidence interval. A number that the counts leave
// without bound is an infinity, never NaN; each function says what it does with
// no games at all and with one-sided results.
package stats

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

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

// doubt is the chance that an interval does not hold what it is for.
const doubt = 0.05

// OneClassBounds returns the Elo differences between which the true one lies, with
// 95% confidence, when so many outcomes, at least one, were all of one class. They
// have no deviation, so that Elo has no error to give. But a class of which all n
// outcomes are has a share of at least 0.05^(1/n), or that would have happened less
// than one time in twenty; the rest may be anything. Source: J. A. Hanley and
// A. Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?" (1983).
func OneClassBounds(score float64, outcomes int) (low, high float64) {
	share := math.Pow(doubt, 1/float64(outcomes))
	return EloOfScore(share * score), EloOfScore(share*score + 1 - share)
}

// DescribeElo writes what the counts say of the Elo difference: `+26.1 +- 34.8`
// with half the 95% interval, or the bounds where that has no width or no end, as
// in `at least +137.1` of eight pairs won.
func DescribeElo(c Counts) string {
	m := MomentsOf(c)
	switch {
	case m.N == 0:
		return "unknown"
	case m.Variance > 0:
		e := Elo(c)
		if math.IsInf(e.Error, 0) {
			reach := confidence * m.StandardError()
			return between(e.Value, EloOfScore(m.Mean-reach), EloOfScore(m.Mean+reach))
		}
		return fmt.Sprintf("%s +- %.1f", Signed(e.Value), e.Error)
	}
	low, high := OneClassBounds(m.Mean, m.N)
	return between(EloOfScore(m.Mean), low, high)
}

// between writes an Elo with its bounds, any of which may be infinite.
func between(elo, low, high float64) string {
	text := ""
	if !math.IsInf(elo, 0) {
		text = Signed(elo) + ", "
	}
	switch {
	case math.IsInf(high, 1) && math.IsInf(low, -1):
		return text + "without bounds"
	case math.IsInf(high, 1):
		return text + "at least " + Signed(low)
	case math.IsInf(low, -1):
		return text + "at most " + Signed(high)
	}
	return fmt.Sprintf("%sfrom %s to %s", text, Signed(low), Signed(high))
}

// Signed writes a number with its sign and one decimal, but nothing as a negative
// zero.
func Signed(x float64) string {
	if text := fmt.Sprintf("%+.1f", x); text != "-0.0" {
		return text
	}
	return "+0.0"
}

// WriteReport writes what the counts say, a line `name value` each: elo,
// elo_error, nelo, nelo_error, los in percent, and, for a test that is not nil,
// llr, lower, upper and state. Numbers have six decimals or are inf or -inf; a
// state is one of continue, accept H0, accept H1. The error is w's.
func WriteReport(w io.Writer, c Counts, test *SPRT) error {
	var out bytes.Buffer
	line := func(name, value string) { fmt.Fprintf(&out, "%s %s\n", name, value) }
	elo, nelo := Elo(c), NormalizedElo(c)
	line("elo", number(elo.Value))
	line("elo_error", number(elo.Error))
	line("nelo", number(nelo.Value))
	line("nelo_error", number(nelo.Error))
	line("los", number(100*LOS(c)))
	if test != nil {
		lower, upper := test.Bounds()
		line("llr", number(test.LLR(c)))
		line("lower", number(lower))
		line("upper", number(upper))
		line("state", test.State(c).String())
	}
	_, err := w.Write(out.Bytes())
	return err
}

// number returns x with six decimals, without the sign of a zero.
func number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	text := fmt.Sprintf("%.6f", x)
	if text == "-0.000000" {
		return text[1:]
	}
	return text
}
