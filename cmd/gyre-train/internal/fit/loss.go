package fit

import "math"

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
