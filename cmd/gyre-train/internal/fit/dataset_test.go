package fit

import (
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
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

// TestDatasetRefuses checks that invalid options and folders are rejected, and that no files are
// left behind.
func TestDatasetRefuses(t *testing.T) {
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
