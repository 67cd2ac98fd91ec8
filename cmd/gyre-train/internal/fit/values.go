package fit

import (
	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// layout is where the numbers of a model stand in a list, each in its slot: the
// sets of the stages one after the other, then the rings removed. A set has the
// patterns by their index, in the order of the table, and then the tempo.
type layout struct {
	pattern [evaluation.PatternCount]int // the slot of each pattern's index 0, within a set
	tempo   int                          // counts once always; within a set
	set     int                          // slots of a set
	removed int                          // + own rings removed + RemovedStates x theirs
	slots   int
}

// slots is the layout of all values.
var slots = func() (l layout) {
	for k, p := range patterns {
		l.pattern[k] = l.tempo
		l.tempo += p.States
	}
	l.set = l.tempo + 1
	l.removed = int(evaluation.StageCount) * l.set
	l.slots = l.removed + evaluation.RemovedStates*evaluation.RemovedStates
	return l
}()

// values are a model's numbers by slot, in logits of the share of the points
// that the side to move expects; or a gradient by them.
type values []float64

// newValues returns values that are all 0.
func newValues() values { return make(values, slots.slots) }

// setSlot returns the first slot of a stage's set.
func setSlot(s evaluation.Stage) int { return int(s) * slots.set }

// ofSet returns the values of a stage.
func (v values) ofSet(s evaluation.Stage) values { return v[setSlot(s):][:slots.set] }

// ofPattern returns the values of a pattern by index, of those of a stage.
func (v values) ofPattern(k int) values { return v[slots.pattern[k]:][:patterns[k].States] }

// removedSlot returns the slot of the rings removed.
func removedSlot(own, theirs int) int { return slots.removed + own + evaluation.RemovedStates*theirs }

// logit returns what a position is worth.
func (v values) logit(f *evaluation.Features) float64 {
	set := v.ofSet(f.Stage)
	sum := v[removedSlot(f.Own, f.Theirs)] + set[slots.tempo]
	for k, indexes := range f.Indexes {
		pattern := set.ofPattern(k)
		for _, index := range indexes {
			sum += pattern[index]
		}
	}
	return sum
}

// accumulate adds so many times the gradient of logit to v.
func (v values) accumulate(f *evaluation.Features, times float64) {
	set := v.ofSet(f.Stage)
	v[removedSlot(f.Own, f.Theirs)] += times
	set[slots.tempo] += times
	for k, indexes := range f.Indexes {
		pattern := set.ofPattern(k)
		for _, index := range indexes {
			pattern[index] += times
		}
	}
}

// anchored returns values by which positions are worth the same, and index 0 of
// each pattern and no rings removed nothing, and the tempo that of the first stage
// wherever the rings removed tell the stage.
func (v values) anchored() values {
	w := newValues()
	copy(w, v)
	var tempo [evaluation.StageCount]float64
	for s := range evaluation.StageCount {
		set := w.ofSet(s)
		tempo[s] = set[slots.tempo]
		for k := range patterns {
			vacant := set.ofPattern(k)[0]
			for index := range set.ofPattern(k) {
				set.ofPattern(k)[index] -= vacant
			}
			tempo[s] += float64(evaluation.PlaceCount(k)) * vacant
		}
	}
	none := v[slots.removed]
	usual := tempo[0] + none
	for own := range evaluation.RemovedStates {
		for theirs := range evaluation.RemovedStates {
			w[removedSlot(own, theirs)] += tempo[stageOf(own, theirs)] - usual
		}
	}
	for s := range evaluation.StageCount {
		w.ofSet(s)[slots.tempo] = usual
		if hasTempo(s) {
			w.ofSet(s)[slots.tempo] = tempo[s] + none
		}
	}
	return w
}

// hasTempo tells whether a stage has a tempo of its own. At the others what it is worth
// more or less to be to move is among what the rings removed are worth.
func hasTempo(s evaluation.Stage) bool { return s == evaluation.Opening || s == evaluation.Blitz }

// stageOf returns the stage with so many rings removed, after the opening.
func stageOf(own, theirs int) evaluation.Stage {
	return evaluation.StageBy(position.Standard, own, theirs, position.MarkersInGame)
}

// model returns the values in centipawns, so many to a logit.
func (v values) model(unit float64) *model.Model {
	m := model.New()
	eachNumber(m, v, func(number, value *float64) { *number = unit * *value })
	return m
}

// valuesOf undoes model.
func valuesOf(m *model.Model, unit float64) values {
	v := newValues()
	eachNumber(m, v, func(number, value *float64) { *value = *number / unit })
	return v
}

// eachNumber visits each number of a model with its slot.
func eachNumber(m *model.Model, v values, visit func(number, value *float64)) {
	for s := range evaluation.StageCount {
		set := v.ofSet(s)
		visit(&m.Sets[s].Tempo, &set[slots.tempo])
		for k := range patterns {
			for index := range m.Sets[s].Patterns[k] {
				visit(&m.Sets[s].Patterns[k][index], &set.ofPattern(k)[index])
			}
		}
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			visit(&m.Removed[own][theirs], &v[removedSlot(own, theirs)])
		}
	}
}
