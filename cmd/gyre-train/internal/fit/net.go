package fit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// The net is fitted to what the patterns of a model leave over. The logit of a position is
//
//	scale * patterns + base + sum of the crossings
//
// with a scale and a base for each bucket. The exported net is divided by the scale, so that
// the patterns stay as they are. In the opening, which has no net, only scale and base are
// fitted, to compare losses. A tuned net begins as the net of the model, and the scale of epoch 0 is
// that of patterns and net together.
//
// The same crossings occur again and again. A batch of 1,000 positions has 85,000 crossings,
// but only a few thousand different ones, and their worth depends on nothing else. So the net
// is evaluated once for each different crossing of a batch, and its gradient is computed once
// from the sum of the gradients of its worth.

// The buckets of a net, and one more for the opening.
const (
	buckets       = int(evaluation.Buckets) + 1
	openingBucket = buckets - 1
)

// pool is the factor of the hidden units of a crossing in the sum over all crossings.
const pool = 1.0 / 8

// netParameters holds the parameters of a net in logits, in one list for the optimizer.
type netParameters struct {
	units   int
	all     []float64
	inputs  []float64             // by state, class and unit
	bias    []float64             // by unit
	readout [buckets][2][]float64 // of the side's view and the opponent's, by unit
	base    []float64             // by bucket
	scale   []float64             // by bucket
}

// newNetParameters returns parameters that are 0.
func newNetParameters(units int) *netParameters {
	const classes = evaluation.BoardStates * evaluation.LineClasses
	n := &netParameters{units: units, all: make([]float64, (classes+1+2*buckets)*units+2*buckets)}
	rest := n.all
	cut := func(length int) (list []float64) {
		list, rest = rest[:length:length], rest[length:]
		return list
	}
	n.inputs, n.bias = cut(classes*units), cut(units)
	for b := range n.readout {
		n.readout[b] = [2][]float64{cut(units), cut(units)}
	}
	n.base, n.scale = cut(buckets), cut(buckets)
	return n
}

// begin sets the hidden units to small random inputs, and their readout in the fitted buckets
// to values that cancel out between the two views.
func (n *netParameters) begin(seed uint64, fitted *[buckets]bool) {
	rng := rand.New(rand.NewPCG(seed, netStream))
	for i := range n.inputs {
		n.inputs[i] = 0.17 * (2*rng.Float64() - 1)
	}
	for k := range n.bias {
		n.bias[k] = 0.1
		sign := 1 - 2*float64(k%2)
		for b := range openingBucket {
			if fitted[b] {
				n.readout[b][0][k], n.readout[b][1][k] = 0.15*sign, -0.15*sign
			}
		}
	}
}

// netStream is the stream of random numbers for the initial net.
const netStream = 1 << 32

// input returns the inputs of a class by unit.
func (n *netParameters) input(state, class uint8) []float64 {
	return n.inputs[(int(state)*evaluation.LineClasses+int(class))*n.units:][:n.units]
}

// set sets the net to that of a model, in centipawns, unit per logit.
func (n *netParameters) set(net *model.Net, unit float64) {
	copy(n.bias, net.Bias)
	for state := range net.Inputs {
		for class := range net.Inputs[state] {
			copy(n.input(uint8(state), uint8(class)), net.Inputs[state][class])
		}
	}
	for b := range net.Readout {
		n.base[b] = net.Base[b] / unit
		for view := range net.Readout[b] {
			for k, weight := range net.Readout[b][view] {
				n.readout[b][view][k] = weight / (unit * pool)
			}
		}
	}
}

// stretch multiplies what the net adds in a bucket.
func (n *netParameters) stretch(bucket int, by float64) {
	n.base[bucket] *= by
	for view := range n.readout[bucket] {
		for k := range n.readout[bucket][view] {
			n.readout[bucket][view][k] *= by
		}
	}
}

// model returns a copy of a model with the net, in centipawns, unit per logit.
func (n *netParameters) model(of *model.Model, unit float64) *model.Model {
	m := *of
	m.Net = model.NewNet(n.units)
	copy(m.Net.Bias, n.bias)
	for state := range m.Net.Inputs {
		for class := range m.Net.Inputs[state] {
			copy(m.Net.Inputs[state][class], n.input(uint8(state), uint8(class)))
		}
	}
	for b := range m.Net.Readout {
		m.Net.Base[b] = unit * n.base[b] / n.scale[b]
		for view := range m.Net.Readout[b] {
			for k, weight := range n.readout[b][view] {
				m.Net.Readout[b][view][k] = unit * pool * weight / n.scale[b]
			}
		}
	}
	return &m
}

