package fit

import (
	"fmt"
	"strings"

	"gyre/search/evaluation"
)

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
