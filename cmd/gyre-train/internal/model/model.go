// Package model holds the weights of the evaluation as a fit finds them: real
// numbers, in memory and as text that people read too.
//
//	model.go     Model, and models from weights
//	quantise.go  weights from a model
//	write.go     File: the text of a model, and writing it
//	read.go      reading it
package model

import (
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
