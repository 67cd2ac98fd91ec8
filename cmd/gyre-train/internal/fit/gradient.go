package fit

import (
	"math"
	"sync"

	"gyre/search/evaluation"
)

// microBatches is in how many parts a batch is computed. Their sums are added up
// in order, so that the result does not depend on the number of threads.
const microBatches = 4

// microBatch is what one part of a batch comes to.
type microBatch struct {
	gradient values
	loss     Loss
}

// machine computes losses and gradients. Begin with newMachine.
type machine struct {
	target  target
	threads int
	parts   [microBatches]microBatch
}

// newMachine returns a machine.
func newMachine(t target, threads int) *machine {
	m := &machine{target: t, threads: threads}
	for i := range m.parts {
		m.parts[i].gradient = newValues()
	}
	return m
}

// gradient returns the gradient of the mean loss of some examples by the values,
// valid until the next, and adds their losses.
func (m *machine) gradient(v values, examples []record, loss *Loss) values {
	for i := range m.parts {
		clear(m.parts[i].gradient)
	}
	m.each(examples, func(part *microBatch, e *Example, f *evaluation.Features) {
		phase := phaseOf(f)
		logit, want := v.logit(f), m.target.of(e, phase)
		part.loss.add(phase, crossEntropy(logit, want))
		part.gradient.accumulate(f, (sigmoid(logit)-want)/float64(len(examples)))
	})
	for i := range m.parts {
		loss.merge(&m.parts[i].loss)
	}
	return m.sum()
}

// sum returns the sum of the gradients of all parts.
func (m *machine) sum() values {
	sum, second, third, fourth := m.parts[0].gradient, m.parts[1].gradient, m.parts[2].gradient, m.parts[3].gradient
	for slot := range sum {
		sum[slot] = sum[slot] + second[slot] + third[slot] + fourth[slot] // in this order
	}
	return sum
}

// measure adds the losses of some examples.
func (m *machine) measure(v values, examples []record, loss *Loss) {
	m.each(examples, func(part *microBatch, e *Example, f *evaluation.Features) {
		phase := phaseOf(f)
		part.loss.add(phase, crossEntropy(v.logit(f), m.target.of(e, phase)))
	})
	for i := range m.parts {
		loss.merge(&m.parts[i].loss)
	}
}

// each visits all examples that the target knows, each with the part of the batch that it belongs to
// and its features. The losses of the parts are empty before.
func (m *machine) each(examples []record, visit func(part *microBatch, e *Example, f *evaluation.Features)) {
	var workers sync.WaitGroup
	for worker := range min(m.threads, microBatches) {
		workers.Go(func() {
			var e Example
			var f evaluation.Features
			for i := worker; i < microBatches; i += m.threads {
				part := &m.parts[i]
				part.loss = Loss{}
				for at := i * len(examples) / microBatches; at < (i+1)*len(examples)/microBatches; at++ {
					if e.unpack(&examples[at]); m.target.knows(&e) {
						f.Set(&e.Board, e.stage(), e.Own, e.Theirs)
						visit(part, &e, &f)
					}
				}
			}
		})
	}
	workers.Wait()
}

// adam is the optimiser of Kingma and Ba, "Adam: A Method for Stochastic
// Optimization" (2015), with their constants.
type adam struct {
	mean, square []float64 // moving means of the gradient and of its square
	steps        int
}

const (
	meanDecay   = 0.9
	squareDecay = 0.999
	adamEpsilon = 1e-8
)

// newAdam returns the optimiser of so many parameters.
func newAdam(parameters int) *adam {
	return &adam{mean: make([]float64, parameters), square: make([]float64, parameters)}
}

// step moves the parameters against a gradient at a rate.
func (a *adam) step(parameters, gradient []float64, rate float64) {
	a.steps++
	meanBias := 1 - math.Pow(meanDecay, float64(a.steps))
	squareBias := 1 - math.Pow(squareDecay, float64(a.steps))
	for i, g := range gradient {
		a.mean[i] += (1 - meanDecay) * (g - a.mean[i])
		a.square[i] += (1 - squareDecay) * (g*g - a.square[i])
		parameters[i] -= rate * (a.mean[i] / meanBias) / (math.Sqrt(a.square[i]/squareBias) + adamEpsilon)
	}
}

// cosine returns the share of the rate that is left after so much of a fit, 0 at
// its beginning to 1 at its end.
func cosine(done float64) float64 { return (1 + math.Cos(math.Pi*done)) / 2 }
