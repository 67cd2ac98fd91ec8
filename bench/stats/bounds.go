package stats

import (
	"fmt"
	"math"
)

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
