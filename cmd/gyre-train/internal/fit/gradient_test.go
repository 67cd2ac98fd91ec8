package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

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

// TestCrossEntropy checks the loss where it is known, and where a naive formula
// would overflow.
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
			t.Errorf("logit %v, target %v: %v, not %v", test.logit, test.target, got, test.want)
		}
	}
}

// TestResultsAlone checks that examples without a result count for nothing where nothing
// but results is learned.
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
