package fit

import (
	"context"
	"math"
	"testing"

	"gyre/search/evaluation"
)

// TestFitRecoversWeights checks that a fit to what a model says of positions
// finds the model: every number that counts in many positions, and what
// positions are worth that were not learned from.
func TestFitRecoversWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	const (
		often     = 300 // times that a window is seen
		tolerance = 0.5 // centipawns
	)
	truth := randomModel(1)
	// Only without sixes is each number what it is: what the windows in a six are
	// worth might as well be the six's.
	truth.Sixes = [evaluation.SixStates]float64{}
	all := randomGames(800, 2)
	score(all, truth)
	deck := DeckOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Sixes = 12, false
	best, err := Fit(context.Background(), newTestDeck(t, all, deck), o, ignore)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint16]int{}
	for i := range all {
		for _, window := range all[i].example.Features.Windows {
			seen[window]++
		}
	}
	if off := heldOutOff(all, deck, best.Model, truth); !(off < tolerance) {
		t.Errorf("positions held out are off by %.3f centipawns", off)
	}
	check := func(name string, index int, got, want float64) {
		if !(math.Abs(got-want) < tolerance) {
			t.Errorf("%s %d: %.3f centipawns, not %.3f", name, index, got, want)
		}
	}
	for index, times := range seen {
		if times >= often {
			check("window", int(index), best.Model.Windows[index], truth.Windows[index])
		}
	}
	check("tempo", 0, best.Model.Tempo, truth.Tempo)
	check("ring move", 0, best.Model.Move, truth.Move)
	check("blocked ring", 0, best.Model.Blocked, truth.Blocked)
	for own := range truth.Removed {
		for theirs := range truth.Removed[own] {
			check("rings removed", 10*own+theirs, best.Model.Removed[own][theirs], truth.Removed[own][theirs])
		}
	}
}

// heldOutOff returns by how many centipawns, in the root of the mean square, a model
// is off the truth in the positions held out.
func heldOutOff(all []played, deck DeckOptions, model, truth *evaluation.Model) float64 {
	deck.Hold = testHold
	sum, count := 0.0, 0.0
	for i := range all {
		if deck.HeldOut(all[i].game) {
			f := &all[i].example.Features
			sum += math.Pow(model.Evaluate(f)-truth.Evaluate(f), 2)
			count++
		}
	}
	return math.Sqrt(sum / count)
}

// TestFitRecoversSixes checks that a fit with sixes finds what positions are worth
// of which some of the worth is the sixes', and that one without does not.
func TestFitRecoversSixes(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	truth := randomModel(1)
	all := randomGames(800, 2)
	score(all, truth)
	deck := DeckOptions{Seed: 3}
	o := testOptions()
	o.Epochs = 10
	off := map[bool]float64{}
	for _, o.Sixes = range []bool{true, false} {
		best, err := Fit(context.Background(), newTestDeck(t, all, deck), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		off[o.Sixes] = heldOutOff(all, deck, best.Model, truth)
	}
	if !(off[true] < 5 && off[false] > 10) {
		t.Errorf("positions held out are off by %.3f centipawns with sixes, %.3f without", off[true], off[false])
	}
}
