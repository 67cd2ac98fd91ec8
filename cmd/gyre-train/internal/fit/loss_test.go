package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gyre/position"
)

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
	scales, err := d.Scales()
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
	m := newMachine(target{scales: scales}, 1)
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
	m := newMachine(target{share: 1}, 2)
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
