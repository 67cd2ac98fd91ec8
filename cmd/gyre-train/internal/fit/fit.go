// Package fit learns the weights of the evaluation that best predict the results of games and
// the scores of searches. It uses logistic regression by stochastic gradient descent, known
// among chess programmers as Texel tuning.
//
// Add [Example] values to a [Dataset] and call [Fit]. It runs epoch after epoch and returns the
// model with the lowest loss on games held out for validation.
//
// The model is linear: a position's logit is the sum of the weights of its patterns, by index,
// over the whole board, plus a few other weights. The predicted score of the side to move is
// sigmoid(logit). The target is a mixture of the game's result and of sigmoid(score / scale).
// The scale of each phase and source is fitted to the results first, because a score means
// less early in the game and depends on the engine that produced it. So a logit means the
// same winning chance at every stage.
//
// A fit is reproducible for the same dataset and options at any number of threads, on one kind
// of processor. On another kind the last bits may differ. The compiler uses fused multiply-add
// where the processor has it (arm64, ppc64le, s390x, riscv64, amd64 from GOAMD64=v3 on), which
// rounds once instead of twice. On some processors math.Exp is written in assembly, and on
// amd64 it checks for fused multiply-add at run time. The differences grow during a fit. No
// engine depends on this: weights are integers, and a weights file is the same everywhere.
//
// With Options.Units, Fit fits a net over the crossings to what the patterns leave over.
//
// File fit.go holds the options, the training loop and the optimizer, dataset.go the examples
// on disk, loss.go the loss and the scales, values.go the parameters, net.go the net, and
// plot.go the plot of the losses.
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

// Options are the parameters of a fit.
type Options struct {
	// Share is the weight of the game's result in the target, from 0 to 1. The rest is the
	// search's score. In the opening both have half the weight, unless Share is 0 or 1.
	Share float64
	Scale float64 // centipawns per logit of the scores; 0 to fit it for each phase of each source, if scores are used
	Unit  float64 // centipawns per logit of the model

	Epochs   int     // passes over the examples; 0 to choose automatically
	Batch    int     // approximate number of examples per step
	Rate     float64 // initial learning rate; it decays to 0 along a cosine
	Patience int     // stop after this number of epochs without improvement; 0 for a third of all, at least 2

	// Ridge is the L2 penalty on the difference of a pattern index's weight from the weight
	// of its class, if it has one. Even is the penalty on the difference between a weight for
	// the side to move and the same weight for the other side. Half the penalty times the
	// square of the difference in logits is added to the sum of all losses.
	// Apart is the penalty on the difference of a class's or an index's weight at a stage
	// from its weight at all stages.
	Ridge, Even, Apart float64

	Patterns Fitted // patterns to fit; the others have weight 0

	Units   int          // hidden units of the net to fit over the patterns of Start; 0 to fit patterns
	Tune    bool         // improve the net of Start instead of fitting one; Units does not matter
	Start   *model.Model // initial model; nil for all zeros
	Threads int          // maximum; does not affect the result
	Step    func()       // called after each batch; may be nil
}

// Fitted records for each pattern whether it is fitted. It is a flag.Value: a comma-separated
// list of pattern names.
type Fitted [evaluation.PatternCount]bool

// AllPatterns returns a Fitted with every pattern.
func AllPatterns() (f Fitted) {
	for k := range f {
		f[k] = true
	}
	return f
}

// String returns the names of the fitted patterns.
func (f *Fitted) String() string {
	var names []string
	for k, fitted := range f {
		if fitted {
			names = append(names, patterns[k].Name)
		}
	}
	return strings.Join(names, ",")
}

// Set parses pattern names. The empty text means no pattern.
func (f *Fitted) Set(text string) error {
	var read Fitted
	for name := range strings.SplitSeq(text, ",") {
		k := slices.IndexFunc(patterns[:], func(p evaluation.Pattern) bool { return p.Name == name })
		if k < 0 && text != "" {
			all := AllPatterns()
			return fmt.Errorf("unknown pattern %q: use names from %s", name, &all)
		}
		if k >= 0 {
			read[k] = true
		}
	}
	*f = read
	return nil
}

