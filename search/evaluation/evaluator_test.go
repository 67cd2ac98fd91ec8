package evaluation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gyre/position"
)

// TestEvaluator checks the evaluator against the definition of the evaluation,
// with weights that differ for the sides.
func TestEvaluator(t *testing.T) {
	for _, w := range []*Weights{Hand(), randomWeights(1), randomWeights(2), extremeWeights()} {
		e := NewEvaluator(w)
		for _, p := range ongoing(20) {
			f := FeaturesOf(&p)
			if got, want := e.Evaluate(&p), w.Evaluate(&f); got != want {
				t.Fatalf("%q: %v is worth %d, want %d", w.About, &p, got, want)
			}
		}
	}
}

// extremeWeights returns weights that are as large as can be.
func extremeWeights() *Weights {
	w := &Weights{Tempo: math.MinInt16, Move: math.MaxInt16, Blocked: math.MinInt16, About: "extreme"}
	for index := range w.Windows {
		w.Windows[index] = math.MinInt16
	}
	for index := range w.Sixes {
		w.Sixes[index] = math.MinInt16
	}
	w.Windows[0], w.Sixes[0] = math.MaxInt16, math.MaxInt16
	return w
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
	return parse(t, fmt.Sprintf("%s %s %s-%s", board, side, black, white))
}
