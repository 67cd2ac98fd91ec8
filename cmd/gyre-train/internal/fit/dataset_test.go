package fit

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search/evaluation"
)

// TestPack checks that examples survive packing.
func TestPack(t *testing.T) {
	all := randomGames(20, 1)
	for i := range all {
		want := all[i].example
		want.Rules, want.Source = position.Rules(i/5%2), i%MaxSources
		if i%7 == 0 {
			want.Result = NoResult
		}
		want.Score = []int{0, 1, -1, math.MaxInt16, math.MinInt16}[i%5]
		r := want.pack()
		var got Example
		got.unpack(&r)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("example %d (-packed +unpacked):\n%s", i, diff)
		}
	}
}

// numbered returns examples with distinct scores, a fixed number from each game.
func numbered(games, each int) (all []played) {
	for i := range games * each {
		all = append(all, played{Example{Score: i}, uint32(i / each)})
	}
	return all
}

// scores returns the scores of records.
func scores(records []record) (list []int) {
	var e Example
	for i := range records {
		e.unpack(&records[i])
		list = append(list, e.Score)
	}
	return list
}

// TestDatasetDealsAll checks that every epoch contains each example to learn from once, in even
// batches and a new order, and no held-out example.
func TestDatasetDealsAll(t *testing.T) {
	const games, each = 100, 50
	o := DatasetOptions{Seed: 1, Hold: testHold, Expected: 6 * shardSize}
	d := newTestDataset(t, numbered(games, each), o)
	held := map[int]bool{}
	for chunk, err := range d.heldOut() {
		if err != nil {
			t.Fatal(err)
		}
		for _, score := range scores(chunk) {
			held[score] = true
		}
	}
	if len(held) != d.Held() || d.Held()+d.Learned() != games*each {
		t.Fatalf("%d of %d are held out, %d learned", len(held), d.Held(), d.Learned())
	}
	for _, n := range []int{1, 7, 39} {
		var orders [2][]int
		for epoch := range orders {
			seen := map[int]bool{}
			batches := 0
			for batch, err := range d.batches(epoch, n) {
				if err != nil {
					t.Fatal(err)
				}
				batches++
				if size := d.Learned() / n; len(batch) != size && len(batch) != size+1 {
					t.Errorf("a batch of %d, want %d", len(batch), size)
				}
				for _, score := range scores(batch) {
					if seen[score] || held[score] || o.HeldOut(uint32(score/each)) {
						t.Fatalf("example %d is repeated or held out", score)
					}
					seen[score] = true
					orders[epoch] = append(orders[epoch], score)
				}
			}
			if batches != n || len(seen) != d.Learned() {
				t.Errorf("epoch %d has %d batches, want %d, and %d examples, want %d", epoch, batches, n, len(seen), d.Learned())
			}
		}
		if cmp.Equal(orders[0], orders[1]) {
			t.Error("two epochs had the same order")
		}
	}
}

// TestDatasetMixes checks that a batch contains examples from the whole dataset.
func TestDatasetMixes(t *testing.T) {
	const games, each, n = 200, 100, 20
	d := newTestDataset(t, numbered(games, each), DatasetOptions{Seed: 1})
	for batch, err := range d.batches(0, n) {
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, score := range scores(batch) {
			sum += float64(score)
		}
		// The distribution is uniform on 0..N-1, because held-out games are spread evenly. The
		// mean of a batch has a standard deviation of N / sqrt(12 x size).
		const middle = games * each / 2
		deviation := 2 * middle / math.Sqrt(12*float64(len(batch)))
		if off := math.Abs(sum/float64(len(batch)) - middle); off > 5*deviation {
			t.Errorf("the mean of a batch is off by %v; the standard deviation is %v", off, deviation)
		}
	}
}

// TestDatasetHoldsOutGames checks the share of held-out games and that it depends on the seed.
func TestDatasetHoldsOutGames(t *testing.T) {
	const games = 10000
	a, b := DatasetOptions{Seed: 1, Hold: 0.1}, DatasetOptions{Seed: 2, Hold: 0.1}
	held, both := 0, 0
	for game := range uint32(games) {
		if a.HeldOut(game) {
			held++
			if b.HeldOut(game) {
				both++
			}
		}
	}
	if held < 900 || held > 1100 || both < 50 || both > 150 {
		t.Errorf("%d of %d games are held out, and %d of them with another seed", held, games, both)
	}
}

// TestDatasetKeepsAShare checks the share of positions that are used.
func TestDatasetKeepsAShare(t *testing.T) {
	d := newTestDataset(t, numbered(100, 100), DatasetOptions{Keep: 0.3})
	if used := d.Held() + d.Learned(); used < 2800 || used > 3200 {
		t.Errorf("%d of 10000 positions are used", used)
	}
}

// TestDatasetRejects checks that invalid options and folders are rejected, and that no files are
// left behind.
func TestDatasetRejects(t *testing.T) {
	folder := t.TempDir()
	for _, o := range []DatasetOptions{
		{Hold: 0, Keep: 1}, {Hold: 1, Keep: 1}, {Hold: math.NaN(), Keep: 1},
		{Hold: 0.1, Keep: 0}, {Hold: 0.1, Keep: 1.1}, {Hold: 0.1, Keep: 1, Folder: folder + "/none"},
	} {
		if d, err := NewDataset(o); err == nil {
			t.Errorf("%+v was accepted", o)
			d.Close()
		}
	}
	d, err := NewDataset(DatasetOptions{Hold: 0.1, Keep: 1, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

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