// Default are the options for the engine's evaluation.
var Default = Options{Share: 0.25, Unit: 100, Batch: 1000, Rate: 0.01, Ridge: 300, Even: 1000, Apart: 300, Patterns: AllPatterns(), Threads: 1}

// Check reports what is wrong with the options, or nil.
func (o *Options) Check() error {
	switch {
	case !(o.Share >= 0 && o.Share <= 1):
		return fmt.Errorf("share %v: must be from 0 to 1", o.Share)
	case !(o.Scale >= 0):
		return fmt.Errorf("scale %v: must be above 0, or 0 to fit it", o.Scale)
	case o.Epochs < 0:
		return fmt.Errorf("%d epochs: must be at least 1, or 0 to choose automatically", o.Epochs)
	case o.Batch < 1:
		return fmt.Errorf("batch size %d: must be at least 1", o.Batch)
	case !(o.Rate > 0):
		return fmt.Errorf("rate %v: must be above 0", o.Rate)
	case !(o.Ridge >= 0) || !(o.Even >= 0) || !(o.Apart >= 0):
		return errors.New("penalties must not be negative")
	case o.Patience < 0:
		return fmt.Errorf("patience %d: must be at least 1 epoch, or 0 to choose automatically", o.Patience)
	case !(o.Unit > 0):
		return fmt.Errorf("unit of %v centipawns: must be above 0", o.Unit)
	case o.Units < 0 || o.Units > evaluation.MaxUnits:
		return fmt.Errorf("a net of %d units: use 1 to %d", o.Units, evaluation.MaxUnits)
	case o.Threads < 1:
		return fmt.Errorf("%d threads: must be at least 1", o.Threads)
	}
	return nil
}

// By default there are defaultEpochs epochs, or enough for minSteps batches: small datasets
// need more passes.
const (
	defaultEpochs = 5
	minSteps      = 2000
)

// Steps returns the number of batches in an epoch of d and the number of epochs.
func (o *Options) Steps(d *Dataset) (batches, epochs int) {
	batches = (d.Learned() + o.Batch - 1) / o.Batch
	epochs = o.Epochs
	if epochs == 0 && batches > 0 {
		epochs = max(defaultEpochs, (minSteps+batches-1)/batches)
	}
	return batches, epochs
}

// Epoch is the state of a fit after an epoch.
type Epoch struct {
	Number  int      // from 1; 0 for the initial model
	Learned Loss     // during the epoch; empty for number 0
	Held    Loss     // on the held-out games, at the end of the epoch
	Best    bool     // whether Held is the lowest so far
	Scales  []Scales // of the scores, by source; unknown if scores are not used
	Model   *model.Model
}

// Fit fits a model to a dataset and returns the epoch with the lowest held-out loss. With
// o.Units it fits a net over the patterns of o.Start, which stay as they are; epoch 0 is then
// the patterns alone, scaled by bucket. With o.Tune it improves the net of o.Start, and epoch 0 is
// o.Start, scaled by bucket. Fit calls report before the first epoch and after
// each; an error of report ends the fit. When ctx is done, the fit ends within one batch and
// returns the best epoch so far with ctx's cause.
func Fit(ctx context.Context, d *Dataset, o Options, report func(*Epoch) error) (*Epoch, error) {
	t, err := newTraining(d, o)
	if err != nil {
		return nil, err
	}
	if t.options.Units > 0 {
		return t.run(ctx, newNetFitting(t), report)
	}
	return t.run(ctx, newFitting(t), report)
}

// trainer learns one kind of model.
type trainer interface {
	// learn runs an epoch, counted from 1, and adds its losses to loss. Epoch 0 only prepares the
	// initial model.
	learn(ctx context.Context, epoch int, loss *Loss) error
	// measure adds the held-out losses to loss.
	measure(ctx context.Context, loss *Loss) error
	// model returns the model that was measured last.
	model() *model.Model
}

// training is the part that fits of all kinds share.
type training struct {
	dataset *Dataset
	options Options // Patience is at least 2
	target  target
	batches int // per epoch
	epochs  int
}

