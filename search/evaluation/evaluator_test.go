package evaluation

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestEvaluator checks the evaluator against the definition of the evaluation,
// with weights that differ for the sides.
func TestEvaluator(t *testing.T) {
	for _, w := range []*Weights{NewWeights("none"), randomWeights(1), randomWeights(2), extremeWeights()} {
		compare(t, w)
	}
}

// TestEvaluatorKnowsPatterns checks the same for each pattern of the table alone.
func TestEvaluatorKnowsPatterns(t *testing.T) {
	for k, p := range patterns {
		t.Run(p.Name, func(t *testing.T) {
			if p.Points < fewestPoints || p.Points > mostPoints {
				t.Fatalf("it has %d points, and the evaluator knows patterns of %d to %d", p.Points, fewestPoints, mostPoints)
			}
			w := NewWeights(p.Name)
			for s, random := range randomWeights(3).Sets {
				w.Sets[s].Patterns[k] = random.Patterns[k]
			}
			compare(t, w)
		})
	}
}

// compare compares the evaluator of weights with their definition.
func compare(t *testing.T, w *Weights) {
	t.Helper()
	e := NewEvaluator(w)
	for _, p := range ongoing(20) {
		if got, want := e.Evaluate(&p), w.Evaluate(FeaturesOf(&p)); got != want {
			t.Fatalf("%q: %v is worth %d, want %d", w.About, &p, got, want)
		}
	}
}

// extremeWeights returns weights that are as large as can be.
func extremeWeights() *Weights {
	w := NewWeights("extreme")
	for s := range w.Sets {
		set := &w.Sets[s]
		set.Tempo = math.MinInt16
		for k := range set.Patterns {
			for index := range set.Patterns[k] {
				set.Patterns[k][index] = math.MinInt16
			}
			set.Patterns[k][0] = math.MaxInt16
		}
	}
	return w
}

// TestEvaluatorStays checks that the weights of an evaluator are its own.
func TestEvaluatorStays(t *testing.T) {
	w := randomWeights(1)
	e := NewEvaluator(w)
	w.Sets[0].Patterns[0][0]++
	e.Weights().Sets[0].Patterns[0][0]++
	if !reflect.DeepEqual(randomWeights(1), e.Weights()) {
		t.Errorf("changed from outside:\n%s", cmp.Diff(randomWeights(1), e.Weights()))
	}
}

// TestDefault checks that the program carries weights that can be read, and that
// they tell where they come from.
func TestDefault(t *testing.T) {
	if DefaultEvaluator().Weights().About == "" {
		t.Error("the weights in the program do not say where they come from")
	}
	text, err := os.ReadFile("gyre.weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("checksum: xxh3 %016x\n", Checksum()); !strings.Contains(string(text), want) {
		t.Errorf("gyre.weights.txt does not say %q", want)
	}
}

// TestSymmetries checks that the 12 symmetries of a position are worth the same.
func TestSymmetries(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	for _, p := range ongoing(10) {
		want := e.Evaluate(&p)
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&p)
			if got := e.Evaluate(&image); got != want {
				t.Fatalf("%v: worth %d, its symmetry %d %d", &p, want, s, got)
			}
		}
	}
}

// TestColours checks that a position with its colours swapped, and the side to
// move with them, is worth the same. There is none while rings are placed, as
// White begins.
func TestColours(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	for _, p := range ongoing(10) {
		if p.Placing() {
			continue
		}
		swapped := swapColours(t, &p)
		if got, want := e.Evaluate(&swapped), e.Evaluate(&p); got != want {
			t.Fatalf("%v: worth %d, with colours swapped %d", &p, want, got)
		}
	}
}

// swapColours returns a position with all colours swapped.
func swapColours(t *testing.T, p *position.Position) position.Position {
	t.Helper()
	words := strings.Fields(p.String())
	board := strings.NewReplacer("W", "B", "B", "W", "w", "b", "b", "w").Replace(words[0])
	side := map[string]string{"w": "b", "b": "w"}[words[1]]
	white, black, _ := strings.Cut(words[2], "-")
	swapped, err := position.Parse(fmt.Sprintf("%s %s %s-%s", board, side, black, white), p.Rules())
	if err != nil {
		t.Fatal(err)
	}
	return swapped
}
