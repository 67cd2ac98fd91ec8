// Package fit finds the weights of the evaluation that best predict how games end
// and what a search says of their positions. It is a logistic regression by
// stochastic gradient descent, what chess programmers know as Texel tuning.
//
//	example.go   Example: a position to learn from, and its 32 bytes
//	shard.go     examples on disk
//	dataset.go   Dataset: all examples, shuffled in bounded memory; games held out
//	loss.go      the target, and the logistic loss
//	scale.go     how many centipawns of the scores make a logit
//	phase.go     the phases that losses and scales are told apart by
//	values.go    a model in logits
//	shape.go     the parameters that the values are made of
//	gradient.go  losses and gradients, on several threads, and the optimiser
//	options.go   Options: what a fit is told
//	fit.go       Fit: epoch by epoch to the least loss held out
//	plot.go      the losses as a picture
//
// The model is linear: a position is worth the sum of its patterns by their
// index, over all places, and of a few numbers beside them. It predicts the share
// of the points that the side to move gets as sigmoid(worth). The target is a
// mixture of the game's result and of sigmoid(score / scale); the scale of each phase
// and source is fitted to its results first, for a score means less the earlier it is,
// and what its engine makes of it. So what a model is worth means the same chance at
// every stage.
//
// A fit is the same for the same dataset and options, whatever the number of
// threads, on one kind of processor. On another its last bits may differ: where
// the processor has a fused multiply-add the compiler uses it (arm64, ppc64le,
// s390x, riscv64, amd64 from GOAMD64=v3 on), which rounds once instead of twice,
// and math.Exp is assembly on some, which on amd64 asks for it when it runs. The
// differences grow over the steps of a fit. No engine depends on it: weights are
// whole numbers, and a file of them is the same everywhere.
package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
)

// Options say how to fit.
type Options struct {
	// Share is that of the game's result in the target, 0 to 1; the rest is the
	// search's score. While the opening lasts they have half each, unless the share is
	// 0 or 1.
	Share float64
	Scale float64 // centipawns to a logit of the scores; 0 to fit it first for each phase of each source, where they matter
	Unit  float64 // centipawns to a logit of the model

	Epochs   int     // times that every example is seen; 0 for as many as are likely to do
	Batch    int     // about how many examples make a step
	Rate     float64 // of learning, at the beginning; it decays to 0 as a cosine does
	Patience int     // epochs without a better loss held out after which to stop; 0 for a third of all, at least 2

	// Ridge is the L2 penalty on what an index of a pattern is worth beside its
	// class, if it has one, and Even that on what it is worth to the side to move
	// more than to the other: half of it for each logit squared is added to the sum
	// of all losses.
	// Apart is the penalty on what a class or an index is worth at a stage beside
	// what it is worth at all.
	Ridge, Even, Apart float64

	Patterns Fitted // that are worth something

	Start   *model.Model // where to begin; nil for a model that knows nothing
	Threads int          // at most; the result does not depend on it
	Step    func()       // called after each batch; may be nil
}

// Fitted is whether each pattern of the table is fitted. It is a flag: their
// names with commas between.
type Fitted [evaluation.PatternCount]bool

// AllPatterns returns that every pattern is fitted.
func AllPatterns() (f Fitted) {
	for k := range f {
		f[k] = true
	}
	return f
}

// String returns the names of the patterns that are fitted.
func (f *Fitted) String() string {
	var names []string
	for k, fitted := range f {
		if fitted {
			names = append(names, patterns[k].Name)
		}
	}
	return strings.Join(names, ",")
}

// Set reads names of patterns; the empty text is none.
func (f *Fitted) Set(text string) error {
	var read Fitted
	for name := range strings.SplitSeq(text, ",") {
		k := slices.IndexFunc(patterns[:], func(p evaluation.Pattern) bool { return p.Name == name })
		if k < 0 && text != "" {
			all := AllPatterns()
			return fmt.Errorf("no pattern is called %q; there are %s", name, &all)
		}
		if k >= 0 {
			read[k] = true
		}
	}
	*f = read
	return nil
}

// Default are the options of the engine's evaluation.
var Default = Options{Share: 0.25, Unit: 100, Batch: 1000, Rate: 0.01, Ridge: 300, Even: 1000, Apart: 300, Patterns: AllPatterns(), Threads: 1}

// Check returns what is wrong with the options, nil if nothing.
func (o *Options) Check() error {
	switch {
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("a share of %v: give one from 0 to 1", o.Share)
	case !(o.Scale >= 0):
		return fmt.Errorf("a scale of %v: give one above 0, or 0 to fit it", o.Scale)
	case o.Epochs < 0:
		return fmt.Errorf("%d epochs: give at least one, or 0 to have them chosen", o.Epochs)
	case o.Batch < 1:
		return fmt.Errorf("batches of %d: give at least one", o.Batch)
	case !(o.Rate > 0):
		return fmt.Errorf("a rate of %v: give one above 0", o.Rate)
	case !(o.Ridge >= 0) || !(o.Even >= 0) || !(o.Apart >= 0):
		return errors.New("a penalty below 0")
	case o.Patience < 0:
		return fmt.Errorf("a patience of %d epochs: give at least one, or 0 to have it chosen", o.Patience)
	case !(o.Unit > 0):
		return fmt.Errorf("a unit of %v centipawns: give one above 0", o.Unit)
	case o.Threads < 1:
		return fmt.Errorf("%d threads: give at least one", o.Threads)
	}
	return nil
}

