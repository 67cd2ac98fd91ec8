package evaluation

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gyre/position"
)

// randomModel returns a model without sense.
func randomModel() *Model {
	rng := rand.New(rand.NewPCG(5, 6))
	m := &Model{Tempo: 20 * rng.NormFloat64(), Move: 5 * rng.NormFloat64(), Blocked: 20 * rng.NormFloat64()}
	for index := range m.Windows {
		m.Windows[index] = 10 * rng.NormFloat64()
	}
	for index := range m.Windows {
		m.Windows[index] = m.Windows[min(index, Reversed(index, position.RowLength))]
	}
	for index := range m.Sixes {
		m.Sixes[index] = 5 * rng.NormFloat64()
	}
	for index := range m.Sixes {
		m.Sixes[index] = m.Sixes[min(index, Reversed(index, SixPoints))]
	}
	for own := range m.Removed {
		for theirs := range m.Removed[own] {
			m.Removed[own][theirs] = 200 * rng.NormFloat64()
		}
	}
	return m
}

// TestQuantise checks that rounded weights evaluate within the stated bound of
// their model, and that they are no worse rounded than that bound needs.
func TestQuantise(t *testing.T) {
	m := randomModel()
	w, err := m.Quantise("a test")
	if err != nil {
		t.Fatal(err)
	}
	furthest := 0.0
	for _, p := range ongoing(20) {
		f := FeaturesOf(&p)
		apart := math.Abs(m.Evaluate(&f) - float64(w.Evaluate(&f)))
		if bound := QuantisationBound(&f); apart > bound {
			t.Fatalf("%v: %.2f centipawns apart, and the bound is %.2f", &p, apart, bound)
		}
		furthest = max(furthest, apart)
	}
	if furthest == 0 {
		t.Error("no evaluation differs: the test compares nothing")
	}
}

// TestQuantiseRefuses checks models that weights cannot hold.
func TestQuantiseRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*Model)
		says   string
	}{
		{func(m *Model) { m.Windows[0] = 2048 }, "window 0: 2048 centipawns"},
		{func(m *Model) { m.Windows[1] += 5 }, "reversal"},
		{func(m *Model) { m.Sixes[0] = -2049 }, "six 0: -2049 centipawns"},
		{func(m *Model) { m.Sixes[1] += 5 }, "six 1 is"},
		{func(m *Model) { m.Removed[1][2] = math.NaN() }, "rings removed 1-2: NaN"},
		{func(m *Model) { m.Tempo = math.Inf(1) }, "tempo: +Inf"},
		{func(m *Model) { m.Move = -328 }, "ring move: -328"},
		{func(m *Model) { m.Blocked = 40000 }, "blocked ring: 40000"},
	} {
		m := randomModel()
		c.change(m)
		if w, err := m.Quantise(""); w != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v does not say %q", err, c.says)
		}
	}
}
