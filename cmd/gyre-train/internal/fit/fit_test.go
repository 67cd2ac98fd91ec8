package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
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

// TestGradient checks the gradient by each parameter against the difference of
// the loss.
func TestGradient(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second, and far more with the race detector")
	}
	all := randomGames(4, 1)
	score(all, randomModel(2))
	var examples []record
	for i := range all {
		examples = append(examples, all[i].example.pack())
	}
	s := newShape(AllPatterns())
	rng := rand.New(rand.NewPCG(3, 4))
	parameters := make([]float64, len(s.kind))
	for i := range parameters {
		parameters[i] = 0.05 * rng.NormFloat64()
	}
	m := newMachine(target{share: 0.3, scales: []Scales{sameScales(120)}}, 2)
	loss := func() float64 {
		var l Loss
		m.measure(s.expand(parameters), examples, &l)
		mean, _ := l.Total()
		return mean
	}
	gradient := s.fold(m.gradient(s.expand(parameters), examples, new(Loss)))
	const step = 1e-4
	moved, checked := 0, 0 // of those of all stages: most stages are rare in random games
	for i, p := range parameters {
		if rng.IntN(300) > 0 && s.kind[i] != plainKind {
			continue // there are many thousands
		}
		parameters[i] = p + step
		more := loss()
		parameters[i] = p - step
		less := loss()
		parameters[i] = p
		if want := (more - less) / (2 * step); math.Abs(gradient[i]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("parameter %d: gradient %v, difference %v", i, gradient[i], want)
		}
		if s.kind[i] < stageClassKind {
			checked++
			if gradient[i] != 0 {
				moved++
			}
		}
	}
	if moved < checked/4 {
		t.Errorf("only %d of %d parameters matter", moved, checked)
	}
}

// together is a penalty that holds the sets of all stages together, so that each number is
// learned from all positions.
const together = 1e6

// oneForAllStages returns the model with one set for all stages.
func oneForAllStages(m *model.Model) *model.Model {
	for s := range m.Sets {
		m.Sets[s] = m.Sets[0]
	}
	return m
}

// firstPatternAlone returns the model with nothing for the others. Then each number is
// what it is: what the fives in a six are worth might as well be the six's.
func firstPatternAlone(m *model.Model) *model.Model {
	for s := range m.Sets {
		for _, worths := range m.Sets[s].Patterns[1:] {
			clear(worths)
		}
	}
	return m
}

// TestFitRecoversWeights checks that a fit to what a model says of positions
// finds the model: every number that counts in many positions, and what
// positions are worth that were not learned from.
func TestFitRecoversWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	const (
		often     = 300 // times that an index is seen
		tolerance = 0.5 // centipawns
		looser    = 3.0 // of what patterns can say nearly as well
	)
	truth := firstPatternAlone(oneForAllStages(randomModel(1)))
	all := randomGames(800, 2)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Patterns, o.Apart = 12, Fitted{true}, together
	best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
	if err != nil {
		t.Fatal(err)
	}
	seen, stages := occurrences(all)
	if off := heldOutOff(all, how, best.Model, truth); !(off < tolerance) {
		t.Errorf("positions held out are off by %.3f centipawns", off)
	}
	check := func(name string, index int, got, want, tolerance float64) {
		if !(math.Abs(got-want) < tolerance) {
			t.Fatalf("%s %d: %.3f centipawns, not %.3f", name, index, got, want)
		}
	}
	for at, times := range seen {
		if times >= often {
			got, want := best.Model.Sets[at.stage].Patterns[0][at.index], truth.Sets[at.stage].Patterns[0][at.index]
			check(at.stage.String()+" five", int(at.index), got, want, tolerance)
		}
	}
	for s, times := range stages {
		if times < often {
			continue
		}
		check(s.String()+" tempo", 0, best.Model.Sets[s].Tempo, truth.Sets[s].Tempo, looser)
	}
	for own := range truth.Removed {
		for theirs := range truth.Removed[own] {
			check("rings removed", 10*own+theirs, best.Model.Removed[own][theirs], truth.Removed[own][theirs], tolerance)
		}
	}
}

// place is a number of the first pattern in the set of a stage.
type place struct {
	stage evaluation.Stage
	index uint16
}

// occurrences counts how often the numbers of the first pattern are seen, and the stages.
func occurrences(all []played) (seen map[place]int, stages map[evaluation.Stage]int) {
	seen, stages = map[place]int{}, map[evaluation.Stage]int{}
	for i := range all {
		f := all[i].example.Features()
		stages[f.Stage]++
		for _, index := range f.Indexes[0] {
			seen[place{f.Stage, index}]++
		}
	}
	return seen, stages
}

// heldOutOff returns by how many centipawns, in the root of the mean square, a model
// is off the truth in the positions held out.
func heldOutOff(all []played, how DatasetOptions, model, truth *model.Model) float64 {
	how.Hold = testHold
	sum, count := 0.0, 0.0
	for i := range all {
		if how.HeldOut(all[i].game) {
			f := all[i].example.Features()
			sum += math.Pow(model.Evaluate(f)-truth.Evaluate(f), 2)
			count++
		}
	}
	return math.Sqrt(sum / count)
}

// TestFitRecoversPatterns checks that a fit with all patterns finds what positions
// are worth, and that one with the first alone does not.
func TestFitRecoversPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	truth := oneForAllStages(randomModel(1))
	all := randomGames(800, 2)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Apart = 10, together
	off := map[Fitted]float64{}
	first := Fitted{true}
	for _, o.Patterns = range []Fitted{AllPatterns(), first} {
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		off[o.Patterns] = heldOutOff(all, how, best.Model, truth)
	}
	if !(off[AllPatterns()] < 5 && off[first] > 10) {
		t.Errorf("positions held out are off by %.3f centipawns with all patterns, %.3f with the first alone", off[AllPatterns()], off[first])
	}
}

// TestFitRecoversStages checks that where each stage has a set of its own, a fit finds
// what positions of each are worth, and that one which holds the stages together does not.
func TestFitRecoversStages(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	truth := firstPatternAlone(randomModel(1))
	stages := byStage(randomGames(1000, 2))
	var all []played
	for stage := range stages {
		if stage := evaluation.Stage(stage); stage == evaluation.NeitherShort || stage == evaluation.Opening {
			stages[stage] = stages[stage][:len(stages[stage])/4] // random games have most of these
		}
		all = append(all, stages[stage]...)
	}
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Patterns = 12, Fitted{true}
	fitted := func(apart float64) *model.Model {
		o.Apart = apart
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		return best.Model
	}
	apart, held := fitted(0), fitted(together)
	for stage, some := range byStage(all) {
		if stage := evaluation.Stage(stage); stage != evaluation.Blitz {
			off, want := heldOutOff(some, how, apart, truth), heldOutOff(some, how, held, truth)/2
			if !(off < want) {
				t.Errorf("stage %v: positions held out are off by %.3f centipawns, not by less than %.3f, half of what they are with all stages together", stage, off, want)
			}
		}
	}
}

// byStage returns the positions of each stage.
func byStage(all []played) (stages [evaluation.StageCount][]played) {
	for i := range all {
		stage := all[i].example.stage()
		stages[stage] = append(stages[stage], all[i])
	}
	return stages
}
