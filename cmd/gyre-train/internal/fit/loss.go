package fit

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gyre/search/evaluation"
)

// sigmoid converts a logit to an expected score.
func sigmoid(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// crossEntropy returns the logistic loss of a logit against an expected score.
func crossEntropy(logit, target float64) float64 {
	// log(1 + exp(logit)) without overflow.
	return max(logit, 0) + math.Log1p(math.Exp(-math.Abs(logit))) - target*logit
}

// entropy returns the logistic loss of an expected score against itself, the least possible.
func entropy(target float64) float64 {
	if target <= 0 || target >= 1 {
		return 0
	}
	return -target*math.Log(target) - (1-target)*math.Log1p(-target)
}

// target is what a fit predicts: a mixture of the search's score and the game's result.
type target struct {
	share  float64  // weight of the result
	scales []Scales // of the scores, by source
}

// openingShare is the weight of the result in the opening. The score of an opening position is
// taken from a later one and is less reliable.
const openingShare = 0.5

// of returns the target of an example in a phase.
func (t target) of(e *Example, phase int) float64 {
	share := t.share
	switch {
	case e.Result == NoResult:
		share = 0
	case phase == openingPhase && share > 0 && share < 1:
		share = openingShare
	}
	if share == 1 { // scales may be missing
		return float64(e.Result+1) / 2
	}
	return share*float64(e.Result+1)/2 + (1-share)*sigmoid(float64(e.Score)/t.scales[e.Source][phase])
}

// knows reports whether the example has a target: not if only results count and it has none.
func (t target) knows(e *Example) bool { return t.share < 1 || e.Result != NoResult }

// Loss is the sum of losses by phase.
type Loss struct {
	Sum   [Phases]float64
	Count [Phases]int
}

// add adds the loss of an example.
func (l *Loss) add(phase int, loss float64) {
	l.Sum[phase] += loss
	l.Count[phase]++
}

// merge adds the losses of other.
func (l *Loss) merge(other *Loss) {
	for phase := range l.Sum {
		l.Sum[phase] += other.Sum[phase]
		l.Count[phase] += other.Count[phase]
	}
}

// Mean returns the mean loss per example in a phase, or NaN if there is none.
func (l *Loss) Mean(phase int) float64 { return l.Sum[phase] / float64(l.Count[phase]) }

// Total returns the mean loss per example and the number of examples.
func (l *Loss) Total() (mean float64, count int) {
	sum := 0.0
	for phase := range l.Sum {
		sum += l.Sum[phase]
		count += l.Count[phase]
	}
	return sum / float64(count), count
}

// Losses and scales are kept by phase: the opening, then the number of removed rings of both
// sides, regardless of which side is ahead, or blitz. A score means less in an earlier phase.
const (
	openingPhase = iota
	firstPhase   // no rings removed
	blitzPhase   = firstPhase + evaluation.RemovedStates*(evaluation.RemovedStates+1)/2
	Phases       = blitzPhase + 1
)

func phaseOf(f *evaluation.Features) int { return phaseBy(f.Stage, f.Own, f.Theirs) }

// phaseBy returns the phase for a stage and the removed rings.
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

// PhaseName returns the name of a phase: "opening", "blitz", or the removed rings, for example
// "2-1".
func PhaseName(phase int) string { return phaseNames[phase] }

// Scales holds the centipawns per logit of the scores by phase. 0 means unknown.
type Scales [Phases]float64

// sameScales returns the same scale for all phases.
func sameScales(scale float64) (s Scales) {
	for phase := range s {
		s[phase] = scale
	}
	return s
}

// Known reports whether the scales are known.
func (s *Scales) Known() bool { return s[firstPhase] > 0 }

// String formats the scales with their phases.
func (s *Scales) String() string {
	var list []string
	for phase, scale := range s {
		list = append(list, fmt.Sprintf("%s %.1f", phaseNames[phase], scale))
	}
	return strings.Join(list, ", ")
}

// phaseCounts counts examples by phase.
type phaseCounts [Phases]scoreCounts

// add counts an example.
func (c *phaseCounts) add(e *Example) {
	if e.Result != NoResult {
		c[e.phase()].add(e)
	}
}

// scalesOf returns the centipawns per logit with which the scores of each phase predict the results
// best: for each source, because the meaning of scores depends on the engine. A phase with too few
// scores uses the scale of its source, and a source with too few uses that of all sources.
func scalesOf(sources []*phaseCounts) ([]Scales, error) {
	list, all := make([]Scales, len(sources)), new(scoreCounts)
	ofSources := make([]scoreCounts, len(sources))
	for i, c := range sources {
		for phase := range c {
			ofSources[i].merge(&c[phase])
		}
		all.merge(&ofSources[i])
	}
	usual, err := all.scale()
	if err != nil {
		return nil, err
	}
	for i, c := range sources {
		ofSource := ofSources[i].scaleOr(usual)
		for phase := range c {
			list[i][phase] = c[phase].scaleOr(ofSource)
		}
	}
	return list, nil
}

// scaleOr returns the scale, or other if there are too few scores.
func (c *scoreCounts) scaleOr(other float64) float64 {
	if c.total() < minScores {
		return other
	}
	if own, err := c.scale(); err == nil {
		return own
	}
	return other
}

// minScores is the number of scores needed to fit a scale.
const minScores = 1000

// scoreCounts counts examples by score, from math.MinInt16 up, and by result. That is enough to
// fit the scale to any number of examples.
type scoreCounts [1 << 16][3]uint32

// merge adds other counts.
func (c *scoreCounts) merge(other *scoreCounts) {
	for i := range c {
		for result := range c[i] {
			c[i][result] += other[i][result]
		}
	}
}

// total returns the number of counted examples.
func (c *scoreCounts) total() (n int) {
	for i := range c {
		for _, count := range c[i] {
			n += int(count)
		}
	}
	return n
}

// add counts an example. Proven scores are skipped: they are certain at every scale, and if a
// random turn changed the result, their loss would outweigh all others.
func (c *scoreCounts) add(e *Example) {
	if -evaluation.MaxScore < e.Score && e.Score < evaluation.MaxScore {
		c[e.Score-math.MinInt16][e.Result+1]++
	}
}

// The range of scales, in centipawns.
const (
	minScale = 5
	maxScale = 20000
)

// errNoScale means that the loss has no minimum within the range of scales.
var errNoScale = errors.New("no scale fits, because the scores do not predict the results: use more games, set a scale such as -scale 100, or learn from results alone with -share 1")

// scale returns the centipawns per logit s for which sigmoid(score/s) has the lowest log-loss.
func (c *scoreCounts) scale() (float64, error) {
	// The loss is convex in 1/s, so it has a single minimum over log s, which a golden-section
	// search finds.
	const golden = 0.6180339887498949
	low, high := math.Log(minScale), math.Log(maxScale)
	for high-low > 1e-6 {
		left, right := high-golden*(high-low), low+golden*(high-low)
		if c.loss(math.Exp(left)) < c.loss(math.Exp(right)) {
			high = right
		} else {
			low = left
		}
	}
	s := math.Exp((low + high) / 2)
	if s < minScale*1.001 || s > maxScale*0.999 {
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
