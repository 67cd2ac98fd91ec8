package fit

import (
	"context"
	"math"
	"testing"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/search/evaluation"
)

// together is a penalty that holds the sets of all stages together, so that each number is
// learned from all positions.
const together = 1e6

// oneForAllStages returns the model with one set for all stages.
func oneForAllStages(m *model.Model) *model.Model {
	for s := range m.Sets {
		m.Sets[s] = m.Sets[0]
	}
	return m
}

// firstPatternAlone returns the model with nothing for the others. Then each number is
// what it is: what the fives in a six are worth might as well be the six's.
func firstPatternAlone(m *model.Model) *model.Model {
	for s := range m.Sets {
		for _, worths := range m.Sets[s].Patterns[1:] {
			clear(worths)
		}
	}
	return m
}

// TestFitRecoversWeights checks that a fit to what a model says of positions
// finds the model: every number that counts in many positions, and what
// positions are worth that were not learned from.
func TestFitRecoversWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	const (
		often     = 300 // times that an index is seen
		tolerance = 0.5 // centipawns
		looser    = 3.0 // of what patterns can say nearly as well
	)
	truth := firstPatternAlone(oneForAllStages(randomModel(1)))
	all := randomGames(800, 2)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Patterns, o.Apart = 12, Fitted{true}, together
	best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
	if err != nil {
		t.Fatal(err)
	}
	seen, stages := occurrences(all)
	if off := heldOutOff(all, how, best.Model, truth); !(off < tolerance) {
		t.Errorf("positions held out are off by %.3f centipawns", off)
	}
	check := func(name string, index int, got, want, tolerance float64) {
		if !(math.Abs(got-want) < tolerance) {
			t.Fatalf("%s %d: %.3f centipawns, not %.3f", name, index, got, want)
		}
	}
	for at, times := range seen {
		if times >= often {
			got, want := best.Model.Sets[at.stage].Patterns[0][at.index], truth.Sets[at.stage].Patterns[0][at.index]
			check(at.stage.String()+" five", int(at.index), got, want, tolerance)
		}
	}
	for s, times := range stages {
		if times < often {
			continue
		}
		check(s.String()+" tempo", 0, best.Model.Sets[s].Tempo, truth.Sets[s].Tempo, looser)
	}
	for own := range truth.Removed {
		for theirs := range truth.Removed[own] {
			check("rings removed", 10*own+theirs, best.Model.Removed[own][theirs], truth.Removed[own][theirs], tolerance)
		}
	}
}

// place is a number of the first pattern in the set of a stage.
type place struct {
	stage evaluation.Stage
	index uint16
}

// occurrences counts how often the numbers of the first pattern are seen, and the stages.
func occurrences(all []played) (seen map[place]int, stages map[evaluation.Stage]int) {
	seen, stages = map[place]int{}, map[evaluation.Stage]int{}
	for i := range all {
		f := all[i].example.Features()
		stages[f.Stage]++
		for _, index := range f.Indexes[0] {
			seen[place{f.Stage, index}]++
		}
	}
	return seen, stages
}

// heldOutOff returns by how many centipawns, in the root of the mean square, a model
// is off the truth in the positions held out.
func heldOutOff(all []played, how DatasetOptions, model, truth *model.Model) float64 {
	how.Hold = testHold
	sum, count := 0.0, 0.0
	for i := range all {
		if how.HeldOut(all[i].game) {
			f := all[i].example.Features()
			sum += math.Pow(model.Evaluate(f)-truth.Evaluate(f), 2)
			count++
		}
	}
	return math.Sqrt(sum / count)
}

// TestFitRecoversPatterns checks that a fit with all patterns finds what positions
// are worth, and that one with the first alone does not.
func TestFitRecoversPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	truth := oneForAllStages(randomModel(1))
	all := randomGames(800, 2)
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Apart = 10, together
	off := map[Fitted]float64{}
	first := Fitted{true}
	for _, o.Patterns = range []Fitted{AllPatterns(), first} {
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		off[o.Patterns] = heldOutOff(all, how, best.Model, truth)
	}
	if !(off[AllPatterns()] < 5 && off[first] > 10) {
		t.Errorf("positions held out are off by %.3f centipawns with all patterns, %.3f with the first alone", off[AllPatterns()], off[first])
	}
}

// TestFitRecoversStages checks that where each stage has a set of its own, a fit finds
// what positions of each are worth, and that one which holds the stages together does not.
func TestFitRecoversStages(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, and far more with the race detector")
	}
	truth := firstPatternAlone(randomModel(1))
	stages := byStage(randomGames(1000, 2))
	var all []played
	for stage := range stages {
		if stage := evaluation.Stage(stage); stage == evaluation.NeitherShort || stage == evaluation.Opening {
			stages[stage] = stages[stage][:len(stages[stage])/4] // random games have most of these
		}
		all = append(all, stages[stage]...)
	}
	score(all, truth)
	how := DatasetOptions{Seed: 3}
	o := testOptions()
	o.Epochs, o.Patterns = 12, Fitted{true}
	fitted := func(apart float64) *model.Model {
		o.Apart = apart
		best, err := Fit(context.Background(), newTestDataset(t, all, how), o, ignore)
		if err != nil {
			t.Fatal(err)
		}
		return best.Model
	}
	apart, held := fitted(0), fitted(together)
	for stage, some := range byStage(all) {
		if stage := evaluation.Stage(stage); stage != evaluation.Blitz {
			off, want := heldOutOff(some, how, apart, truth), heldOutOff(some, how, held, truth)/2
			if !(off < want) {
				t.Errorf("stage %v: positions held out are off by %.3f centipawns, not by less than %.3f, half of what they are with all stages together", stage, off, want)
			}
		}
	}
}

// byStage returns the positions of each stage.
func byStage(all []played) (stages [evaluation.StageCount][]played) {
	for i := range all {
		stage := all[i].example.stage()
		stages[stage] = append(stages[stage], all[i])
	}
	return stages
}
