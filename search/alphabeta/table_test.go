package alphabeta

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
)

// TestTableClearsWhatItUses checks that a table forgets everything, whatever part of
// it was used before and after.
func TestTableClearsWhatItUses(t *testing.T) {
	table := newTable(1)
	defer table.close()
	all := len(table.buckets)
	for _, entries := range []uint64{0, 1000, math.MaxUint64, 5, 20_000, uint64(all) * bucketEntries, 8} {
		table.clearFor(entries)
		if wanted := min(uint64(all), entries/bucketEntries+1); uint64(len(table.buckets)) != wanted {
			t.Errorf("%d buckets for %d entries, want %d", len(table.buckets), entries, wanted)
		}
		buckets := table.memory.Values()
		for i := range buckets {
			for j := range buckets[i] {
				if slot := &buckets[i][j]; slot.data.Load() != 0 || slot.check.Load() != 0 {
					t.Fatalf("for %d entries bucket %d of %d is not empty", entries, i, all)
				}
			}
		}
		table.nextSearch()
		for i := range uint64(5000) {
			table.store((i+1)*0x9E3779B97F4A7C15, entry{Turn: 1, Depth: 1})
		}
	}
}

// TestUnusedTableIsLeft checks that clearing an unused table does not write to it,
// which would allocate its memory.
func TestUnusedTableIsLeft(t *testing.T) {
	table := newTable(1)
	defer table.close()
	mark := &table.memory.Values()[0][0].data
	for _, searched := range []bool{false, true} {
		mark.Store(1)
		if searched {
			table.nextSearch()
		}
		table.clearFor(math.MaxUint64)
		if cleared := mark.Load() == 0; cleared != searched {
			t.Errorf("searched: %t, cleared: %t", searched, cleared)
		}
	}
}

// TestTableKeepsEntries stores and probes entries with extreme values.
func TestTableKeepsEntries(t *testing.T) {
	table := newTable(1)
	defer table.close()
	p := position.Start(position.Standard)
	turn := p.Turns(nil)[3]
	for i, e := range []entry{
		{Turn: turn, Score: 17, Depth: 5, Bound: search.Exact},
		{Turn: turn, Score: -search.Win, Depth: 0, Bound: search.Upper},
		{Turn: turn, Score: search.Win, Depth: search.MaxDepth, Bound: search.Lower},
		{Turn: position.None, Score: -1, Depth: 1, Bound: search.Exact},
	} {
		hash := uint64(i+1) * 0x9E3779B97F4A7C15
		table.store(hash, e)
		got, found := table.probe(hash)
		if !found {
			t.Fatalf("%+v is not found", e)
		}
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("entry:\n%s", diff)
		}
	}
	if _, found := table.probe(12345); found {
		t.Error("an entry is found that was never stored")
	}
}

// TestTableFillsItsMemory checks that the table has the requested size and replaces
// old shallow entries.
func TestTableFillsItsMemory(t *testing.T) {
	for _, mebibytes := range []int{1, 3, 7} {
		table := newTable(mebibytes)
		defer table.close()
		if got := len(table.buckets) * bucketBytes; got != mebibytes<<20 {
			t.Errorf("a table of %d MiB has %d bytes", mebibytes, got)
		}
	}
	table := newTable(1)
	defer table.close()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1 << 20 {
		table.store(rng.Uint64(), entry{Depth: 3, Score: 1})
	}
	if full := table.full(); full < 990 {
		t.Errorf("full by %d thousandths after many entries", full)
	}
	table.nextSearch()
	if full := table.full(); full != 0 {
		t.Errorf("full by %d thousandths of this search at its start", full)
	}
	hash := rng.Uint64()
	table.store(hash, entry{Depth: 1})
	if _, found := table.probe(hash); !found {
		t.Error("a new entry found no room among old ones")
	}
}

// TestTableIsShared stores and probes the same few positions in several threads:
// every entry found was stored as a whole by one of them.
func TestTableIsShared(t *testing.T) {
	table := newTable(1)
	defer table.close()
	var threads sync.WaitGroup
	for seed := range uint64(4) {
		threads.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 20000 {
				hash := uint64(rng.IntN(64)) << 58
				e := entry{Score: search.Score(rng.IntN(1000)), Depth: int(hash >> 58)}
				table.store(hash, e)
				if got, found := table.probe(hash); found && got.Depth != int(hash>>58) {
					t.Errorf("depth %d for the position of depth %d", got.Depth, hash>>58)
					return
				}
			}
		})
	}
	threads.Wait()
}

// TestScoreOfTableIsRelative checks that proven results survive a change of the
// distance from the root.
func TestScoreOfTableIsRelative(t *testing.T) {
	for _, s := range []search.Score{0, 250, -250, search.WinIn(9), search.LossIn(12)} {
		if got := fromTable(toTable(s, 5), 5); got != s {
			t.Errorf("%d becomes %d", s, got)
		}
	}
	if got := fromTable(toTable(search.WinIn(9), 5), 3); got != search.WinIn(7) {
		t.Errorf("a win four plies on from ply 5 is, at ply 3, %d; want %d", got, search.WinIn(7))
	}
}
