package fit

import (
	"errors"
	"math"

	"gyre/search/evaluation"
)

// phaseCounts are the counts of all phases.
type phaseCounts [Phases]scoreCounts

// add counts an example.
func (c *phaseCounts) add(e *Example) {
	if e.Result != NoResult {
		c[e.phase()].add(e)
	}
}

// scalesOf returns the scales of each source, for an engine's scores mean what its
// weights make of them. A phase whose few scores say nothing has the scale of all of its
// source, and a source that of all sources.
func scalesOf(sources []*phaseCounts) ([]Scales, error) {
	list, all := make([]Scales, len(sources)), new(scoreCounts)
	whole := make([]scoreCounts, len(sources))
	for i, c := range sources {
		for phase := range c {
			whole[i].merge(&c[phase])
		}
		all.merge(&whole[i])
	}
	usual, err := all.scale()
	if err != nil {
		return nil, err
	}
	for i, c := range sources {
		ofSource := whole[i].scaleOr(usual)
		for phase := range c {
			list[i][phase] = c[phase].scaleOr(ofSource)
		}
	}
	return list, nil
}

// scaleOr returns the scale, or another where few scores say nothing.
func (c *scoreCounts) scaleOr(other float64) float64 {
	if c.total() < fewestScored {
		return other
	}
	if own, err := c.scale(); err == nil {
		return own
	}
	return other
}

// fewestScored is how many scores make a scale.
const fewestScored = 1000

// scoreCounts counts examples by score, from math.MinInt16 up, and result: all
// that the fit of the scale needs, whatever their number.
type scoreCounts [1 << 16][3]uint32

// merge adds other counts.
func (c *scoreCounts) merge(other *scoreCounts) {
	for i := range c {
		for result := range c[i] {
			c[i][result] += other[i][result]
		}
	}
}

// total returns how many are counted.
func (c *scoreCounts) total() (n int) {
	for i := range c {
		for _, count := range c[i] {
			n += int(count)
		}
	}
	return n
}

// add counts an example. A proven score is left out, as it is certain at every
// scale; where the game ended otherwise all the same, by a turn made at random,
// its loss would count for more than all others.
func (c *scoreCounts) add(e *Example) {
	if -evaluation.Bound < e.Score && e.Score < evaluation.Bound {
		c[e.Score-math.MinInt16][e.Result+1]++
	}
}

// The scales that are thought of, in centipawns.
const (
	leastScale = 5
	mostScale  = 20000
)

// errNoScale is that no scale is better than another.
var errNoScale = errors.New("the scores say nothing about the results, so no scale fits them: give a scale, or learn from the results alone")

// scale returns the centipawns to a logit: the s for which sigmoid(score/s)
// predicts the results best, by the mean of the log-loss.
func (c *scoreCounts) scale() (float64, error) {
	// The loss is convex in 1/s, so it has one minimum also over log s, and the
	// golden section finds it.
	const golden = 0.6180339887498949
	low, high := math.Log(leastScale), math.Log(mostScale)
	for high-low > 1e-6 {
		left, right := high-golden*(high-low), low+golden*(high-low)
		if c.loss(math.Exp(left)) < c.loss(math.Exp(right)) {
			high = right
		} else {
			low = left
		}
	}
	s := math.Exp((low + high) / 2)
	if s < leastScale*1.001 || s > mostScale*0.999 {
		return 0, errNoScale
	}
	return s, nil
}

// loss returns the sum of the log-losses of the results for a scale.
func (c *scoreCounts) loss(scale float64) (sum float64) {
	for i := range c {
		for result, count := range c[i] {
			if count > 0 {
				sum += float64(count) * crossEntropy(float64(i+math.MinInt16)/scale, float64(result)/2)
			}
		}
	}
	return sum
}
