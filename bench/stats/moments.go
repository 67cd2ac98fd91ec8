package stats

import "math"

// Moments describe the score of one outcome, between 0 and 1.
type Moments struct {
	N        int     // outcomes counted: games, or pairs
	Mean     float64 // of the score
	Variance float64 // of the score, about the mean of these same outcomes
}

// MomentsOf returns the moments of the observed shares. Of no outcomes, which
// say nothing, it returns the mean 1/2 with the variance 0.
func MomentsOf(c Counts) Moments {
	classes := c.Classes()
	total, steps := 0, 0
	for i, n := range classes {
		total += n
		steps += i * n
	}
	if total == 0 {
		return Moments{Mean: 0.5}
	}
	// From whole numbers, so that even and one-sided results come out exact.
	mean := float64(steps) / (float64(len(classes)-1) * float64(total))
	variance := 0.0
	for i, n := range classes {
		off := classScore(i, len(classes)) - mean
		variance += float64(n) / float64(total) * off * off
	}
	return Moments{N: total, Mean: mean, Variance: variance}
}

// StandardError is the standard error of the mean; +Inf for no outcomes.
func (m Moments) StandardError() float64 {
	if m.N == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(m.Variance / float64(m.N))
}

// classScore is the score of class i of k.
func classScore(i, k int) float64 { return float64(i) / float64(k-1) }
