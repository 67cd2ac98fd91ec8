package fit

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gyre/cmd/gyre-train/internal/model"
	"gyre/position"
	"gyre/search/evaluation"
)

// played is an example and the number of its game.
type played struct {
	example Example
	game    uint32
}

// Features returns the features of the example.
func (e *Example) Features() *evaluation.Features {
	f := &evaluation.Features{}
	f.Set(&e.Board, e.stage(), e.Own, e.Theirs)
	return f
}

// randomGames returns the positions of random games with their results. All scores are 0.
func randomGames(count int, seed uint64) (all []played) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for game := range uint32(count) {
		begin := len(all)
		p := position.Start(position.Standard)
		var movers []position.Side
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
			all = append(all, played{*NewExample(&p, 0, 0), game})
			movers = append(movers, p.SideToMove())
			p = p.After(turns[rng.IntN(len(turns))])
		}
		lead := p.Removed(position.White) - p.Removed(position.Black)
		for i, mover := range movers {
			result := max(-1, min(1, lead))
			if mover == position.Black {
				result = -result
			}
			all[begin+i].example.Result = result
		}
	}
	return all
}

// manyGames returns the first of a thousand random games, which are played once.
func manyGames(count int) (all []played) {
	for _, p := range thousandGames() {
		if int(p.game) < count {
			all = append(all, p)
		}
	}
	return all
}

var thousandGames = sync.OnceValue(func() []played { return randomGames(1000, 2) })

// randomModel returns a model with numbers of realistic sizes: a value for each class and a small
// deviation for each index.
func randomModel(seed uint64) *model.Model {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := newShape(AllPatterns())
	parameters := make([]float64, len(s.kind))
	sizes := [kinds]float64{plainKind: 50, classKind: 10, classTempoKind: 3, indexKind: 3, indexTempoKind: 1,
		stageClassKind: 3, stageClassTempoKind: 1, stageIndexKind: 1, stageIndexTempoKind: 0.5}
	for i, kind := range s.kind {
		parameters[i] = sizes[kind] * rng.NormFloat64()
	}
	return s.expand(parameters).model(1)
}

// score sets the scores to the evaluations of a model, within 16 bits.
func score(all []played, m *model.Model) {
	for i := range all {
		worth := math.Round(m.Evaluate(all[i].example.Features()))
		all[i].example.Score = int(max(math.MinInt16, min(math.MaxInt16, worth)))
	}
}

// testHold is the default share of held-out games.
const testHold = 0.2

// newTestDataset returns a dataset of examples.
func newTestDataset(t *testing.T, all []played, o DatasetOptions) *Dataset {
	t.Helper()
	o.Folder = t.TempDir()
	if o.Hold == 0 {
		o.Hold = testHold
	}
	if o.Keep == 0 {
		o.Keep = 1
	}
	d, err := NewDataset(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range all {
		if err := d.Add(&all[i].example, all[i].game); err != nil {
			t.Fatal(err)
		}
	}
	return d
}
