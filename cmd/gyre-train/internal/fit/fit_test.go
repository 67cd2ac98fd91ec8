package fit

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// testOptions returns options for small datasets.
func testOptions() Options {
	return Options{Scale: 100, Epochs: 3, Batch: 200, Rate: 0.01, Patience: 9, Threads: 2, Unit: 100, Patterns: AllPatterns()}
}

// ignore is a report that does nothing.
func ignore(*Epoch) error { return nil }

// TestFitIsTheSame checks that the result depends only on the seed and options, not on the
// number of threads or on the reports.
func TestFitIsTheSame(t *testing.T) {
	t.Parallel()
	all := randomGames(20, 4)
	score(all, randomModel(8))
	for i := range all { // consistent with the scores, except for every third
		e := &all[i].example
		e.Result = 1
		if (e.Score < 0) != (i%3 == 0) {
			e.Result = -1
		}
	}
	run := func(seed uint64, threads int) (epochs []Epoch) {
		// Several shards, as in a large dataset.
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
	for _, threads := range []int{3, microBatches + 1} {
		if got := run(1, threads); !reflect.DeepEqual(want, got) {
			t.Errorf("%d threads (-one +several):\n%s", threads, cmp.Diff(want, got))
		}
	}
	if reflect.DeepEqual(want, run(2, 1)) {
		t.Error("another seed gave the same result")
	}
}

// TestFitStartsFromModel checks that a fit that starts from a model is as good as the model before its first
// epoch.
func TestFitStartsFromModel(t *testing.T) {
	t.Parallel()
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
		t.Fatalf("error %v, want the report's", err)
	}
	for i := range all {
		f := all[i].example.Features()
		if got, want := first.Model.Evaluate(f), truth.Evaluate(f); math.Abs(got-want) > 1e-6 {
			t.Fatalf("position %d evaluates to %v, want %v", i, got, want)
		}
	}
}

// TestFitStopsEarly checks that a fit that only gets worse stops and returns the initial model.
func TestFitStopsEarly(t *testing.T) {
	t.Parallel()
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
		t.Errorf("epoch %d is the best, want the initial model", best.Number)
	}
	if diff := cmp.Diff([]int{0, 1, 2}, numbers); diff != "" {
		t.Errorf("epochs (-want +got):\n%s", diff)
	}
}

// TestFitIsInterrupted checks that an interrupted fit returns the best epoch so far.
func TestFitIsInterrupted(t *testing.T) {
	t.Parallel()
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
		t.Errorf("the best is %+v, want the first epoch", best)
	}
}

