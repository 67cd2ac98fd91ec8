package fit

import (
	"context"
	"errors"
	"slices"

	"gyre/cmd/gyre-train/internal/model"
)

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
