package report

import (
	"math"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// trajectory is how a match of two engines went, pair by pair.
type trajectory struct {
	pairs []float64 // so many had ended
	elo   []stats.Estimate
	llr   []float64 // nil without a test
}

// mostPoints is the number of pairs from which on a chart leaves some out: it then
// has at least so many points, and fewer than twice as many.
const mostPoints = 1000

// trajectoryOf returns the trajectory of the only encounter over the pairs that count,
// as the engine of a name sees it.
func trajectoryOf(name string, pairs []*match.PooledPair, test *stats.SPRT) trajectory {
	var c trajectory
	var counts stats.Pairs
	step := max(1, len(pairs)/mostPoints)
	for i, p := range pairs {
		if !p.Ends.Counts() {
			continue
		}
		counts[p.SeenFrom(name).HalfPoints()]++
		if i%step != 0 && i != len(pairs)-1 {
			continue
		}
		c.pairs = append(c.pairs, float64(counts.Total()))
		c.elo = append(c.elo, stats.Elo(counts))
		if test != nil {
			c.llr = append(c.llr, test.LLR(counts))
		}
	}
	return c
}

// bounded tells whether an estimate can be drawn: pairs that all ended alike bound
// nothing.
func bounded(e stats.Estimate) bool {
	return e.Error > 0 && !math.IsInf(e.Value, 0) && !math.IsInf(e.Error, 0) && e.Error < 2000
}