// newTraining prepares a fit.
func newTraining(d *Dataset, o Options) (*training, error) {
	if err := checkFit(d, &o); err != nil {
		return nil, err
	}
	if o.Tune {
		o.Units = o.Start.Net.Units()
	}
	scales, err := o.scalesOf(d)
	if err != nil {
		return nil, err
	}
	batches, epochs := o.Steps(d)
	if o.Patience == 0 {
		o.Patience = max(2, epochs/3)
	}
	return &training{d, o, target{share: o.Share, scales: scales}, batches, epochs}, nil
}

// run runs the epochs of a fit and returns the best; see [Fit].
func (t *training) run(ctx context.Context, by trainer, report func(*Epoch) error) (*Epoch, error) {
	best := &Epoch{}
	for number := 0; number <= t.epochs && number-best.Number <= t.options.Patience; number++ {
		e := &Epoch{Number: number, Scales: t.target.scales}
		if err := by.learn(ctx, number, &e.Learned); err != nil {
			return best, err
		}
		if err := by.measure(ctx, &e.Held); err != nil {
			return best, err
		}
		e.Model = by.model()
		held, _ := e.Held.Total()
		least, _ := best.Held.Total()
		if e.Best = number == 0 || held < least; e.Best {
			best = e
		}
		if err := report(e); err != nil {
			return best, err
		}
	}
	return best, nil
}

// eachBatch calls step with the batches of an epoch, counted from 1, and the learning rate of each.
func (t *training) eachBatch(ctx context.Context, epoch int, step func(examples []record, rate float64)) error {
	before := (epoch - 1) * t.batches
	for examples, err := range t.dataset.batches(epoch-1, t.batches) {
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		step(examples, t.options.Rate*cosine(float64(before)/float64(t.epochs*t.batches)))
		before++
		if t.options.Step != nil {
			t.options.Step()
		}
	}
	return nil
}

// eachHeldOut visits the held-out examples in parts.
func (t *training) eachHeldOut(ctx context.Context, visit func([]record)) error {
	for examples, err := range t.dataset.heldOut() {
		if err = errors.Join(err, context.Cause(ctx)); err != nil {
			return err
		}
		visit(examples)
	}
	return nil
}

// errNoModel means that a net has no patterns to add to.
var errNoModel = errors.New("a net needs a model whose patterns it adds to")

// checkFit reports what is wrong with the options or the dataset of a fit, or nil.
func checkFit(d *Dataset, o *Options) error {
	switch err := o.Check(); {
	case err != nil:
		return err
	case (o.Units > 0 || o.Tune) && o.Start == nil:
		return errNoModel
	case d.Learned() == 0:
		return errors.New("no positions to learn from: give more games")
	case d.Held() == 0:
		return errors.New("no game is held out for validation: give more games or a larger -hold")
	}
	return nil
}

// scalesOf returns the scales of the scores of each source, fitted unless they are given.
func (o *Options) scalesOf(d *Dataset) ([]Scales, error) {
	if o.Scale == 0 && o.Share < 1 {
		return scalesOf(d.scores)
	}
	return slices.Repeat([]Scales{sameScales(o.Scale)}, len(d.scores)), nil
}

// fitting is a running fit of patterns.
type fitting struct {
	*training
	shape      *shape
	machine    *machine
	parameters []float64
	values     values    // of the parameters
	gradient   []float64 // by parameter
	ridge      []float64 // penalty by parameter, relative to the mean loss
	adam       *adam
}

// newFitting prepares a fit of patterns.
func newFitting(t *training) *fitting {
	o := &t.options
	f := &fitting{training: t, shape: newShape(o.Patterns), machine: newMachine(t.target, o.Patterns, o.Threads), values: newValues()}
	f.parameters = make([]float64, len(f.shape.kind))
	if o.Start != nil {
		f.parameters = f.shape.parameters(valuesOf(o.Start, o.Unit))
	}
	f.gradient, f.ridge = make([]float64, len(f.parameters)), make([]float64, len(f.parameters))
	learned := t.dataset.Learned()
	for i, kind := range f.shape.kind {
		f.ridge[i] = [kinds]float64{
			classTempoKind: o.Even, indexKind: o.Ridge, indexTempoKind: o.Ridge + o.Even,
			stageClassKind: o.Apart, stageClassTempoKind: o.Apart + o.Even, stageIndexKind: o.Apart, stageIndexTempoKind: o.Apart + o.Even,
		}[kind] / float64(learned)
	}
	f.adam = newAdam(len(f.parameters))
	return f
}

