package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gyre/search/evaluation"
)

// TestShape checks properties that hold for all parameters.
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
		t.Errorf("no removed rings have value %v, want 0", none)
	}
	if made := s.expand(s.parameters(v)); !near(made, v) {
		t.Error("the parameters of values do not reproduce them")
	}
}

// checkSet checks that each pattern has the expected number of distinct values at a stage.
func checkSet(t *testing.T, stage evaluation.Stage, v values) {
	t.Helper()
	for k, p := range patterns {
		distinct, want := map[float64]bool{}, 0
		for index, worth := range v.ofPattern(k) {
			twin := p.Reversed(index)
			if worth != v.ofPattern(k)[twin] {
				t.Errorf("%v %s %d has value %v, its reversal %d has %v", stage, p.Name, index, worth, twin, v.ofPattern(k)[twin])
			}
			distinct[worth] = true
			if index == p.Canonical(index) {
				want++
			}
		}
		if len(distinct) != want {
			t.Errorf("%v: %d distinct values of %s, want %d", stage, len(distinct), p.Name, want)
		}
		if v.ofPattern(k)[0] != 0 {
			t.Errorf("%v %s 0 has value %v, want 0", stage, p.Name, v.ofPattern(k)[0])
		}
	}
}

// TestShapeOfSome checks that patterns that are not fitted have value 0.
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
				t.Errorf("without %s: %s has a value: %t", p.Name, patterns[k].Name, something)
			}
		}
	}
}

// TestShapeIsEven checks that without tempo parameters, swapping the sides negates the value of a
// pattern.
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
					t.Errorf("%v %s %d has value %v, and %v for the other side", stage, p.Name, index, worth, other)
				}
			}
		}
	}
}

// TestShapeSharesStages checks that without stage parameters all stages are equal, except for their
// tempo.
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
				t.Fatalf("%v: slot %d has value %v, and %v at the first stage", stage, slot, worth, first)
			}
		}
	}
}

// TestShapeSharesClasses checks that without index parameters all indexes of a class have the same
// value.
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
			t.Errorf("index %d with %v has value %v, want %v", index, content, got, known)
		}
		worth[content] = got
	}
	if want := 9 * 8 * 7 * 6 / 24; len(worth) != want {
		t.Errorf("%d classes, want %d", len(worth), want)
	}
}

// near reports whether values are equal up to rounding.
func near(v, w values) bool {
	for slot := range v {
		if math.Abs(v[slot]-w[slot]) > 1e-9 {
			return false
		}
	}
	return true
}

// TestValuesOfModel converts values to a model and back.
func TestValuesOfModel(t *testing.T) {
	v := newValues()
	for slot := range v {
		v[slot] = float64(slot)
	}
	m := v.model(100)
	if again := valuesOf(m, 100); !near(again, v) {
		t.Error("the values changed")
	}
	for _, p := range randomGames(5, 1) {
		f := p.example.Features()
		if got, want := m.Evaluate(f), 100*v.logit(f); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Fatalf("the model evaluates to %v, its values to %v", got, want)
		}
	}
}
