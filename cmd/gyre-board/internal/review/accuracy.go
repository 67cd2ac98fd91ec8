package review

import (
	"math"

	"gyre/position"
)

// The curve of the accuracy of a turn, and what is added because a judgement is none too
// sure.
const (
	curveHeight = 103.1668100711649
	curveFall   = 0.04354415386753951
	curveFloor  = -3.166924740191411
	curveBonus  = 1
)

// accuracyOf returns the accuracy of a turn that lost so much, in per cent of a point.
func accuracyOf(lost float64) float64 {
	if lost <= 0 {
		return whole
	}
	return min(max(float64(curveHeight*math.Exp(-curveFall*lost))+curveFloor+curveBonus, 0), whole)
}

// The bounds of a window, in positions, and of the weight that its volatility gives.
const (
	leastWindow, mostWindow = 2, 8
	leastWeight, mostWeight = 0.5, 12
)

// weights returns the weight of each turn, by White's chances before the first turn and
// after each.
func weights(chances []float64) []float64 {
	turns := len(chances) - 1
	window := min(max(turns/10, leastWindow), mostWindow)
	list := make([]float64, turns)
	for i := range list {
		from := max(i-(window-2), 0)
		list[i] = min(max(deviation(chances[from:from+window]), leastWeight), mostWeight)
	}
	return list
}

// deviation returns the standard deviation of all there is.
func deviation(values []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(squares / float64(len(values)))
}

// sum is what the means of a side's accuracy are made of.
type sum struct {
	turns                        int
	weighted, weight, reciprocal float64
}

// add counts a turn.
func (s *sum) add(accuracy, weight float64) {
	s.turns++
	s.weighted += float64(accuracy * weight)
	s.weight += weight
	s.reciprocal += 1 / max(accuracy, 1)
}

// accuracy returns the side's accuracy, 0 if there is no turn.
func (s *sum) accuracy() float64 {
	if s.turns == 0 {
		return 0
	}
	return (s.weighted/s.weight + float64(s.turns)/s.reciprocal) / 2
}

// accuracies returns the accuracy of both sides in a game of these verdicts.
func accuracies(verdicts []Verdict) (sides [2]float64) {
	if len(verdicts) == 0 {
		return sides
	}
	forWhite := func(v *Verdict, chances float64) float64 {
		if v.Side == position.White {
			return chances
		}
		return whole - chances
	}
	white := []float64{forWhite(&verdicts[0], chances(verdicts[0].Before))}
	for i := range verdicts {
		white = append(white, forWhite(&verdicts[i], chances(verdicts[i].After)))
	}
	var sums [2]sum
	for i, weight := range weights(white) {
		sums[verdicts[i].Side].add(verdicts[i].Accuracy, weight)
	}
	for side := range sides {
		sides[side] = sums[side].accuracy()
	}
	return sides
}
