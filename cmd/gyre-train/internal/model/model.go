// Package model holds the weights of the evaluation as real numbers, as a fit finds them, and
// their text format. Model and its conversion to weights are in model.go, the text format in
// file.go.
package model

import (
	"fmt"
	"math"

	"gyre/search/evaluation"
)

// Model holds the weights of the evaluation before rounding: those of [evaluation.Weights] as
// real numbers, in centipawns for the side to move. Create it with New.
type Model struct {
	Sets    [evaluation.StageCount]Set
	Removed [evaluation.RemovedStates][evaluation.RemovedStates]float64
}

// Set is the part of a model for one stage.
type Set struct {
	Patterns [evaluation.PatternCount][]float64 // by pattern and index
	Tempo    float64
}

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// New returns a model in which every number is 0.
func New() *Model {
	m := &Model{}
	for s := range m.Sets {
		for k := range patterns {
			m.Sets[s].Patterns[k] = make([]float64, patterns[k].States)
		}
	}
	return m
}

// FromWeights converts weights to a model.
func FromWeights(w *evaluation.Weights) *Model {
	m := New()
	for own := range w.Removed {
		for theirs, worth := range w.Removed[own] {
			m.Removed[own][theirs] = float64(worth)
		}
	}
	for s := range m.Sets {
		set := &m.Sets[s]
		set.Tempo = float64(w.Sets[s].Tempo)
		for k := range patterns {
			for index, worth := range w.Sets[s].Patterns[k] {
				set.Patterns[k][index] = float64(worth) / float64(patterns[k].Unit)
			}
		}
	}
	return m
}

// Evaluate returns the evaluation of a position with features f, in centipawns for the side to
// move.
func (m *Model) Evaluate(f *evaluation.Features) float64 {
	set := &m.Sets[f.Stage]
	worth := m.Removed[f.Own][f.Theirs] + set.Tempo
	for k, indexes := range f.Indexes {
		for _, index := range indexes {
			worth += set.Patterns[k][index]
		}
	}
	return worth
}

// Quantize rounds a model to weights with the given description. It returns an error if a number
// is out of range or not a number, or if the values of an index and its reversal differ.
//
// The same model gives the same weights on every architecture: numbers are multiplied and
// rounded without an addition, so there is no multiply-add to fuse.
func (m *Model) Quantize(about string) (*evaluation.Weights, error) {
	w := evaluation.NewWeights(about)
	var err error
	round := func(value float64, unit int, name string, args ...any) int16 {
		rounded := math.Round(value * float64(unit))
		if err == nil && !(rounded >= math.MinInt16 && rounded <= math.MaxInt16) {
			err = fmt.Errorf("%s: %g centipawns are beyond the range of a weight, ±%g", fmt.Sprintf(name, args...), value, math.MaxInt16/float64(unit))
		}
		return int16(rounded)
	}
	for s := range m.Sets {
		stage := evaluation.Stage(s)
		for k := range patterns {
			p := &patterns[k]
			for index, worth := range m.Sets[s].Patterns[k] {
				w.Sets[s].Patterns[k][index] = round(worth, p.Unit, "%v %s %s", stage, p.Name, wordOf{p, index})
			}
		}
		w.Sets[s].Tempo = round(m.Sets[s].Tempo, 1, "%v tempo", stage)
	}
	for own := range m.Removed {
		for theirs, worth := range m.Removed[own] {
			w.Removed[own][theirs] = round(worth, 1, "rings removed %d-%d", own, theirs)
		}
	}
	if err == nil {
		err = w.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("rounding weights: %w", err)
	}
	return w, nil
}

// wordOf formats a pattern index on demand.
type wordOf struct {
	pattern *evaluation.Pattern
	index   int
}

// String returns the text of the index.
func (w wordOf) String() string { return w.pattern.Word(w.index) }

// Rounding describes the rounding of Quantize.
func Rounding() string {
	text := ""
	for _, p := range patterns {
		text += fmt.Sprintf("%s to 1/%d centipawn, ", p.Name, p.Unit)
	}
	return text + "all else to whole centipawns"
}
