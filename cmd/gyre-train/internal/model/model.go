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
	Net     Net
}

// Net is the part of a model for the crossings, an [evaluation.Net]: the units of hidden units
// range from 0 to 1. Create it with NewNet. Without units it adds nothing.
type Net struct {
	Bias    []float64                                                 // by unit
	Inputs  [evaluation.BoardStates][evaluation.LineClasses][]float64 // by unit
	Readout [evaluation.Buckets][2][]float64                          // by unit, in centipawns
	Base    [evaluation.Buckets]float64                               // in centipawns
}

// NewNet returns a net in which every number is 0.
func NewNet(units int) (n Net) {
	n.each(func(_ string, list *[]float64) { *list = make([]float64, units) })
	return n
}

// Units returns the number of hidden units.
func (n *Net) Units() int { return len(n.Bias) }

// each visits the lists of numbers by unit, with their names.
func (n *Net) each(visit func(name string, list *[]float64)) {
	visit("bias", &n.Bias)
	for state := range n.Inputs {
		for class := range n.Inputs[state] {
			visit(fmt.Sprintf("input %c %d", stateLetters[state], class), &n.Inputs[state][class])
		}
	}
	for b := range n.Readout {
		visit(fmt.Sprintf("readout %v own", evaluation.Bucket(b)), &n.Readout[b][0])
		visit(fmt.Sprintf("readout %v theirs", evaluation.Bucket(b)), &n.Readout[b][1])
	}
}

// stateLetters holds the letters of [evaluation.Pattern.Word] for the states of a point.
var stateLetters = func() (letters [evaluation.BoardStates]byte) {
	for state := range letters {
		letters[state] = patterns[0].Word(state)[0]
	}
	return letters
}()

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
	net := w.Net
	if net.Units() == 0 {
		return m
	}
	m.Net = NewNet(net.Units())
	round := func(to []float64, from []int16, unit float64) {
		for k := range to {
			to[k] = float64(from[k]) / unit
		}
	}
	round(m.Net.Bias, net.Bias, evaluation.HiddenUnit)
	for state := range m.Net.Inputs {
		for class := range m.Net.Inputs[state] {
			round(m.Net.Inputs[state][class], net.Inputs[state][class], evaluation.HiddenUnit)
		}
	}
	for b := range m.Net.Readout {
		m.Net.Base[b] = float64(net.Base[b]) / evaluation.FinestUnit
		for view := range m.Net.Readout[b] {
			round(m.Net.Readout[b][view], net.Readout[b][view], evaluation.ReadoutUnit)
		}
	}
	return m
}

// Evaluate returns the evaluation of a position with features f without its crossings, in
// centipawns for the side to move.
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
	if m.Net.Units() > 0 {
		m.Net.quantize(&w.Net, round)
	}
	if err == nil {
		err = w.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("rounding weights: %w", err)
	}
	return w, nil
}

// quantize sets rounded to the rounded net.
func (n *Net) quantize(rounded *evaluation.Net, round func(value float64, unit int, name string, args ...any) int16) {
	list := func(values []float64, unit int, name string) (all []int16) {
		for k, value := range values {
			all = append(all, round(value, unit, "net %s, unit %d", name, k))
		}
		return all
	}
	rounded.Bias = list(n.Bias, evaluation.HiddenUnit, "bias")
	for state := range n.Inputs {
		for class, inputs := range n.Inputs[state] {
			rounded.Inputs[state][class] = list(inputs, evaluation.HiddenUnit, "input")
		}
	}
	for b := range n.Readout {
		rounded.Base[b] = round(n.Base[b], evaluation.FinestUnit, "net base %v", evaluation.Bucket(b))
		for view, readout := range n.Readout[b] {
			rounded.Readout[b][view] = list(readout, evaluation.ReadoutUnit, "readout")
		}
	}
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
