package fit

import (
	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
)

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// layout is where the numbers of a model stand in a list, each in its slot: the
// patterns by their index, in the order of the table, then the others.
type layout struct {
	pattern [evaluation.PatternCount]int // the slot of each pattern's index 0
	removed int                          // + own rings removed + RemovedStates x theirs
	tempo   int                          // counts once always
	slots   int
}

// slots is the layout of all values.
var slots = func() (l layout) {
	for k, p := range patterns {
		l.pattern[k] = l.slots
		l.slots += p.States
	}
	l.removed = l.slots
	l.tempo = l.removed + evaluation.RemovedStates*evaluation.RemovedStates
	l.slots = l.tempo + 1
	return l
}()

// values are a model's numbers by slot, in logits of the share of the points
// that the side to move expects; or a gradient by them.
type values []float64

// newValues returns values that are all 0.
func newValues() values { return make(values, slots.slots) }

// ofPattern returns the values of a pattern by index.
func (v values) ofPattern(k int) values { return v[slots.pattern[k]:][:patterns[k].States] }

// ofRemoved returns the values of the rings removed.
func (v values) ofRemoved() values { return v[slots.removed:slots.tempo] }

// removedSlot returns the slot of the rings removed.
func removedSlot(own, theirs int) int { return slots.removed + own + evaluation.RemovedStates*theirs }

// logit returns what a position is worth.
func (v values) logit(f *evaluation.Features) float64 {
	sum := v[removedSlot(f.Own, f.Theirs)] + v[slots.tempo]
	for k, indexes := range f.Indexes {
		pattern := v.ofPattern(k)
		for _, index := range indexes {
			sum += pattern[index]
		}
	}
	return sum
}

// accumulate adds so many times the gradient of logit to v.
func (v values) accumulate(f *evaluation.Features, times float64) {
	v[removedSlot(f.Own, f.Theirs)] += times
	v[slots.tempo] += times
	for k, indexes := range f.Indexes {
		pattern := v.ofPattern(k)
		for _, index := range indexes {
			pattern[index] += times
		}
	}
}

// add adds other values to v.
func (v values) add(other values) {
	for slot := range v {
		v[slot] += other[slot]
	}
}

// anchored returns values by which positions are worth the same, and index 0 of
// each pattern and no rings removed nothing.
func (v values) anchored() values {
	w := newValues()
	copy(w, v)
	tempo := 0.0
	for k := range patterns {
		vacant := v.ofPattern(k)[0]
		for index := range w.ofPattern(k) {
			w.ofPattern(k)[index] -= vacant
		}
		tempo += float64(evaluation.PlaceCount(k)) * vacant
	}
	none := v[slots.removed]
	for i := range w.ofRemoved() {
		w.ofRemoved()[i] -= none
	}
	w[slots.tempo] += tempo + none
	return w
}

// model returns the values in centipawns, so many to a logit.
func (v values) model(unit float64) *model.Model {
	m := model.New()
	m.Tempo = unit * v[slots.tempo]
	for k := range m.Patterns {
		for index, worth := range v.ofPattern(k) {
			m.Patterns[k][index] = unit * worth
		}
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			m.Removed[own][theirs] = unit * v[removedSlot(own, theirs)]
		}
	}
	return m
}

// valuesOf undoes model.
func valuesOf(m *model.Model, unit float64) values {
	v := newValues()
	v[slots.tempo] = m.Tempo / unit
	for k := range m.Patterns {
		for index, worth := range m.Patterns[k] {
			v.ofPattern(k)[index] = worth / unit
		}
	}
	for own := range m.Removed {
		for theirs, worth := range m.Removed[own] {
			v[removedSlot(own, theirs)] = worth / unit
		}
	}
	return v
}
