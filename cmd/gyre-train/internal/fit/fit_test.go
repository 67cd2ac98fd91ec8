package fit

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testOptions are options for small datasets.
func testOptions() Options {
	return Options{Scale: 100, Epochs: 3, Batch: 200, Rate: 0.01, Patience: 9, Threads: 2, Unit: 100, Patterns: AllPatterns()}
}

// ignore is a report that takes no notice.
func ignore(*Epoch) error { return nil }

// TestFitIsTheSame checks that seed and options alone make the result: not the
// number of threads, nor the number of epochs that are reported on.
func TestFitIsTheSame(t *testing.T) {
	all := randomGames(40, 4)
	score(all, randomModel(8))
	for i := range all { // as the scores say, but for every third
		e := &all[i].example
		e.Result = 1
		if (e.Score < 0) != (i%3 == 0) {
			e.Result = -1
		}
	}
	run := func(seed uint64, threads int) (epochs []Epoch) {
		// Several shards, as a large dataset has.
		d := newTestDataset(t, all, DatasetOptions{Seed: seed, Keep: 0.9, Expected: 3 * shardSize})
		o := testOptions()
		o.Share, o.Scale, o.Ridge, o.Even, o.Threads = 0.25, 0, 10, 20, threads
		_, err := Fit(context.Background(), d, o, func(e *Epoch) error {
			epochs = append(epochs, *e)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return epochs
	}
	want := run(1, 1)
	for threads := 1; threads <= microBatches+1; threads++ {
		if got := run(1, threads); !reflect.DeepEqual(want, got) {
			t.Errorf("%d threads (-one +these):\n%s", threads, cmp.Diff(want, got))
		}
	}
	if reflect.DeepEqual(want, run(2, 1)) {
		t.Error("another seed gives the same")
	}
}

// TestFitGoesOn checks that a fit that begins with a model begins as good as the
// model is.
func TestFitGoesOn(t *testing.T) {
	all := randomGames(40, 6)
	truth := randomModel(7)
	truth.Removed[0][0] = 20
	for k, unanchored := range []float64{0.25, -0.125} {
		for s := range truth.Sets {
			for index := range truth.Sets[s].Patterns[k] {
				truth.Sets[s].Patterns[k][index] += unanchored * float64(s+1)
			}
			truth.Sets[s].Tempo += 3 * float64(s)
		}
	}
	score(all, truth)
	o := testOptions()
	o.Start = truth
	var first *Epoch
	stop := errors.New("enough")
	_, err := Fit(context.Background(), newTestDataset(t, all, DatasetOptions{}), o, func(e *Epoch) error {
		first = e
		return stop
	})
	if err != stop {
		t.Fatalf("error %v, not the report's", err)
	}
	for i := range all {
		f := all[i].example.Features()
		if got, want := first.Model.Evaluate(f), truth.Evaluate(f); math.Abs(got-want) > 1e-6 {
			t.Fatalf("position %d is worth %v, not %v", i, got, want)
		}
	}
}

// TestFitStopsEarly checks that a fit that only gets worse ends, and gives back
// where it was best.
func TestFitStopsEarly(t *testing.T) {
	all := randomGames(40, 6)
	truth := randomModel(7)
	score(all, truth)
	o := testOptions()
	o.Start, o.Rate, o.Epochs, o.Patience = truth, 0.5, 20, 2
	var numbers []int
	best, err := Fit(context.Background(), newTestDataset(t, all, DatasetOptions{}), o, func(e *Epoch) error {
		numbers = append(numbers, e.Number)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if best.Number != 0 {
		t.Errorf("epoch %d is the best, not the beginning", best.Number)
	}
	if diff := cmp.Diff([]int{0, 1, 2}, numbers); diff != "" {
		t.Errorf("epochs (-want +got):\n%s", diff)
	}
}

// TestFitIsInterrupted checks that a fit ends at once with the best so far.
func TestFitIsInterrupted(t *testing.T) {
	all := randomGames(120, 6)
	score(all, randomModel(7))
	ctx, cancel := context.WithCancel(context.Background())
	best, err := Fit(ctx, newTestDataset(t, all, DatasetOptions{}), testOptions(), func(e *Epoch) error {
		if e.Number == 1 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if best == nil || best.Number != 1 {
		t.Errorf("the best is %+v, not the first epoch", best)
	}
}

// TestFitRefuses checks that what cannot be fitted is an error.
func TestFitRefuses(t *testing.T) {
	all := randomGames(40, 6)
	for _, test := range []struct {
		name   string
		all    []played
		change func(*Options)
		want   string
	}{
		{"share", all, func(o *Options) { o.Share = 1.5 }, "a share of 1.5: give one from 0 to 1"},
		{"share that is no number", all, func(o *Options) { o.Share = math.NaN() }, "a share of NaN: give one from 0 to 1"},
		{"scale", all, func(o *Options) { o.Scale = -1 }, "a scale of -1: give one above 0, or 0 to fit it"},
		{"epochs", all, func(o *Options) { o.Epochs = -1 }, "-1 epochs: give at least one, or 0 to have them chosen"},
		{"batch", all, func(o *Options) { o.Batch = 0 }, "batches of 0: give at least one"},
		{"rate", all, func(o *Options) { o.Rate = 0 }, "a rate of 0: give one above 0"},
		{"ridge", all, func(o *Options) { o.Ridge = -1 }, "a penalty below 0"},
		{"patience", all, func(o *Options) { o.Patience = -1 }, "a patience of -1 epochs: give at least one, or 0 to have it chosen"},
		{"unit", all, func(o *Options) { o.Unit = 0 }, "a unit of 0 centipawns: give one above 0"},
		{"threads", all, func(o *Options) { o.Threads = 0 }, "0 threads: give at least one"},
		{"nothing", nil, func(o *Options) {}, "no positions to learn from"},
		{"one game", all[:1], func(o *Options) {}, "no game is held out: give more games or hold out a larger share"},
		{"scores that say nothing", all, func(o *Options) { o.Scale = 0 }, errNoScale.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := testOptions()
			test.change(&o)
			_, err := Fit(context.Background(), newTestDataset(t, test.all, DatasetOptions{}), o, ignore)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, not %q", err, test.want)
			}
		})
	}
}

// TestFittedFlag reads and writes names of patterns.
func TestFittedFlag(t *testing.T) {
	all := AllPatterns()
	for text, want := range map[string]Fitted{"": {}, "five": {true}, "six": {false, true}, "six,five": {true, true}, all.String(): all} {
		got := AllPatterns()
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%q: %v, error %v", text, got, err)
		}
		again := Fitted{}
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q: %v, error %v", text, got.String(), again, err)
		}
	}
	for text, want := range map[string]string{
		"none":  `no pattern is called "none"; there are ` + all.String(),
		"five,": `no pattern is called ""; there are ` + all.String(),
	} {
		f := AllPatterns()
		if err := f.Set(text); err == nil || err.Error() != want || f != AllPatterns() {
			t.Errorf("%q: %v, error %v", text, f, err)
		}
	}
}

// TestSteps checks how many epochs are chosen.
func TestSteps(t *testing.T) {
	d := newTestDataset(t, numbered(100, 100), DatasetOptions{Hold: testHold})
	for _, test := range []struct{ batch, epochs, wantEpochs int }{
		{1000, 7, 7},
		{d.Learned(), 0, leastSteps},
		{(d.Learned() + 99) / 100, 0, leastSteps / 100},
		{1, 0, usualEpochs},
	} {
		o := Options{Batch: test.batch, Epochs: test.epochs}
		if batches, epochs := o.Steps(d); epochs != test.wantEpochs || batches != (d.Learned()+test.batch-1)/test.batch {
			t.Errorf("batches of %d: %d epochs of %d batches, not %d", test.batch, epochs, batches, test.wantEpochs)
		}
	}
}
