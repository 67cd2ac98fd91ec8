package main

import (
	"fmt"
	"math"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// estimate writes a number and its error.
func estimate(e stats.Estimate) string {
	if math.IsInf(e.Value, 0) {
		return "unknown"
	}
	if math.IsInf(e.Error, 0) {
		return stats.Signed(e.Value) + " +- inf"
	}
	return fmt.Sprintf("%s +- %.1f", stats.Signed(e.Value), e.Error)
}

// wdl writes games with the share of the points.
func wdl(g stats.Games) string {
	share := 0.0
	if g.Total() > 0 {
		share = 100 * (float64(g.Wins) + float64(g.Draws)/2) / float64(g.Total())
	}
	return fmt.Sprintf("+%d =%d -%d (%.1f%%)", g.Wins, g.Draws, g.Losses, share)
}

// scoreLine is the state of a match of two engines in one line, what matters
// most first.
func scoreLine(s *match.Standing, test *stats.SPRT) string {
	p := s.Pairings[0]
	text := fmt.Sprintf("%s Elo %s", wdl(p.Games), stats.DescribeElo(p.Pairs))
	if test != nil {
		lower, upper := test.Bounds()
		text += fmt.Sprintf(" LLR %.2f (%.2f, %.2f)", s.LLR, lower, upper)
	}
	text += fmt.Sprintf(" [%s] nElo %s LOS %.1f%%", p.Pairs, estimate(stats.NormalizedElo(p.Pairs)), 100*stats.LOS(p.Pairs))
	if n := faults(s); n > 0 {
		text += fmt.Sprintf(" faults %d", n)
	}
	return text
}

// faults is the number of games lost by a fault.
func faults(s *match.Standing) int {
	n := 0
	for _, of := range s.Faults {
		for _, games := range of {
			n += games
		}
	}
	return n
}