// netFitting is a running fit of a net.
type netFitting struct {
	*training
	patterns             values // of the initial model, in logits
	parameters, gradient *netParameters
	fitted               [buckets]bool // the others have too few examples, and no net
	adam                 *adam
	batch                netBatch
}

// newNetFitting prepares a fit of a net.
func newNetFitting(t *training) *netFitting {
	o := &t.options
	f := &netFitting{
		training: t, patterns: valuesOf(o.Start, o.Unit),
		parameters: newNetParameters(o.Units), gradient: newNetParameters(o.Units),
	}
	for b := range f.parameters.scale {
		f.parameters.scale[b] = 1
	}
	if o.Tune {
		f.parameters.set(&o.Start.Net, o.Unit)
	}
	f.adam = newAdam(len(f.parameters.all))
	f.batch.begin(o.Units)
	return f
}

// learn implements trainer.
func (f *netFitting) learn(ctx context.Context, epoch int, loss *Loss) error {
	switch {
	case epoch == 0 && f.options.Tune:
		return f.fitStretches(ctx)
	case epoch == 0:
		return f.fitScales(ctx)
	case epoch == 1 && !f.options.Tune:
		f.parameters.begin(f.dataset.options.Seed, &f.fitted)
	}
	return f.eachBatch(ctx, epoch, func(examples []record, rate float64) {
		f.batch.read(examples, f.patterns, &f.target)
		f.batch.evaluate(f.parameters, loss)
		f.batch.differentiate(f.parameters, f.gradient, &f.fitted)
		f.adam.step(f.parameters.all, f.gradient.all, rate)
	})
}

// measure implements trainer.
func (f *netFitting) measure(ctx context.Context, loss *Loss) error {
	return f.eachHeldOut(ctx, func(examples []record) {
		f.batch.read(examples, f.patterns, &f.target)
		f.batch.evaluate(f.parameters, loss)
	})
}

// Measure returns the mean held-out loss of the model o.Start, in which the scale of each bucket is
// fitted to the other games, less the entropy of the targets: the loss of a perfect prediction is 0.
func Measure(ctx context.Context, d *Dataset, o Options) (*Loss, error) {
	o.Tune = true
	t, err := newTraining(d, o)
	if err != nil {
		return nil, err
	}
	f, loss := newNetFitting(t), &Loss{}
	if err := f.learn(ctx, 0, loss); err != nil {
		return nil, err
	}
	err = f.eachHeldOut(ctx, func(examples []record) {
		f.batch.read(examples, f.patterns, &f.target)
		f.batch.evaluate(f.parameters, loss)
		for i := range f.batch.rows {
			row := &f.batch.rows[i]
			loss.Sum[row.phase] -= entropy(row.target)
		}
	})
	return loss, err
}

// model implements trainer.
func (f *netFitting) model() *model.Model { return f.parameters.model(f.options.Start, f.options.Unit) }

// fitScales fits scale and base of each bucket with enough examples by Newton's method.
func (f *netFitting) fitScales(ctx context.Context) error {
	const rounds = 5
	for range rounds {
		var sums [buckets]struct{ scale, base, square, mixed, count float64 }
		for examples, err := range f.dataset.batches(0, f.batches) {
			if err = errors.Join(err, context.Cause(ctx)); err != nil {
				return err
			}
			f.batch.readRows(examples, f.patterns, &f.target, false)
			for i := range f.batch.rows {
				row := &f.batch.rows[i]
				want := sigmoid(f.parameters.scale[row.bucket]*row.patterns + f.parameters.base[row.bucket])
				s, by, weight := &sums[row.bucket], want-row.target, want*(1-want)
				s.scale += by * row.patterns
				s.base += by
				s.square += weight * row.patterns * row.patterns
				s.mixed += weight * row.patterns
				s.count += weight
			}
		}
		for b, s := range sums {
			if f.fitted[b] = s.count >= minCount; !f.fitted[b] {
				continue
			}
			determinant := s.square*s.count - s.mixed*s.mixed
			f.parameters.scale[b] -= (s.count*s.scale - s.mixed*s.base) / determinant
			f.parameters.base[b] -= (s.square*s.base - s.mixed*s.scale) / determinant
			if !(f.parameters.scale[b] > 0) {
				return fmt.Errorf("the patterns do not predict the results in bucket %d: fit them first", b)
			}
		}
	}
	return nil
}

