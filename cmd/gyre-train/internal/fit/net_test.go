package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
)

// TestNetGradient compares the gradient of a net with differences of the loss.
func TestNetGradient(t *testing.T) {
	t.Parallel()
	all := randomGames(3, 1)
	score(all, randomModel(2))
	var examples []record
	for i := range all {
		examples = append(examples, all[i].example.pack())
	}
	rng := rand.New(rand.NewPCG(3, 4))
	n, gradient := newNetParameters(4), newNetParameters(4)
	for i := range n.all {
		n.all[i] = 0.3 * rng.NormFloat64()
	}
	var fitted [buckets]bool
	for b := range fitted {
		fitted[b] = true
	}
	var b netBatch
	b.begin(4)
	b.read(examples, valuesOf(randomModel(2), 100), &target{share: 0.3, scales: []Scales{sameScales(120)}})
	loss := func() float64 {
		var l Loss
		b.evaluate(n, &l)
		mean, _ := l.Total()
		return mean
	}
	loss()
	b.differentiate(n, gradient, &fitted)
	const step = 1e-5
	moved := 0
	for i, p := range n.all {
		if rng.IntN(4) > 0 {
			continue // check a sample
		}
		n.all[i] = p + step
		more := loss()
		n.all[i] = p - step
		less := loss()
		n.all[i] = p
		if want := (more - less) / (2 * step); math.Abs(gradient.all[i]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("parameter %d: gradient %v, difference %v", i, gradient.all[i], want)
		}
		if gradient.all[i] != 0 {
			moved++
		}
	}
	if moved < 50 {
		t.Errorf("only %d parameters have an effect", moved)
	}
}

// TestFitNet fits a net to scores that are the patterns' and something else that crossings
// know. The loss must fall, the patterns must stay as they are, a bucket without examples must stay 0, and
// the same fit must make the same net.
func TestFitNet(t *testing.T) {
	t.Parallel()
	all, start := randomGames(150, 7), randomModel(3)
	for i := range all {
		e := &all[i].example
		e.Score, e.Result = int(start.Evaluate(e.Features())), NoResult
		for _, state := range e.Board {
			e.Score += [evaluation.BoardStates]int{0, 0, 40, 0, -40}[state] // markers
		}
	}
	fitted := func() *model.Model {
		o := Default
		o.Share, o.Scale, o.Units, o.Epochs, o.Batch, o.Start = 0, 100, 4, 3, 100, start
		var epochs []Epoch
		best, err := FitNet(context.Background(), newTestDataset(t, all, DatasetOptions{Seed: 1}), o, func(e *Epoch) error {
			epochs = append(epochs, *e)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		before, _ := epochs[0].Held.Total()
		after, _ := best.Held.Total()
		if after > before-0.05 {
			t.Errorf("loss %f, without the net %f", after, before)
		}
		return best.Model
	}
	m := fitted()
	if diff := cmp.Diff(start.Sets, m.Sets); diff != "" {
		t.Errorf("the patterns changed:\n%s", diff)
	}
	for b := range m.Net.Readout {
		sum := math.Abs(m.Net.Base[b])
		for _, view := range m.Net.Readout[b] {
			for _, weight := range view {
				sum += math.Abs(weight)
			}
		}
		if blitz := b == openingBucket-1; (sum == 0) != blitz && (blitz || b == 0) {
			t.Errorf("bucket %d: readouts add up to %f", b, sum)
		}
	}
	if diff := cmp.Diff(m, fitted()); diff != "" {
		t.Errorf("the second fit made another net:\n%s", diff)
	}
}

// TestFitNetRefuses checks the error for a fit without patterns.
func TestFitNetRefuses(t *testing.T) {
	o := Default
	o.Units = 2
	_, err := FitNet(context.Background(), newTestDataset(t, randomGames(40, 7), DatasetOptions{}), o, func(*Epoch) error { return nil })
	if err == nil || err.Error() != "a net needs a model whose patterns it adds to" {
		t.Errorf("error %v", err)
	}
}