// learn implements trainer.
func (f *fitting) learn(ctx context.Context, epoch int, loss *Loss) error {
	if epoch == 0 {
		return nil
	}
	return f.eachBatch(ctx, epoch, func(examples []record, rate float64) {
		f.shape.expandInto(f.values, f.parameters)
		f.shape.foldInto(f.gradient, f.machine.gradient(f.values, examples, loss))
		for i, p := range f.parameters {
			f.gradient[i] += f.ridge[i] * p
		}
		f.adam.step(f.parameters, f.gradient, rate)
	})
}

// measure implements trainer.
func (f *fitting) measure(ctx context.Context, loss *Loss) error {
	f.shape.expandInto(f.values, f.parameters)
	return f.eachHeldOut(ctx, func(examples []record) { f.machine.measure(f.values, examples, loss) })
}

// model implements trainer.
func (f *fitting) model() *model.Model { return f.values.model(f.options.Unit) }

// microBatches is the number of parts in which a batch is computed. Their sums are added in
// order, so that the result does not depend on the number of threads.
const microBatches = 4

// microBatch is the result of one part of a batch.
type microBatch struct {
	gradient values
	loss     Loss
}

// machine computes losses and gradients. Create it with newMachine.
type machine struct {
	target  target
	fitted  Fitted // the values of other patterns are 0
	spans   []span // of the values
	threads int
	parts   [microBatches]microBatch
}

func newMachine(t target, fitted Fitted, threads int) *machine {
	m := &machine{target: t, fitted: fitted, spans: spansOf(fitted), threads: threads}
	for i := range m.parts {
		m.parts[i].gradient = newValues()
	}
	return m
}

// gradient returns the gradient of the mean loss of examples with respect to v, valid until the
// next call. It adds the losses to loss.
func (m *machine) gradient(v values, examples []record, loss *Loss) values {
	for i := range m.parts {
		for _, span := range m.spans {
			clear(m.parts[i].gradient[span.from:span.to])
		}
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

// sum returns the sum of the parts' gradients.
func (m *machine) sum() values {
	sum, second, third, fourth := m.parts[0].gradient, m.parts[1].gradient, m.parts[2].gradient, m.parts[3].gradient
	for _, span := range m.spans {
		for slot := span.from; slot < span.to; slot++ {
			sum[slot] = sum[slot] + second[slot] + third[slot] + fourth[slot] // in this order
		}
	}
	return sum
}

// measure adds the losses of examples to loss.
func (m *machine) measure(v values, examples []record, loss *Loss) {
	m.each(examples, func(part *microBatch, e *Example, f *evaluation.Features) {
		phase := phaseOf(f)
		part.loss.add(phase, crossEntropy(v.logit(f), m.target.of(e, phase)))
	})
	for i := range m.parts {
		loss.merge(&m.parts[i].loss)
	}
}

// each visits all examples with a known target, each with its part of the batch and its
// features. It clears the losses of the parts first.
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
						f.SetSome(&e.Board, e.stage(), e.Own, e.Theirs, m.fitted)
						visit(part, &e, &f)
					}
				}
			}
		})
	}
	workers.Wait()
}

// adam is the optimizer of Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015),
// with their constants.
type adam struct {
	mean, square []float64 // moving averages of the gradient and of its square
	steps        int
}

const (
	meanDecay   = 0.9
	squareDecay = 0.999
	adamEpsilon = 1e-8
)

func newAdam(parameters int) *adam {
	return &adam{mean: make([]float64, parameters), square: make([]float64, parameters)}
}

// step moves the parameters against the gradient.
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

// cosine returns the learning rate relative to the initial one, when the fraction done of the
// fit is complete.
func cosine(done float64) float64 { return (1 + math.Cos(math.Pi*done)) / 2 }