// fitStretches fits the scale of patterns and net together in each bucket with enough examples by
// Newton's method.
func (f *netFitting) fitStretches(ctx context.Context) error {
	const rounds = 5
	var by [buckets]float64
	for b := range by {
		by[b] = 1
	}
	for range rounds {
		var sums [buckets]struct{ slope, square, count float64 }
		for examples, err := range f.dataset.batches(0, f.batches) {
			if err = errors.Join(err, context.Cause(ctx)); err != nil {
				return err
			}
			f.batch.read(examples, f.patterns, &f.target)
			f.batch.evaluate(f.parameters, new(Loss))
			for i := range f.batch.rows {
				row := &f.batch.rows[i]
				want := sigmoid(by[row.bucket] * row.logit)
				s, weight := &sums[row.bucket], want*(1-want)
				s.slope += (want - row.target) * row.logit
				s.square += weight * row.logit * row.logit
				s.count += weight
			}
		}
		for b, s := range sums {
			if f.fitted[b] = s.count >= minCount; !f.fitted[b] {
				continue
			}
			// A full step may go too far where the model is sure and wrong.
			by[b] = min(max(by[b]-s.slope/s.square, by[b]/2), 2*by[b])
		}
	}
	for b, by := range by {
		f.parameters.scale[b] = by
		f.parameters.stretch(b, by)
	}
	return nil
}

// minCount is the sum of the weights want * (1 - want) of its examples that a bucket needs.
const minCount = 20

// netRow is an example of a batch.
type netRow struct {
	phase, bucket    int
	patterns, target float64 // logit of the patterns, and the expected score
	logit            float64 // of the whole model
	error            float64 // derivative of the loss by the logit
	crossings        [position.PointCount]int32
}

// netBatch evaluates a net for the examples of a batch.
type netBatch struct {
	units     int
	rows      []netRow
	crossings []evaluation.Crossing // the different ones
	twins     []int32               // of each crossing, the one that the opponent sees
	known     []int32               // number of a crossing plus 1, by its index

	hidden, slopes []float64 // by crossing and unit: the clipped sum, and the derivative of the loss by it
	worths         [openingBucket][]bucketWorth
}

// bucketWorth is the worth of a crossing in a bucket.
type bucketWorth struct {
	known        bool
	worth, slope float64 // in logits, and the derivative of the loss by it
}

// begin prepares for a net with the given number of hidden units.
func (b *netBatch) begin(units int) {
	b.units, b.known = units, make([]int32, evaluation.CrossingCount)
}

// read reads examples, and numbers their different crossings.
func (b *netBatch) read(examples []record, patterns values, t *target) {
	b.readRows(examples, patterns, t, true)
}

// readRows reads examples. It leaves their crossings out unless they are needed.
func (b *netBatch) readRows(examples []record, patterns values, t *target, crossings bool) {
	for _, c := range b.crossings {
		b.known[c.Index()] = 0
	}
	b.rows, b.crossings, b.twins = b.rows[:0], b.crossings[:0], b.twins[:0]
	var e Example
	var f evaluation.Features
	var indexes [position.PointCount]uint32
	for i := range examples {
		if e.unpack(&examples[i]); !t.knows(&e) {
			continue
		}
		f.Set(&e.Board, e.stage(), e.Own, e.Theirs)
		row := netRow{phase: phaseOf(&f), bucket: int(evaluation.BucketOf(f.Stage, f.Own, f.Theirs)), patterns: patterns.logit(&f)}
		row.target = t.of(&e, row.phase)
		if crossings && row.bucket != openingBucket {
			e.Board.CrossingIndexes(&indexes)
			for point, index := range indexes {
				row.crossings[point] = b.number(index)
			}
		}
		b.rows = append(b.rows, row)
	}
}

// number returns the number of the crossing with an index.
func (b *netBatch) number(index uint32) int32 {
	if b.known[index] == 0 {
		c := evaluation.CrossingAt(index)
		own := b.add(c)
		theirs := own
		if swapped := c.Swapped().Sorted(); swapped != c {
			theirs = b.add(swapped)
		}
		b.twins[own], b.twins[theirs] = theirs, own
	}
	return b.known[index] - 1
}

