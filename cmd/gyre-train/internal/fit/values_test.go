package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gyre/search/evaluation"
)

// TestShape checks what holds of all values, whatever the parameters.
func TestShape(t *testing.T) {
	s := newShape(AllPatterns())
	rng := rand.New(rand.NewPCG(1, 2))
	parameters := make([]float64, len(s.kind))
	for i := range parameters {
		parameters[i] = rng.NormFloat64()
	}
	v := s.expand(parameters)
	for stage := range evaluation.StageCount {
		checkSet(t, stage, v.ofSet(stage))
	}
	if none := v[removedSlot(0, 0)]; none != 0 {
		t.Errorf("no rings removed have %v, which is the tempo's", none)
	}
	if made := s.expand(s.parameters(v)); !near(made, v) {
		t.Error("the parameters of values do not make them")
	}
}

// checkSet checks that each pattern has as many worths at a stage as can differ.
func checkSet(t *testing.T, stage evaluation.Stage, v values) {
	t.Helper()
	for k, p := range patterns {
		distinct, want := map[float64]bool{}, 0
		for index, worth := range v.ofPattern(k) {
			twin := p.Reversed(index)
			if worth != v.ofPattern(k)[twin] {
				t.Errorf("%v %s %d has %v, its reversal %d %v", stage, p.Name, index, worth, twin, v.ofPattern(k)[twin])
			}
			distinct[worth] = true
			if index == p.Canonical(index) {
				want++
			}
		}
		if len(distinct) != want {
			t.Errorf("%v: %d different of %s, not %d", stage, len(distinct), p.Name, want)
		}
		if v.ofPattern(k)[0] != 0 {
			t.Errorf("%v %s 0 has %v, which is the tempo's", stage, p.Name, v.ofPattern(k)[0])
		}
	}
}

// TestShapeOfSome checks that a pattern that is not fitted is worth nothing.
func TestShapeOfSome(t *testing.T) {
	for without, p := range patterns {
		fitted := AllPatterns()
		fitted[without] = false
		s := newShape(fitted)
		parameters := make([]float64, len(s.kind))
		for i := range parameters {
			parameters[i] = 1 + float64(i)
		}
		v := s.expand(parameters)
		for k := range patterns {
			something := false
			for stage := range evaluation.StageCount {
				for _, worth := range v.ofSet(stage).ofPattern(k) {
					something = something || worth != 0
				}
			}
			if something == (k == without) {
				t.Errorf("without %s: %s is worth something: %t", p.Name, patterns[k].Name, something)
			}
		}
	}
}

// TestShapeIsEven checks that without the parameters for the side to move, a
// pattern is worth to one side what it costs the other.
func TestShapeIsEven(t *testing.T) {
	s := newShape(AllPatterns())
	parameters := make([]float64, len(s.kind))
	for i, kind := range s.kind {
		if kind != classTempoKind && kind != indexTempoKind && kind != stageClassTempoKind && kind != stageIndexTempoKind {
			parameters[i] = float64(i)
		}
	}
	v := s.expand(parameters)
	for stage := range evaluation.StageCount {
		theirs := v.ofSet(stage.Swapped())
		for k, p := range patterns {
			for index, worth := range v.ofSet(stage).ofPattern(k) {
				if other := theirs.ofPattern(k)[p.Swapped(index)]; worth != -other {
					t.Errorf("%v %s %d has %v, and %v for the other side", stage, p.Name, index, worth, other)
				}
			}
		}
	}
}

// TestShapeSharesStages checks that without the parameters of the stages all have the
// same, but for a tempo of its own.
func TestShapeSharesStages(t *testing.T) {
	s := newShape(AllPatterns())
	parameters := make([]float64, len(s.kind))
	for i, kind := range s.kind {
		if kind < stageClassKind {
			parameters[i] = float64(i + 1)
		}
	}
	v := s.expand(parameters)
	for stage := range evaluation.StageCount {
		for slot, worth := range v.ofSet(stage) {
			if first := v.ofSet(0)[slot]; worth != first && (!hasTempo(stage) || slot != slots.tempo) {
				t.Fatalf("%v: slot %d has %v, and %v at the first stage", stage, slot, worth, first)
			}
		}
	}
}

// TestShapeSharesClasses checks that without the parameters of the indexes, those
// with as much on their points are worth the same.
func TestShapeSharesClasses(t *testing.T) {
	s := newShape(AllPatterns())
	parameters := make([]float64, len(s.kind))
	for i, kind := range s.kind {
		if kind == classKind || kind == classTempoKind {
			parameters[i] = float64(i + 1)
		}
	}
	v := s.expand(parameters)
	worth := map[[evaluation.BoardStates]int]float64{}
	for index, got := range v.ofPattern(classed) {
		var content [evaluation.BoardStates]int
		for point, rest := 0, index; point < patterns[classed].Points; point, rest = point+1, rest/evaluation.BoardStates {
			content[rest%evaluation.BoardStates]++
		}
		if known, ok := worth[content]; ok && known != got {
			t.Errorf("index %d with %v has %v, not %v", index, content, got, known)
		}
		worth[content] = got
	}
	if want := 9 * 8 * 7 * 6 / 24; len(worth) != want {
		t.Errorf("%d classes, not %d", len(worth), want)
	}
}

// near tells whether values differ by no more than rounding.
func near(v, w values) bool {
	for slot := range v {
		if math.Abs(v[slot]-w[slot]) > 1e-9 {
			return false
		}
	}
	return true
}

// TestValuesOfModel checks that a model holds all values, in its own units.
func TestValuesOfModel(t *testing.T) {
	v := newValues()
	for slot := range v {
		v[slot] = float64(slot)
	}
	m := v.model(100)
	if again := valuesOf(m, 100); !near(again, v) {
		t.Error("the values of a model are not those that it was made of")
	}
	for _, p := range randomGames(5, 1) {
		f := p.example.Features()
		if got, want := m.Evaluate(f), 100*v.logit(f); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Fatalf("the model says %v, its values %v", got, want)
		}
	}
}
