package fit

import (
	"gyre/position"
	"gyre/search/evaluation"
)

// The slots of the numbers that a model has: the windows by their index, the sixes
// by theirs, then the others.
const (
	windowSlots = evaluation.WindowStates
	sixSlot     = windowSlots                                                     // + the index of the six
	removedSlot = sixSlot + evaluation.SixStates                                  // + own rings removed + RemovedStates x theirs
	tempoSlot   = removedSlot + evaluation.RemovedStates*evaluation.RemovedStates // counts once always
	moveSlot    = tempoSlot + 1                                                   // for each ring move more than the other side
	blockedSlot = moveSlot + 1                                                    // for each blocked ring more than the other side
	slots       = blockedSlot + 1
)

// values are a model's numbers by slot, in logits of the share of the points
// that the side to move expects; or a gradient by them.
type values [slots]float64

// removed returns the slot of the rings removed.
func removed(own, theirs int) int { return removedSlot + own + evaluation.RemovedStates*theirs }

// logit returns what a position is worth.
func (v *values) logit(f *evaluation.Features) float64 {
	sum := v[removed(f.Own, f.Theirs)] + v[tempoSlot] + v[moveSlot]*float64(f.Moves) + v[blockedSlot]*float64(f.Blocked)
	for _, index := range f.Windows {
		sum += v[index]
	}
	for _, index := range f.Sixes {
		sum += v[sixSlot+int(index)]
	}
	return sum
}

// accumulate adds so many times the gradient of logit to v.
func (v *values) accumulate(f *evaluation.Features, times float64) {
	v[removed(f.Own, f.Theirs)] += times
	v[tempoSlot] += times
	v[moveSlot] += times * float64(f.Moves)
	v[blockedSlot] += times * float64(f.Blocked)
	for _, index := range f.Windows {
		v[index] += times
	}
	for _, index := range f.Sixes {
		v[sixSlot+int(index)] += times
	}
}

// add adds other values to v.
func (v *values) add(other *values) {
	for slot := range v {
		v[slot] += other[slot]
	}
}

// anchored returns values by which positions are worth the same, and the empty
// window, the empty six and no rings removed nothing.
func (v *values) anchored() *values {
	w := *v
	for index := range windowSlots {
		w[index] -= v[0]
	}
	for slot := sixSlot; slot < removedSlot; slot++ {
		w[slot] -= v[sixSlot]
	}
	for slot := removedSlot; slot < tempoSlot; slot++ {
		w[slot] -= v[removedSlot]
	}
	w[tempoSlot] += position.RowCount*v[0] + evaluation.SixCount*v[sixSlot] + v[removedSlot]
	return &w
}

// model returns the values in centipawns, of which so many make a logit.
func (v *values) model(unit float64) *evaluation.Model {
	m := &evaluation.Model{Tempo: unit * v[tempoSlot], Move: unit * v[moveSlot], Blocked: -unit * v[blockedSlot]}
	for index := range m.Windows {
		m.Windows[index] = unit * v[index]
	}
	for index := range m.Sixes {
		m.Sixes[index] = unit * v[sixSlot+index]
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			m.Removed[own][theirs] = unit * v[removed(own, theirs)]
		}
	}
	return m
}

// valuesOf undoes model.
func valuesOf(m *evaluation.Model, unit float64) *values {
	v := new(values)
	v[tempoSlot], v[moveSlot], v[blockedSlot] = m.Tempo/unit, m.Move/unit, -m.Blocked/unit
	for index, worth := range m.Windows {
		v[index] = worth / unit
	}
	for index, worth := range m.Sixes {
		v[sixSlot+index] = worth / unit
	}
	for own := range m.Removed {
		for theirs, worth := range m.Removed[own] {
			v[removed(own, theirs)] = worth / unit
		}
	}
	return v
}