// add adds a crossing.
func (b *netBatch) add(c evaluation.Crossing) int32 {
	b.crossings, b.twins = append(b.crossings, c), append(b.twins, 0)
	b.known[c.Index()] = int32(len(b.crossings))
	return int32(len(b.crossings)) - 1
}

// unitsOf returns the part of a list by crossing and unit for a crossing.
func (b *netBatch) unitsOf(list []float64, crossing int32) []float64 {
	return list[int(crossing)*b.units:][:b.units]
}

// evaluate adds the losses of the batch to loss, and computes what differentiate needs.
func (b *netBatch) evaluate(n *netParameters, loss *Loss) {
	b.hidden = resized(b.hidden, len(b.crossings)*b.units)
	for i, c := range b.crossings {
		hidden := b.unitsOf(b.hidden, int32(i))
		one, two, three := n.input(c.State, c.Classes[0]), n.input(c.State, c.Classes[1]), n.input(c.State, c.Classes[2])
		for k, bias := range n.bias {
			hidden[k] = min(max(bias+one[k]+two[k]+three[k], 0), 1)
		}
	}
	for bucket := range b.worths {
		b.worths[bucket] = resized(b.worths[bucket], len(b.crossings))
	}
	for i := range b.rows {
		row := &b.rows[i]
		logit := n.scale[row.bucket]*row.patterns + n.base[row.bucket]
		if row.bucket != openingBucket {
			worths := b.worths[row.bucket]
			for _, crossing := range &row.crossings {
				w := &worths[crossing]
				if !w.known {
					w.known, w.worth = true, b.worth(n, row.bucket, crossing)
				}
				logit += w.worth
			}
		}
		row.logit = logit
		loss.add(row.phase, crossEntropy(logit, row.target))
		row.error = (sigmoid(logit) - row.target) / float64(len(b.rows))
	}
}

// worth returns the worth of a crossing in a bucket.
func (b *netBatch) worth(n *netParameters, bucket int, crossing int32) (sum float64) {
	own, theirs := b.unitsOf(b.hidden, crossing), b.unitsOf(b.hidden, b.twins[crossing])
	for k, weight := range n.readout[bucket][0] {
		sum += weight*own[k] + n.readout[bucket][1][k]*theirs[k]
	}
	return pool * sum
}

// differentiate sets gradient to the derivatives of the mean loss of the batch that evaluate
// evaluated. The parameters of buckets that are not fitted do not change.
func (b *netBatch) differentiate(n, gradient *netParameters, fitted *[buckets]bool) {
	clear(gradient.all)
	for i := range b.rows {
		row := &b.rows[i]
		if !fitted[row.bucket] {
			continue
		}
		gradient.scale[row.bucket] += row.error * row.patterns
		gradient.base[row.bucket] += row.error
		if row.bucket != openingBucket {
			for _, crossing := range &row.crossings {
				b.worths[row.bucket][crossing].slope += row.error
			}
		}
	}
	b.slopes = resized(b.slopes, len(b.hidden))
	for bucket, worths := range &b.worths {
		readout, toReadout := &n.readout[bucket], &gradient.readout[bucket]
		for i := range worths {
			if !worths[i].known {
				continue
			}
			slope, twin := pool*worths[i].slope, b.twins[i]
			own, theirs := b.unitsOf(b.hidden, int32(i)), b.unitsOf(b.hidden, twin)
			toOwn, toTheirs := b.unitsOf(b.slopes, int32(i)), b.unitsOf(b.slopes, twin)
			for k := range b.units {
				toReadout[0][k] += slope * own[k]
				toReadout[1][k] += slope * theirs[k]
				toOwn[k] += slope * readout[0][k]
				toTheirs[k] += slope * readout[1][k]
			}
		}
	}
	for i, c := range b.crossings {
		hidden, slopes := b.unitsOf(b.hidden, int32(i)), b.unitsOf(b.slopes, int32(i))
		one, two, three := gradient.input(c.State, c.Classes[0]), gradient.input(c.State, c.Classes[1]), gradient.input(c.State, c.Classes[2])
		for k, slope := range slopes {
			if hidden[k] > 0 && hidden[k] < 1 { // not clipped
				gradient.bias[k] += slope
				one[k] += slope
				two[k] += slope
				three[k] += slope
			}
		}
	}
}

// resized returns a list of zeros with the given length, in the memory of list if it is large
// enough.
func resized[T any](list []T, length int) []T {
	if cap(list) < length {
		return make([]T, length, length+length/2)
	}
	list = list[:length]
	clear(list)
	return list
}
