package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gyre/position"
	"gyre/search/evaluation"
)

// TestShape checks what holds of all values, whatever the parameters.
func TestShape(t *testing.T) {
	s := newShape(true, true)
	rng := rand.New(rand.NewPCG(1, 2))
	parameters := make([]float64, len(s.kind))
	for i := range parameters {
		parameters[i] = rng.NormFloat64()
	}
	v := s.expand(parameters)
	for _, c := range []struct {
		name                   string
		first, points, indexes int
		distinct               int
	}{
		{"window", 0, position.RowLength, evaluation.WindowStates, (5*5*5*5*5 + 5*5*5) / 2},
		{"six", sixSlot, evaluation.SixPoints, evaluation.SixStates, (5*5*5*5*5*5 + 5*5*5) / 2},
	} {
		distinct := map[float64]bool{}
		for index := range c.indexes {
			worth, twin := v[c.first+index], evaluation.Reversed(index, c.points)
			if worth != v[c.first+twin] {
				t.Errorf("%s %d has %v, its reversal %d %v", c.name, index, worth, twin, v[c.first+twin])
			}
			distinct[worth] = true
		}
		if len(distinct) != c.distinct {
			t.Errorf("%d different of a %s, not %d", len(distinct), c.name, c.distinct)
		}
	}
	for _, slot := range []int{0, sixSlot, removed(0, 0)} {
		if v[slot] != 0 {
			t.Errorf("slot %d has %v, which is the tempo's", slot, v[slot])
		}
	}
	if made := s.expand(s.parameters(v)); !near(made, v) {
		t.Error("the parameters of values do not make them")
	}
}

// TestShapeIsEven checks that without the parts for the side to move, a window
// is worth to one side what it costs the other.
func TestShapeIsEven(t *testing.T) {
	s := newShape(true, true)
	parameters := make([]float64, len(s.kind))
	for i, kind := range s.kind {
		if kind != classMoveKind && kind != windowMoveKind && kind != sixMoveKind {
			parameters[i] = float64(i)
		}
	}
	v := s.expand(parameters)
	for index := range windowSlots {
		if other := v[evaluation.Swapped(index, position.RowLength)]; v[index] != -other {
			t.Errorf("window %d has %v, and %v for the other side", index, v[index], other)
		}
	}
	for index := range evaluation.SixStates {
		if worth, other := v[sixSlot+index], v[sixSlot+evaluation.Swapped(index, evaluation.SixPoints)]; worth != -other {
			t.Errorf("six %d has %v, and %v for the other side", index, worth, other)
		}
	}
}

// TestShapeSharesClasses checks that without the parts of the windows, those
// with as much in them are worth the same.
func TestShapeSharesClasses(t *testing.T) {
	s := newShape(true, true)
	parameters := make([]float64, len(s.kind))
	for i, kind := range s.kind {
		if kind == classKind || kind == classMoveKind {
			parameters[i] = float64(i + 1)
		}
	}
	v := s.expand(parameters)
	worth := map[[pointStates]int]float64{}
	for index := range windowSlots {
		var content [pointStates]int
		for point, rest := 0, index; point < position.RowLength; point, rest = point+1, rest/pointStates {
			content[rest%pointStates]++
		}
		if known, ok := worth[content]; ok && known != v[index] {
			t.Errorf("window %d with %v has %v, not %v", index, content, v[index], known)
		}
		worth[content] = v[index]
	}
	if want := 9 * 8 * 7 * 6 / 24; len(worth) != want {
		t.Errorf("%d classes, not %d", len(worth), want)
	}
}

// near tells whether values differ by no more than rounding.
func near(v, w *values) bool {
	for slot := range v {
		if math.Abs(v[slot]-w[slot]) > 1e-9 {
			return false
		}
	}
	return true
}

// TestValuesOfModel checks that a model holds all values, in its own units.
func TestValuesOfModel(t *testing.T) {
	var v values
	for slot := range v {
		v[slot] = float64(slot)
	}
	m := v.model(100)
	if again := valuesOf(m, 100); !near(again, &v) {
		t.Error("the values of a model are not those that it was made of")
	}
	for _, p := range randomGames(5, 1) {
		f := &p.example.Features
		if got, want := m.Evaluate(f), 100*v.logit(f); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Fatalf("the model says %v, its values %v", got, want)
		}
	}
}
