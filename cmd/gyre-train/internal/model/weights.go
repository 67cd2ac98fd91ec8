package model

import "gyre/search/evaluation"

// FromWeights returns the model of which every number is that of the weights.
func FromWeights(w *evaluation.Weights) evaluation.Model {
	m := evaluation.Model{
		Tempo:   float64(w.Tempo),
		Move:    float64(w.Move) / evaluation.MoveUnit,
		Blocked: float64(w.Blocked),
	}
	for index, worth := range w.Windows {
		m.Windows[index] = float64(worth) / evaluation.WindowUnit
	}
	for index, worth := range w.Sixes {
		m.Sixes[index] = float64(worth) / evaluation.WindowUnit
	}
	for own := range w.Removed {
		for theirs, worth := range w.Removed[own] {
			m.Removed[own][theirs] = float64(worth)
		}
	}
	return m
}
