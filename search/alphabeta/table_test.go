package alphabeta

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/root"
	"gyre/search/internal/searchtest"
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
			table.store((i+1)*0x9E3779B97F4A7C15, tableEntry{turn: 1, depth: 1})
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
	for i, e := range []tableEntry{
		{turn: turn, score: 17, depth: 5, bound: search.Exact},
		{turn: turn, score: -search.Win, depth: 0, bound: search.Upper},
		{turn: turn, score: search.Win, depth: search.MaxDepth, bound: search.Lower},
		{turn: position.None, score: -1, depth: 1, bound: search.Exact},
	} {
		hash := uint64(i+1) * 0x9E3779B97F4A7C15
		table.store(hash, e)
		got, found := table.probe(hash)
		if !found {
			t.Fatalf("%+v is not found", e)
		}
		if got != e {
			t.Errorf("entry %+v, want %+v", got, e)
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
		table.store(rng.Uint64(), tableEntry{depth: 3, score: 1})
	}
	if full := table.full(); full < 990 {
		t.Errorf("full by %d thousandths after many entries", full)
	}
	table.nextSearch()
	if full := table.full(); full != 0 {
		t.Errorf("full by %d thousandths of this search at its start", full)
	}
	hash := rng.Uint64()
	table.store(hash, tableEntry{depth: 1})
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
				e := tableEntry{score: search.Score(rng.IntN(1000)), depth: int(hash >> 58)}
				table.store(hash, e)
				if got, found := table.probe(hash); found && got.depth != int(hash>>58) {
					t.Errorf("depth %d for the position of depth %d", got.depth, hash>>58)
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

// TestPickerIsComplete checks that a picker returns every legal turn exactly once,
// whatever the table, killers and countermoves contain.
func TestPickerIsComplete(t *testing.T) {
	w := New(1).workers[0]
	w.prepareStack()
	var before []position.Turn
	for _, p := range searchtest.GamePositions(40) {
		turns := p.Turns(nil)
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		var entry tableEntry
		if len(before) > 0 { // turns of another position, legal here or not
			entry = unpack(tableEntry{turn: before[len(before)/2]}.pack(0))
			w.stack[0].killers = [2]position.Turn{before[0], before[len(before)-1]}
		}
		for _, entry := range []tableEntry{entry, unpack(tableEntry{turn: turns[len(turns)/2]}.pack(0))} {
			var got []position.Turn
			k := &w.stack[0].picker
			w.startPicker(0, 1, entry)
			for turn, _ := k.pick(); turn != position.None; turn, _ = k.pick() {
				got = append(got, turn)
			}
			want := turns
			if p.Placing() {
				want = root.Placings(&p, nil)
			}
			want = slices.Sorted(slices.Values(want))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%v with %v known: turns:\n%s", &p, entry.turn, diff)
			}
		}
		before = turns
	}
}

// TestPickerBeginsWithTheTablesTurn checks that the table's turn comes first if it is
// quiet, and otherwise first in its stage.
func TestPickerBeginsWithTheTablesTurn(t *testing.T) {
	w := New(1).workers[0]
	w.prepareStack()
	for _, p := range searchtest.GamePositions(10) {
		turns := p.Turns(nil)
		for _, turn := range []position.Turn{turns[0], turns[len(turns)-1]} {
			if turn.Removals() > 0 || p.Placing() {
				continue
			}
			w.stack[0].position = p
			w.scorer.Reset(&w.stack[0].accumulator, &p)
			k := &w.stack[0].picker
			w.startPicker(0, 1, unpack(tableEntry{turn: turn}.pack(0)))
			if got, scored := k.pick(); got != turn || scored {
				t.Fatalf("%v: %v comes first, not the table's %v", &p, got, turn)
			}
		}
	}
}

// TestPickerMixesRowTakingAndQuiet checks that one row-taking turn comes first, that
// quiet turns are sorted by the static scores after them at the last ply, and that
// skipping quiet turns leaves exactly the other row-taking turns.
func TestPickerMixesRowTakingAndQuiet(t *testing.T) {
	w := New(1).workers[0]
	w.prepareStack()
	mixed := 0
	for _, p := range searchtest.GamePositions(40) {
		completing := p.CompletingTurns(nil)
		if len(completing) < 2 || len(p.QuietTurns(nil)) == 0 {
			continue
		}
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		k := &w.stack[0].picker
		for _, skipped := range []bool{false, true} {
			w.startPicker(0, 1, tableEntry{})
			var taking []position.Turn
			last, quiets := search.Infinity, len(p.QuietTurns(nil))
			for turn, scored := k.pick(); turn != position.None; turn, scored = k.pick() {
				if turn.Removals() > 0 {
					taking = append(taking, turn)
					continue
				}
				if quiets--; !scored {
					t.Fatalf("%v: %v has no static score", &p, turn)
				}
				static := k.quietScore()
				if search.Score(static.Score) > last {
					t.Fatalf("%v: %v with static score %d comes after one with %d", &p, turn, static.Score, last)
				}
				last = search.Score(static.Score)
				mixed += len(completing) - len(taking)
				if skipped {
					if got := k.skipQuiet(); got != quiets {
						t.Fatalf("%v: %d quiet turns skipped, want %d", &p, got, quiets)
					}
				}
			}
			slices.Sort(taking)
			slices.Sort(completing)
			if diff := cmp.Diff(completing, taking); diff != "" {
				t.Fatalf("%v, quiet turns skipped: %t: turns that take rows off:\n%s", &p, skipped, diff)
			}
		}
	}
	if mixed == 0 {
		t.Error("no quiet turn came before one that takes a row off: the test checks nothing")
	}
}

// TestPickerOrdersPlacings checks that placings are sorted by the static scores after
// them, the table's turn first.
func TestPickerOrdersPlacings(t *testing.T) {
	w := New(1).workers[0]
	w.prepareStack()
	for _, p := range searchtest.GamePositions(10) {
		if !p.Placing() {
			continue
		}
		w.stack[0].position = p
		w.scorer.Reset(&w.stack[0].accumulator, &p)
		entry := unpack(tableEntry{turn: root.Placings(&p, nil)[3]}.pack(0))
		w.startPicker(0, 3, entry)
		k := &w.stack[0].picker
		if first, _ := k.pick(); first != entry.turn {
			t.Fatalf("%v: %v comes first, not the table's %v", &p, first, entry.turn)
		}
		last := search.Infinity
		for turn, _ := k.pick(); turn != position.None; turn, _ = k.pick() {
			score := search.Score(scoreAfter(w.scorer.Evaluator, &p, &w.stack[0].accumulator, turn))
			if score > last {
				t.Fatalf("%v: %v with static score %d comes after one with %d", &p, turn, score, last)
			}
			last = score
		}
	}
}

// TestPlacingsAreCut checks that the order of placings prunes most of the tree: in
// the order of generation the search visited 326,614 nodes.
func TestPlacingsAreCut(t *testing.T) {
	s := New(4)
	start := position.Start(position.Standard)
	out := s.Search(context.Background(), start, search.Limits{Depth: 6}, searchtest.Ignore)
	if out.Info.Nodes > 60_000 {
		t.Errorf("%d nodes from the start to depth 6, want 60,000 at most", out.Info.Nodes)
	}
}
