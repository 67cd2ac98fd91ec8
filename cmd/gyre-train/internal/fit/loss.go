package fit

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gyre/search/evaluation"
)

// sigmoid is the share of the points that a side expects with a logit.
func sigmoid(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// crossEntropy is the logistic loss of a logit against a share of points.
func crossEntropy(logit, target float64) float64 {
	// log(1 + exp(logit)) without overflow.
	return max(logit, 0) + math.Log1p(math.Exp(-math.Abs(logit))) - target*logit
}

// target says what a fit is to predict: a mixture of what the search said and of
// how the game ended.
type target struct {
	share  float64  // of the result
	scales []Scales // of the scores, by source
}

// openingShare is the share of the result while the opening lasts: the score, which
// is that of a later position, says little.
const openingShare = 0.5

// of returns the share of the points to predict for an example of a phase.
func (t target) of(e *Example, phase int) float64 {
	share := t.share
	switch {
	case e.Result == NoResult:
		share = 0
	case phase == openingPhase && share > 0 && share < 1:
		share = openingShare
	}
	if share == 1 { // there may be no scales
		return float64(e.Result+1) / 2
	}
	return share*float64(e.Result+1)/2 + (1-share)*sigmoid(float64(e.Score)/t.scales[e.Source][phase])
}

// knows tells whether there is anything to predict for an example: results alone say
// nothing of one that has none.
func (t target) knows(e *Example) bool { return t.share < 1 || e.Result != NoResult }

// Loss is the sum of the losses of examples, by phase.
type Loss struct {
	Sum   [Phases]float64 // against the target
	Count [Phases]int
}

// add counts a loss.
func (l *Loss) add(phase int, loss float64) {
	l.Sum[phase] += loss
	l.Count[phase]++
}

// merge adds the losses of other examples.
func (l *Loss) merge(other *Loss) {
	for phase := range l.Sum {
		l.Sum[phase] += other.Sum[phase]
		l.Count[phase] += other.Count[phase]
	}
}

// Mean returns the loss of an example of a phase in the mean; not a number if
// there is none.
func (l *Loss) Mean(phase int) float64 { return l.Sum[phase] / float64(l.Count[phase]) }

// Total returns the loss of an example in the mean, and how many there are.
func (l *Loss) Total() (mean float64, count int) {
	sum := 0.0
	for phase := range l.Sum {
		sum += l.Sum[phase]
		count += l.Count[phase]
	}
	return sum / float64(count), count
}

// Losses and scales are told apart by phase: the opening, and then the rings removed
// by the two sides, whoever is ahead, or blitz. A score means less the earlier it is.
const (
	openingPhase = iota
	firstPhase   // no ring is removed
	blitzPhase   = firstPhase + evaluation.RemovedStates*(evaluation.RemovedStates+1)/2
	Phases       = blitzPhase + 1
)

// phaseOf returns the phase of a position.
func phaseOf(f *evaluation.Features) int { return phaseBy(f.Stage, f.Own, f.Theirs) }

// phaseBy returns the phase by the stage and the rings removed.
func phaseBy(s evaluation.Stage, own, theirs int) int {
	switch s {
	case evaluation.Opening:
		return openingPhase
	case evaluation.Blitz:
		return blitzPhase
	}
	more := max(own, theirs)
	return firstPhase + more*(more+1)/2 + min(own, theirs)
}

// phase returns the phase of the example.
func (e *Example) phase() int {
	return phaseBy(e.stage(), e.Own, e.Theirs)
}

// phaseNames are the names of the phases.
var phaseNames = func() (names [Phases]string) {
	names[openingPhase], names[blitzPhase] = "opening", "blitz"
	for more := range evaluation.RemovedStates {
		for less := range more + 1 {
			names[phaseBy(evaluation.NeitherShort, more, less)] = fmt.Sprintf("%d-%d", more, less)
		}
	}
	return names
}()

// PhaseName returns the name of a phase: "opening", "blitz", or rings removed such as "2-1".
func PhaseName(phase int) string { return phaseNames[phase] }

// Scales are by phase how many centipawns of the scores make a logit; 0 where none
// are known.
type Scales [Phases]float64

// sameScales returns one scale for all phases.
func sameScales(scale float64) (s Scales) {
	for phase := range s {
		s[phase] = scale
	}
	return s
}

// Known tells whether there are scales.
func (s *Scales) Known() bool { return s[firstPhase] > 0 }

// String returns them with their phases.
func (s *Scales) String() string {
	var list []string
	for phase, scale := range s {
		list = append(list, fmt.Sprintf("%s %.1f", phaseNames[phase], scale))
	}
	return strings.Join(list, ", ")
}

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
