// Package model holds the weights of the evaluation as a fit finds them: real
// numbers, in memory and as text that people read too.
//
//	model.go     Model, and models from weights
//	quantise.go  weights from a model
//	write.go     File: the text of a model, and writing it
//	read.go      reading it
package model

import (
	"fmt"
	"math"

	"gyre/search/evaluation"
)

// Model is weights before they are rounded: those of [evaluation.Weights] as
// real numbers, all in centipawns for the side to move. Begin with New.
type Model struct {
	Sets    [evaluation.StageCount]Set
	Removed [evaluation.RemovedStates][evaluation.RemovedStates]float64
}

// Set is what counts at a stage.
type Set struct {
	Patterns [evaluation.PatternCount][]float64 // by pattern and index
	Tempo    float64
}

// patterns is the table of patterns.
var patterns = evaluation.Patterns()

// New returns a model by which nothing is worth anything.
func New() *Model {
	m := &Model{}
	for s := range m.Sets {
		for k := range patterns {
			m.Sets[s].Patterns[k] = make([]float64, patterns[k].States)
		}
	}
	return m
}

// FromWeights returns the model that has the numbers of weights.
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

// Evaluate returns the worth of a position with such features, in centipawns for
// the side to move.
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

// Quantise rounds a model to weights, each to the nearest that its unit allows,
// and says about them where they come from. A number that is too large for its
// weight, or not a number, is an error; and so is an index of a pattern that is
// worth something else than its reversal.
//
// The same model gives the same weights on every architecture: a number is
// multiplied by its unit, rounded, and nothing is added to a product, so there is
// no multiply-add to fuse.
func (m *Model) Quantise(about string) (*evaluation.Weights, error) {
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

// wordOf is the text of an index, made only where it is wanted.
type wordOf struct {
	pattern *evaluation.Pattern
	index   int
}

// String returns the text.
func (w wordOf) String() string { return w.pattern.Word(w.index) }

// Rounding says in words to what Quantise rounds.
func Rounding() string {
	text := ""
	for _, p := range patterns {
		text += fmt.Sprintf("%s to 1/%d of a centipawn, ", p.Name, p.Unit)
	}
	return text + "the rest to whole ones"
}