// TestFitRejects checks that invalid options and datasets are rejected.
func TestFitRejects(t *testing.T) {
	t.Parallel()
	all := randomGames(40, 6)
	for _, test := range []struct {
		name   string
		all    []played
		change func(*Options)
		want   string
	}{
		{"share", all, func(o *Options) { o.Share = 1.5 }, "share 1.5: must be from 0 to 1"},
		{"share that is not a number", all, func(o *Options) { o.Share = math.NaN() }, "share NaN: must be from 0 to 1"},
		{"scale", all, func(o *Options) { o.Scale = -1 }, "scale -1: must be above 0, or 0 to fit it"},
		{"epochs", all, func(o *Options) { o.Epochs = -1 }, "-1 epochs: must be at least 1, or 0 to choose automatically"},
		{"batch", all, func(o *Options) { o.Batch = 0 }, "batch size 0: must be at least 1"},
		{"rate", all, func(o *Options) { o.Rate = 0 }, "rate 0: must be above 0"},
		{"ridge", all, func(o *Options) { o.Ridge = -1 }, "penalties must not be negative"},
		{"patience", all, func(o *Options) { o.Patience = -1 }, "patience -1: must be at least 1 epoch, or 0 to choose automatically"},
		{"unit", all, func(o *Options) { o.Unit = 0 }, "unit of 0 centipawns: must be above 0"},
		{"threads", all, func(o *Options) { o.Threads = 0 }, "0 threads: must be at least 1"},
		{"no positions", nil, func(o *Options) {}, "no positions to learn from: give more games"},
		{"one game", all[:1], func(o *Options) {}, "no game is held out for validation: give more games or a larger -hold"},
		{"scores unrelated to results", all, func(o *Options) { o.Scale = 0 }, errNoScale.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := testOptions()
			test.change(&o)
			_, err := Fit(context.Background(), newTestDataset(t, test.all, DatasetOptions{}), o, ignore)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestFittedFlag parses and formats names of patterns.
func TestFittedFlag(t *testing.T) {
	all := AllPatterns()
	named := func(names ...string) (f Fitted) {
		for k, p := range evaluation.Patterns() {
			f[k] = slices.Contains(names, p.Name)
		}
		return f
	}
	for text, want := range map[string]Fitted{"": {}, "five": named("five"), "six": named("six"), "six,five": named("five", "six"), all.String(): all} {
		got := AllPatterns()
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%q: %v, error %v", text, got, err)
		}
		again := Fitted{}
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%q formats as %q: %v, error %v", text, got.String(), again, err)
		}
	}
	for text, want := range map[string]string{
		"none":  `unknown pattern "none": use names from ` + all.String(),
		"five,": `unknown pattern "": use names from ` + all.String(),
	} {
		f := AllPatterns()
		if err := f.Set(text); err == nil || err.Error() != want || f != AllPatterns() {
			t.Errorf("%q: %v, error %v", text, f, err)
		}
	}
}

// TestSteps checks the number of epochs that is chosen automatically.
func TestSteps(t *testing.T) {
	d := newTestDataset(t, numbered(100, 100), DatasetOptions{Hold: testHold})
	for _, test := range []struct{ batch, epochs, wantEpochs int }{
		{1000, 7, 7},
		{d.Learned(), 0, minSteps},
		{(d.Learned() + 99) / 100, 0, minSteps / 100},
		{1, 0, defaultEpochs},
	} {
		o := Options{Batch: test.batch, Epochs: test.epochs}
		if batches, epochs := o.Steps(d); epochs != test.wantEpochs || batches != (d.Learned()+test.batch-1)/test.batch {
			t.Errorf("batches of %d: %d epochs of %d batches, want %d", test.batch, epochs, batches, test.wantEpochs)
		}
	}
}

// TestGradient compares the gradient for each parameter with a difference quotient of the loss.
func TestGradient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second, and much longer with the race detector")
	}
	t.Parallel()
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
	m := newMachine(target{share: 0.3, scales: []Scales{sameScales(120)}}, AllPatterns(), 2)
	loss := func() float64 {
		var l Loss
		m.measure(s.expand(parameters), examples, &l)
		mean, _ := l.Total()
		return mean
	}
	gradient := s.fold(m.gradient(s.expand(parameters), examples, new(Loss)))
	const step = 1e-4
	moved, checked := 0, 0 // only parameters of all stages: most stages are rare in random games
	for i, p := range parameters {
		if rng.IntN(600) > 0 && s.kind[i] != plainKind {
			continue // check a sample of the many thousands
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
		t.Errorf("only %d of %d parameters have an effect", moved, checked)
	}
}

// together is a penalty that keeps the sets of all stages equal, so that each number is learned from
// all positions.
const together = 1e6

// oneForAllStages returns a model that uses one set for all stages.
func oneForAllStages(m *model.Model) *model.Model {
	for s := range m.Sets {
		m.Sets[s] = m.Sets[0]
	}
	return m
}

// firstPatternAlone sets the values of other patterns to 0. Otherwise the values are not unique: a
// six can take over the value of the fives inside it.
func firstPatternAlone(m *model.Model) *model.Model {
	for s := range m.Sets {
		for _, worths := range m.Sets[s].Patterns[1:] {
			clear(worths)
		}
	}
	return m
}