// Where no number of epochs is given there are usualEpochs, or so many that they
// have leastSteps batches: few positions need to be seen more often.
const (
	usualEpochs = 5
	leastSteps  = 2000
)

// Steps returns how many batches an epoch of a dataset has, and how many epochs
// there are.
func (o *Options) Steps(d *Dataset) (batches, epochs int) {
	batches = (d.Learned() + o.Batch - 1) / o.Batch
	epochs = o.Epochs
	if epochs == 0 && batches > 0 {
		epochs = max(usualEpochs, (leastSteps+batches-1)/batches)
	}
	return batches, epochs
}

// Epoch is how a fit stands after an epoch.
type Epoch struct {
	Number  int      // 1 for the first; 0 for the model at the beginning
	Learned Loss     // in the course of the epoch; empty for number 0
	Held    Loss     // at its end
	Best    bool     // whether Held is the least so far
	Scales  []Scales // of the scores, by source; without any known if they do not matter
	Model   *model.Model
}

// Fit fits a model to a dataset, and returns the epoch whose loss held out was the
// least. After each epoch, and before the first, it calls report, whose error
// ends the fit. When ctx is done the fit ends within a batch with the best epoch
// so far and the cause of ctx.
func Fit(ctx context.Context, d *Dataset, o Options, report func(*Epoch) error) (*Epoch, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	switch {
	case d.Learned() == 0:
		return nil, errors.New("no positions to learn from")
	case d.Held() == 0:
		return nil, errors.New("no game is held out: give more games or hold out a larger share")
	}
	f, err := newFitting(d, o)
	if err != nil {
		return nil, err
	}
	best := &Epoch{}
	for number := 0; number <= f.epochs && number-best.Number <= f.options.Patience; number++ {
		e := &Epoch{Number: number, Scales: f.machine.target.scales}
		if number > 0 {
			if err := f.learn(ctx, number-1, &e.Learned); err != nil {
				return best, err
			}
		}
		v := f.shape.expand(f.parameters)
		e.Model = v.model(o.Unit)
		if err := f.measure(ctx, v, &e.Held); err != nil {
			return best, err
		}
		if e.Best = number == 0 || lower(e, best); e.Best {
			best = e
		}
		if err := report(e); err != nil {
			return best, err
		}
	}
	return best, nil
}

// lower tells whether an epoch has a lower loss held out than another.
func lower(e, other *Epoch) bool {
	loss, _ := e.Held.Total()
	least, _ := other.Held.Total()
	return loss < least
}

// fitting is a fit under way.
type fitting struct {
	dataset    *Dataset
	options    Options
	shape      *shape
	machine    *machine
	parameters []float64
	values     values    // of the parameters, in learn
	gradient   []float64 // by parameter, in learn
	ridge      []float64 // penalty by parameter, as a part of the mean loss
	adam       *adam
	batches    int // in an epoch
	epochs     int
}

// newFitting prepares a fit.
func newFitting(d *Dataset, o Options) (*fitting, error) {
	scales := slices.Repeat([]Scales{sameScales(o.Scale)}, len(d.scores))
	if o.Scale == 0 && o.Share < 1 {
		var err error
		if scales, err = d.Scales(); err != nil {
			return nil, err
		}
	}
	f := &fitting{dataset: d, options: o, shape: newShape(o.Patterns)}
	f.machine = newMachine(target{share: o.Share, scales: scales}, o.Threads)
	f.parameters = make([]float64, len(f.shape.kind))
	if o.Start != nil {
		f.parameters = f.shape.parameters(valuesOf(o.Start, o.Unit))
	}
	f.values, f.gradient = newValues(), make([]float64, len(f.parameters))
	learned := d.Learned()
	f.ridge = make([]float64, len(f.parameters))
	for i, kind := range f.shape.kind {
		f.ridge[i] = [kinds]float64{
			classTempoKind: o.Even, indexKind: o.Ridge, indexTempoKind: o.Ridge + o.Even,
			stageClassKind: o.Apart, stageClassTempoKind: o.Apart + o.Even, stageIndexKind: o.Apart, stageIndexTempoKind: o.Apart + o.Even,
		}[kind] / float64(learned)
	}
	f.adam = newAdam(len(f.parameters))
	f.batches, f.epochs = o.Steps(d)
	if f.options.Patience == 0 {
		f.options.Patience = max(2, f.epochs/3)
	}
	return f, nil
}

// learn does an epoch 0, 1, ... and adds its losses.
func (f *fitting) learn(ctx context.Context, epoch int, loss *Loss) error {
	batch := 0
	for examples, err := range f.dataset.batches(epoch, f.batches) {
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		f.shape.expandInto(f.values, f.parameters)
		f.shape.foldInto(f.gradient, f.machine.gradient(f.values, examples, loss))
		for i, p := range f.parameters {
			f.gradient[i] += f.ridge[i] * p
		}
		done := float64(epoch*f.batches+batch) / float64(f.epochs*f.batches)
		f.adam.step(f.parameters, f.gradient, f.options.Rate*cosine(done))
		batch++
		if f.options.Step != nil {
			f.options.Step()
		}
	}
	return nil
}

// measure adds the losses held out of some values.
func (f *fitting) measure(ctx context.Context, v values, loss *Loss) error {
	for examples, err := range f.dataset.heldOut() {
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		f.machine.measure(v, examples, loss)
	}
	return nil
}

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
