package evaluation

import (
	"fmt"
	"math"
)

// Model is weights as a fit finds them, before they are rounded: those of
// [Weights] as real numbers, all in centipawns for the side to move.
type Model struct {
	Windows [WindowStates]float64
	Sixes   [SixStates]float64
	Removed [RemovedStates][RemovedStates]float64
	Tempo   float64
	Move    float64
	Blocked float64
}

// Evaluate returns the worth of a position with such features, in centipawns
// for the side to move.
func (m *Model) Evaluate(f *Features) float64 {
	worth := m.Removed[f.Own][f.Theirs] + m.Tempo + float64(m.Move*float64(f.Moves)) - float64(m.Blocked*float64(f.Blocked))
	for _, index := range f.Windows {
		worth += m.Windows[index]
	}
	for _, index := range f.Sixes {
		worth += m.Sixes[index]
	}
	return worth
}

// Quantise rounds a model to weights, and says about them where they come from.
// A number that is too large for its weight, or not a number, is an error; and
// so is a window that is worth something else than its reversal.
//
// The weights differ from the model by at most [QuantisationBound] centipawns,
// [Bound] aside.
func (m *Model) Quantise(about string) (*Weights, error) {
	w := &Weights{About: about}
	var err error
	round := func(value, unit float64, name string, args ...any) int16 {
		rounded := math.Round(value * unit)
		if err == nil && !(rounded >= math.MinInt16 && rounded <= math.MaxInt16) {
			err = fmt.Errorf("%s: %g centipawns are beyond the range of a weight, ±%g", fmt.Sprintf(name, args...), value, math.MaxInt16/unit)
		}
		return int16(rounded)
	}
	for index, worth := range m.Windows {
		w.Windows[index] = round(worth, WindowUnit, "window %d", index)
	}
	for index, worth := range m.Sixes {
		w.Sixes[index] = round(worth, WindowUnit, "six %d", index)
	}
	for own := range m.Removed {
		for theirs, worth := range m.Removed[own] {
			w.Removed[own][theirs] = round(worth, 1, "rings removed %d-%d", own, theirs)
		}
	}
	w.Tempo = round(m.Tempo, 1, "tempo")
	w.Move = round(m.Move, MoveUnit, "ring move")
	w.Blocked = round(m.Blocked, 1, "blocked ring")
	if err == nil {
		err = w.check()
	}
	if err != nil {
		return nil, fmt.Errorf("rounding weights: %w", err)
	}
	return w, nil
}

// QuantisationBound returns by how many centipawns at most the evaluation of
// features by quantised weights differs from that of their model: half a unit
// for each weight that counts, and what is lost where a term is rounded towards
// zero.
func QuantisationBound(f *Features) float64 {
	windows := 0.5/WindowUnit*float64(len(f.Windows)+len(f.Sixes)) + float64(WindowUnit-1)/WindowUnit
	moves := 0.5/MoveUnit*math.Abs(float64(f.Moves)) + float64(MoveUnit-1)/MoveUnit
	const removed, tempo = 0.5, 0.5
	return windows + moves + removed + tempo + 0.5*math.Abs(float64(f.Blocked))
}