// TestFitRecoversWeights fits a model to the evaluations of a known model. It must find every number
// that occurs in many positions, and evaluate held-out positions alike.
func TestFitRecoversWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, and much longer with the race detector")
	}
	t.Parallel()
	const (
		often     = 200 // occurrences of an index
		tolerance = 0.5 // centipawns
		looser    = 3.0 // centipawns, for numbers that patterns can nearly replace
	)
	truth := firstPatternAlone(oneForAllStages(randomModel(1)))
	all := manyGames(400)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Batch, o.Patterns, o.Apart = 12, 100, Fitted{true}, together
	best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
	if err != nil {
		t.Fatal(err)
	}
	seen, stages := occurrences(all)
	if off := heldOutOff(all, how, best.Model, truth); !(off < tolerance) {
		t.Errorf("held-out positions are off by %.3f centipawns", off)
	}
	check := func(name string, index int, got, want, tolerance float64) {
		if !(math.Abs(got-want) < tolerance) {
			t.Fatalf("%s %d: %.3f centipawns, want %.3f", name, index, got, want)
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

// place is a number of the first pattern, in the set of a stage.
type place struct {
	stage evaluation.Stage
	index uint16
}

// occurrences counts how often the numbers of the first pattern and the stages occur.
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

// heldOutOff returns the root mean square difference, in centipawns, between a model and the truth on
// the held-out positions.
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

// TestFitRecoversPatterns checks that a fit with all patterns comes at least twice as close to the
// evaluations of a model as one with only the first pattern.
func TestFitRecoversPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, and much longer with the race detector")
	}
	t.Parallel()
	truth := oneForAllStages(randomModel(1))
	all := manyGames(400)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Apart, o.Batch, o.Rate = together, 400, 0.015
	off := map[Fitted]float64{}
	first := Fitted{true}
	for o.Patterns, o.Epochs = range map[Fitted]int{AllPatterns(): 7, first: 2} { // more epochs do not help the first enough
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		off[o.Patterns] = heldOutOff(all, how, best.Model, truth)
	}
	if !(off[AllPatterns()] < off[first]/2) {
		t.Errorf("held-out positions are off by %.3f centipawns with all patterns, %.3f with the first alone", off[AllPatterns()], off[first])
	}
}

// TestFitRecoversStages checks that a fit finds the evaluations of each stage if stages are separate,
// and that a fit that keeps the stages together does not.
func TestFitRecoversStages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, and much longer with the race detector")
	}
	t.Parallel()
	truth := firstPatternAlone(randomModel(1))
	stages := byStage(manyGames(1000))
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
	o.Patterns = Fitted{true}
	fitted := func(apart float64, epochs int) *model.Model {
		o.Apart, o.Epochs = apart, epochs
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		return best.Model
	}
	apart, held := fitted(0, 9), fitted(together, 3) // more hardly help stages that are together
	for stage, some := range byStage(all) {
		if stage := evaluation.Stage(stage); stage != evaluation.Blitz {
			off, want := heldOutOff(some, how, apart, truth), heldOutOff(some, how, held, truth)/2
			if !(off < want) {
				t.Errorf("stage %v: held-out positions are off by %.3f centipawns, want less than %.3f, half of the value with stages together", stage, off, want)
			}
		}
	}
}

// byStage groups positions by stage.
func byStage(all []played) (stages [evaluation.StageCount][]played) {
	for i := range all {
		stage := all[i].example.stage()
		stages[stage] = append(stages[stage], all[i])
	}
	return stages
}

// drawn returns an example with a score, and a result drawn with the probability at a scale.
func drawn(rng *rand.Rand, scale float64) *Example {
	e := &Example{Score: int(300 * rng.NormFloat64()), Result: -1}
	if rng.Float64() < sigmoid(float64(e.Score)/scale) {
		e.Result = 1
	}
	return e
}

// TestScale checks that results drawn at a scale lead back to it.
func TestScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, scale := range []float64{40, 100, 700} {
		var c scoreCounts
		for range 200000 {
			c.add(drawn(rng, scale))
		}
		got, err := c.scale()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-scale) > 0.03*scale {
			t.Errorf("scale %v is fitted as %v", scale, got)
		}
	}
}

