package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gyre/position"
	"gyre/search/evaluation"
)

// ongoing returns the positions of random games before their end.
func ongoing(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range games {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
			all = append(all, p)
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// randomModel returns a random model.
func randomModel() *Model {
	rng := rand.New(rand.NewPCG(5, 6))
	m := New()
	for s := range m.Sets {
		set := &m.Sets[s]
		set.Tempo = 20 * rng.NormFloat64()
		for k, p := range patterns {
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = 10 * rng.NormFloat64()
			}
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = set.Patterns[k][p.Canonical(index)]
			}
		}
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			m.Removed[own][theirs] = 200 * rng.NormFloat64()
		}
	}
	return m
}

// roundingBound returns the maximum difference, in centipawns, between the evaluations of rounded
// weights and their model: half a unit for each weight, plus the rounding of the pattern sum.
func roundingBound() float64 {
	bound := 0.5 + 0.5 + 0.5 // removed, tempo, the sum
	for k, p := range patterns {
		bound += 0.5 / float64(p.Unit) * float64(evaluation.PlaceCount(k))
	}
	return bound
}

// TestQuantize checks that rounded weights evaluate like their model, within the bound.
func TestQuantize(t *testing.T) {
	m := randomModel()
	w, err := m.Quantize("a test")
	if err != nil {
		t.Fatal(err)
	}
	furthest, bound := 0.0, roundingBound()
	for _, p := range ongoing(20) {
		f := evaluation.FeaturesOf(&p)
		apart := math.Abs(m.Evaluate(f) - float64(w.Evaluate(f)))
		if apart > bound {
			t.Fatalf("%v: difference of %.2f centipawns, the bound is %.2f", &p, apart, bound)
		}
		furthest = max(furthest, apart)
	}
	if furthest == 0 {
		t.Error("all evaluations are equal: the test compared nothing")
	}
}

// TestQuantizeRefuses checks models that weights cannot represent.
func TestQuantizeRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*Model)
		says   string
	}{
		{func(m *Model) { m.Sets[1].Patterns[0][0] = 2048 }, "own five .....: 2048 centipawns"},
		{func(m *Model) { m.Sets[0].Patterns[0][1] += 5 }, "reversal"},
		{func(m *Model) { m.Sets[0].Patterns[1][0] = -2049 }, "neither six ......: -2049 centipawns"},
		{func(m *Model) { m.Sets[0].Patterns[1][1] += 5 }, "six R..... is"},
		{func(m *Model) { m.Removed[1][2] = math.NaN() }, "rings removed 1-2: NaN"},
		{func(m *Model) { m.Sets[4].Tempo = math.Inf(1) }, "opening tempo: +Inf"},
	} {
		m := randomModel()
		c.change(m)
		if w, err := m.Quantize(""); w != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}
