package fit

import (
	"math"
	"sync"
)

// shards is in how many parts a batch is computed. Their sums are added up in
// order, so that the result does not depend on the number of threads.
const shards = 4

// shard is what one part of a batch comes to.
type shard struct {
	gradient values
	loss     Loss
}

// machine computes losses and gradients.
type machine struct {
	aim     aim
	threads int
	shards  [shards]shard
}

// gradient returns the gradient of the mean loss of some examples by the values,
// and adds their losses.
func (c *machine) gradient(v *values, examples []record, loss *Loss) *values {
	c.each(examples, func(s *shard, e *Example) {
		logit, target := v.logit(&e.Features), c.aim.target(e)
		s.loss.add(e.phase(), crossEntropy(logit, target))
		s.gradient.accumulate(&e.Features, (sigmoid(logit)-target)/float64(len(examples)))
	})
	for i := range c.shards {
		loss.merge(&c.shards[i].loss)
		if i > 0 {
			c.shards[0].gradient.add(&c.shards[i].gradient)
		}
	}
	return &c.shards[0].gradient
}

// measure adds the losses of some examples.
func (c *machine) measure(v *values, examples []record, loss *Loss) {
	c.each(examples, func(s *shard, e *Example) {
		s.loss.add(e.phase(), crossEntropy(v.logit(&e.Features), c.aim.target(e)))
	})
	for i := range c.shards {
		loss.merge(&c.shards[i].loss)
	}
}

// each visits all examples, each with the shard that it belongs to. The shards
// are empty before.
func (c *machine) each(examples []record, visit func(s *shard, e *Example)) {
	var workers sync.WaitGroup
	for worker := range min(c.threads, shards) {
		workers.Go(func() {
			var e Example
			for i := worker; i < shards; i += c.threads {
				s := &c.shards[i]
				*s = shard{}
				for at := i * len(examples) / shards; at < (i+1)*len(examples)/shards; at++ {
					e.unpack(&examples[at])
					visit(s, &e)
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