// TestScalesBySource checks that each source has its own scales, that a phase with few examples uses
// the scale of its source, and a source with few examples that of all.
func TestScalesBySource(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	d := newTestDataset(t, nil, DatasetOptions{})
	add := func(source, count int, scale float64, rules position.Rules) {
		for game := range count {
			e := drawn(rng, scale)
			e.Source, e.Rules = source, rules
			if err := d.Add(e, uint32(game)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(0, 60000, 50, position.Standard) // an empty board: the opening
	add(0, minScores/2, 300, position.Blitz)
	add(1, 60000, 200, position.Blitz)
	add(2, minScores/2, 20, position.Standard)
	scales, err := scalesOf(d.scores)
	if err != nil {
		t.Fatal(err)
	}
	if len(scales) != 3 {
		t.Fatalf("scales of %d sources, not 3", len(scales))
	}
	all := scales[2][openingPhase]
	for _, test := range []struct {
		source, phase int
		want          float64
	}{
		{0, openingPhase, 50}, {0, blitzPhase, 50}, {0, firstPhase, 50},
		{1, blitzPhase, 200}, {1, openingPhase, 200},
		{2, openingPhase, all}, {2, blitzPhase, all},
	} {
		if got := scales[test.source][test.phase]; math.Abs(got-test.want) > 0.06*test.want {
			t.Errorf("source %d, %s: a scale of %.1f, want %.1f", test.source, PhaseName(test.phase), got, test.want)
		}
	}
	if !(all > 60 && all < 160) {
		t.Errorf("a source with few examples has scale %.1f, want one between those of the others", all)
	}
	m := newMachine(target{scales: scales}, AllPatterns(), 1)
	for source, want := range []float64{50, 200} {
		e := &Example{Score: 100, Source: source, Result: NoResult}
		if got := m.target.of(e, openingPhase); math.Abs(got-sigmoid(100/want)) > 0.02 {
			t.Errorf("100 centipawns of source %d are a chance of %.3f, want %.3f", source, got, sigmoid(100/want))
		}
	}
}

// TestCrossEntropy checks the loss at known points and at extremes that overflow a naive formula.
func TestCrossEntropy(t *testing.T) {
	for _, test := range []struct{ logit, target, want float64 }{
		{0, 0, math.Ln2},
		{0, 1, math.Ln2},
		{math.Log(3), 1, math.Log(4) - math.Log(3)},
		{math.Log(3), 0.75, math.Log(4) - 0.75*math.Log(3)},
		{1000, 1, 0},
		{1000, 0, 1000},
		{-1000, 0, 0},
		{-1000, 1, 1000},
	} {
		if got := crossEntropy(test.logit, test.target); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("logit %v, target %v: %v, want %v", test.logit, test.target, got, test.want)
		}
	}
}

// TestResultsAlone checks that examples without a result are ignored if only results are learned.
func TestResultsAlone(t *testing.T) {
	m := newMachine(target{share: 1}, AllPatterns(), 2)
	var records []record
	for i, one := range randomGames(5, 1) {
		if one.example.Score = 0; i%3 == 0 {
			one.example.Result = NoResult
		}
		records = append(records, one.example.pack())
	}
	var loss Loss
	m.measure(newValues(), records, &loss)
	mean, count := loss.Total()
	if want := len(records) - (len(records)+2)/3; count != want || math.Abs(mean-math.Ln2) > 1e-9 {
		t.Errorf("a loss of %v by %d examples, want %v by %d", mean, count, math.Ln2, want)
	}
}

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
		best, err := Fit(context.Background(), newTestDataset(t, all, DatasetOptions{Seed: 1}), o, func(e *Epoch) error {
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
	if !reflect.DeepEqual(start.Sets, m.Sets) { // cmp takes longer than the fit
		t.Error("the patterns changed")
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
	if again := fitted(); !reflect.DeepEqual(m, again) {
		t.Errorf("the second fit made another net:\n%s", cmp.Diff(m.Net, again.Net))
	}
}

// TestTuneNet tunes wrong nets to scores that the right net predicts. Epoch 0
// must be the loss that Measure finds, the loss must fall, and the patterns must stay as they are. A tuned
// right net must stay nearly as it is.
func TestTuneNet(t *testing.T) {
	t.Parallel()
	all, right := randomGames(60, 7), randomModel(3)
	right.Net = randomNet(5)
	// off returns the right model with other readouts.
	off := func(change func(unit int, readout float64) float64) *model.Model {
		m := *right
		m.Net = randomNet(5)
		for b := range m.Net.Readout {
			for view := range m.Net.Readout[b] {
				for k, readout := range m.Net.Readout[b][view] {
					m.Net.Readout[b][view][k] = change(k, readout)
				}
			}
		}
		return &m
	}
	o := Default
	o.Share, o.Scale, o.Units, o.Tune = 0, 100, 3, true
	scoreByNet(all, right, &o)
	tuned := func(start *model.Model, rate float64) (before, after float64, m *model.Model) {
		o := o
		o.Start, o.Rate, o.Epochs, o.Batch = start, rate, 3, 50
		d := newTestDataset(t, all, DatasetOptions{Seed: 1})
		var first *Epoch
		best, err := Fit(context.Background(), d, o, func(e *Epoch) error {
			if e.Number == 0 {
				first = e
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		measured, err := Measure(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		before, count := first.Held.Total()
		after, _ = best.Held.Total()
		perfect := 0.0
		for i := range all {
			if e := &all[i].example; d.options.HeldOut(all[i].game) {
				perfect += entropy(sigmoid(float64(e.Score)/o.Scale)) / float64(count)
			}
		}
		if excess, _ := measured.Total(); math.Abs(excess-(before-perfect)) > 1e-9 {
			t.Errorf("measured %v, but epoch 0 is %v above the entropy", excess, before-perfect)
		}
		return before - perfect, after - perfect, best.Model
	}
	for name, wrong := range map[string]*model.Model{
		"a unit is missing": off(func(unit int, readout float64) float64 { return readout * float64(min(unit, 1)) }),
		"sure and wrong":    off(func(_ int, readout float64) float64 { return -4 * readout }),
	} {
		if before, after, m := tuned(wrong, 0.03); after > before-0.005 || !reflect.DeepEqual(m.Sets, wrong.Sets) {
			t.Errorf("%s: loss %f, before %f", name, after, before)
		}
	}
	before, after, m := tuned(right, 1e-6)
	if before > 1e-4 || after > 1e-4 {
		t.Errorf("the right net has a loss of %f, tuned %f", before, after)
	}
	for b := range openingBucket - 1 { // there is no blitz game
		for k, weight := range right.Net.Readout[b][0] {
			if got := m.Net.Readout[b][0][k]; math.Abs(got-weight) > 0.05*math.Abs(weight)+0.1 {
				t.Errorf("bucket %d: readout %f became %f", b, weight, got)
			}
		}
	}
}

// randomNet returns a net of three units.
func randomNet(seed uint64) model.Net {
	rng := rand.New(rand.NewPCG(seed, 2))
	n := model.NewNet(3)
	for k := range n.Bias {
		n.Bias[k] = 0.2
		for state := range n.Inputs {
			for class := range n.Inputs[state] {
				n.Inputs[state][class][k] = 0.2 * rng.NormFloat64()
			}
		}
		for b := range n.Readout {
			n.Readout[b][0][k], n.Readout[b][1][k] = 3*rng.NormFloat64(), 3*rng.NormFloat64()
		}
	}
	return n
}

// scoreByNet sets the scores to the evaluations of a model with a net, without results.
func scoreByNet(all []played, m *model.Model, o *Options) {
	n := newNetParameters(o.Units)
	n.set(&m.Net, o.Unit)
	for b := range n.scale {
		n.scale[b] = 1
	}
	var batch netBatch
	batch.begin(o.Units)
	for i := range all {
		e := &all[i].example
		e.Result = NoResult
		batch.read([]record{e.pack()}, valuesOf(m, o.Unit), &target{scales: []Scales{sameScales(o.Scale)}})
		batch.evaluate(n, new(Loss))
		e.Score = int(math.Round(o.Unit * batch.rows[0].logit))
	}
}

// TestFitNetRejects checks fits of nets without a model.
func TestFitNetRejects(t *testing.T) {
	for _, o := range []Options{{Units: 2}, {Tune: true}} {
		o.Unit, o.Batch, o.Rate, o.Threads = 100, 100, 0.01, 1
		if _, err := Fit(context.Background(), newTestDataset(t, randomGames(40, 7), DatasetOptions{}), o, ignore); !errors.Is(err, errNoModel) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// epochsOf returns epochs with the given held-out losses. The lowest so far is the best.
func epochsOf(losses ...float64) (epochs []*Epoch) {
	lowest := math.Inf(1)
	for number, loss := range losses {
		e := &Epoch{Number: number, Best: loss < lowest}
		lowest = min(lowest, loss)
		for phase := range Phases {
			spread := loss * (1 + (float64(phase)-3)/20)
			e.Held.Sum[phase], e.Held.Count[phase] = 100*spread, 100
			if number > 0 {
				e.Learned.Sum[phase], e.Learned.Count[phase] = 300*(spread-0.01), 300
			}
		}
		epochs = append(epochs, e)
	}
	return epochs
}

// plotOf returns the plot of epochs, which must be XML with the mark.
func plotOf(t *testing.T, epochs []*Epoch) string {
	t.Helper()
	var svg bytes.Buffer
	if err := Plot(&svg, epochs); err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(svg.String(), PlotMark); at < 0 || at > 1000 {
		t.Errorf("the mark is at byte %d", at)
	}
	if err := xml.Unmarshal(svg.Bytes(), new(any)); err != nil {
		t.Errorf("the plot is not XML: %v", err)
	}
	return svg.String()
}

// TestPlot plots a fit, and one that has only begun.
func TestPlot(t *testing.T) {
	svg := plotOf(t, epochsOf(0.69, 0.60, 0.58, 0.57, 0.575))
	for _, want := range []string{"held out, all phases", "learned from, all phases", "opening: few markers", "2-1: one side removed 2 rings, the other 1", "blitz: blitz games", "kept: epoch 3, 0.584", ">epoch<", "prefers-color-scheme: dark"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the plot lacks %q", want)
		}
	}
	if lines := strings.Count(svg, `<path class="line `); lines != 2*(2+Phases) {
		t.Errorf("%d lines, want one for each curve and one in its legend, %d", lines, 2*(2+Phases))
	}
	if svg := plotOf(t, epochsOf(0.69)); !strings.Contains(svg, "lowest: epoch 0") || strings.Contains(svg, "learned from") || strings.Contains(svg, "NaN") {
		t.Errorf("the plot of the initial model: %s", svg)
	}
}

// TestPlotLayout checks that all losses are within the range of the axis, that labels of the axis do not
// overlap, and that legend rows do not either.
func TestPlotLayout(t *testing.T) {
	number := `(-?[0-9.]+)`
	for _, losses := range [][]float64{{0.69, 0.57}, {0.693147}, {3.2, 0.7, 0.4, 0.2}, {0.5517, 0.5516, 0.5515}, make([]float64, 120)} {
		for i := range losses {
			if losses[i] == 0 {
				losses[i] = 0.7 - float64(i)/1000
			}
		}
		svg := plotOf(t, epochsOf(losses...))
		for _, path := range regexp.MustCompile(`<path class="line [^"]*" d="M([^"]*)"/>\n`).FindAllStringSubmatch(svg, -1) {
			for _, point := range strings.Split(path[1], "L") {
				var x, y float64
				if _, err := fmt.Sscan(point, &x, &y); err != nil || x < plotLeft || x > plotRight || y < plotTop || y > plotBottom {
					t.Fatalf("%v: a curve has point %q", losses, point)
				}
			}
		}
		for name, test := range map[string]struct {
			pattern  string
			distance float64
		}{
			"y labels": {`y="` + number + `" text-anchor="end">[0-9]`, 15},
			"x labels": {`x="` + number + `" y="318"`, 25},
			"legend":   {`<text x="60" y="` + number, 18},
		} {
			places := regexp.MustCompile(test.pattern).FindAllStringSubmatch(svg, -1)
			if len(places) < 2 {
				t.Errorf("%v: %d %s", losses, len(places), name)
			}
			for i := 1; i < len(places); i++ {
				before, _ := strconv.ParseFloat(places[i-1][1], 64)
				here, _ := strconv.ParseFloat(places[i][1], 64)
				if math.Abs(here-before) < test.distance {
					t.Errorf("%v: %s at %v and %v", losses, name, before, here)
				}
			}
		}
	}
}
