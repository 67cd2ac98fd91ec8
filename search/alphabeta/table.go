package alphabeta

import (
	"math/bits"
	"sync/atomic"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/memory"
)

// table is the transposition table: what is known of positions met before.
// Each entry is two atomic words, key^data and data (Hyatt and Mann, "A
// Lockless Transposition Table Implementation for Parallel Search", 2002), so
// that threads share it without a lock: an entry that two of them tore apart
// matches no key.
type table struct {
	memory   *memory.Block[bucket]
	buckets  []bucket // the values of memory, or the first of them: no other was written to
	age      uint64   // of the search that is running, 0..ageMask
	searched bool     // whether a search has begun since it was empty
}

// bucket is a cache line of entries.
type bucket [bucketEntries]slot

// slot is an entry as it lies in memory.
type slot struct {
	check atomic.Uint64 // hash ^ data
	data  atomic.Uint64 // see pack
}

// The sizes of an entry and of a bucket.
const (
	entryBytes    = 16
	bucketEntries = 4
	bucketBytes   = bucketEntries * entryBytes
)

// entry is a copy of what the table knows of a position.
type entry struct {
	Turn  position.Turn // best or refuting; without removals after the first. None if unknown
	Score search.Score
	Depth int
	Bound search.Bound
}

// The layout of a slot's data, from bit 0: the turn's low 34 bits (its move and
// its first removal), score 16, depth 7, bound 2, age 5.
const (
	turnBits   = 34
	turnMask   = 1<<turnBits - 1
	scoreShift = turnBits
	depthShift = scoreShift + 16
	boundShift = depthShift + 7
	ageShift   = boundShift + 2
	ageMask    = 31
)

// pack is the data of an entry.
func (e entry) pack(age uint64) uint64 {
	return uint64(e.Turn)&turnMask | uint64(uint16(e.Score))<<scoreShift |
		uint64(e.Depth&127)<<depthShift | uint64(e.Bound)<<boundShift | age<<ageShift
}

// unpack undoes pack.
func unpack(data uint64) entry {
	return entry{
		Turn:  position.Turn(data & turnMask),
		Score: search.Score(int16(data >> scoreShift)),
		Depth: int(data >> depthShift & 127),
		Bound: search.Bound(data >> boundShift & 3),
	}
}

// sameTurn reports whether a turn is the one that an entry keeps.
func (e entry) sameTurn(t position.Turn) bool { return uint64(t)&turnMask == uint64(e.Turn) }

// bucketsIn returns how many buckets fit in mebibytes, at least one.
func bucketsIn(mebibytes int) int { return max(1, mebibytes*(1<<20/bucketBytes)) }

// newTable returns an empty table of the largest size that fits in mebibytes,
// or, on a machine without so much memory, in half, and so on.
func newTable(mebibytes int) *table {
	t := &table{memory: memory.AtMost[bucket](bucketsIn(mebibytes))}
	t.buckets = t.memory.Values()
	return t
}

// resize gives the table the largest size that fits in mebibytes, and empties
// it. If there is no memory for it the table stays as it is.
func (t *table) resize(mebibytes int) error {
	fresh, err := memory.New[bucket](bucketsIn(mebibytes))
	if err != nil {
		return err
	}
	t.close()
	t.memory, t.buckets, t.age, t.searched = fresh, fresh.Values(), 0, false
	return nil
}

// close gives the memory back.
func (t *table) close() {
	t.memory.Free()
	t.buckets = nil
}

// clearFor forgets everything, and keeps to so many entries from then on, of which the
// next time no more has to be cleared. No search may be running: the words are cleared
// as plain memory, which takes a fraction of the time of atomic stores. One that was not
// used takes no memory by it.
func (t *table) clearFor(entries uint64) {
	switch {
	case !t.searched:
	case len(t.buckets) < len(t.memory.Values()):
		clear(t.buckets)
	default:
		t.memory.Clear()
	}
	t.buckets, t.age, t.searched = t.memory.Values(), 0, false
	if wanted := entries/bucketEntries + 1; wanted < uint64(len(t.buckets)) {
		t.buckets = t.buckets[:wanted]
	}
}

// nextSearch makes all that is known a search older. Nothing is stored before it was called.
func (t *table) nextSearch() { t.age, t.searched = (t.age+1)&ageMask, true }

// bucketFor returns where a position is kept: the table's length need not be a
// power of two.
func (t *table) bucketFor(hash uint64) *bucket {
	i, _ := bits.Mul64(hash, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns what is known of a position, and whether anything is.
func (t *table) probe(hash uint64) (entry, bool) {
	b := t.bucketFor(hash)
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash && data != 0 {
			return unpack(data), true
		}
	}
	return entry{}, false
}

// store keeps an entry in place of what was known of the same position, or of
// the least valuable entry of its bucket: an old and shallow one.
func (t *table) store(hash uint64, e entry) {
	b := t.bucketFor(hash)
	victim, worst := &b[0], 1<<30
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash {
			if e.Turn == position.None {
				e.Turn = unpack(data).Turn
			}
			victim = &b[i]
			break
		}
		age := int(t.age-data>>ageShift) & ageMask
		if worth := int(data>>depthShift&127) - 8*age; data == 0 || worth < worst {
			victim, worst = &b[i], worth
			if data == 0 {
				worst = -1 << 30
			}
		}
	}
	data := e.pack(t.age)
	victim.data.Store(data)
	victim.check.Store(hash ^ data)
}

// full returns how much of the table this search has filled, in thousandths,
// from a sample.
func (t *table) full() int {
	const sample = 250
	used := 0
	for i := range min(sample, len(t.buckets)) {
		for j := range t.buckets[i] {
			if data := t.buckets[i][j].data.Load(); data != 0 && data>>ageShift == t.age {
				used++
			}
		}
	}
	return used * 1000 / (bucketEntries * min(sample, len(t.buckets)))
}

// settles reports whether a score with a bound is all that a window needs.
func settles(b search.Bound, score, alpha, beta search.Score) bool {
	return b == search.Exact || b == search.Lower && score >= beta || b == search.Upper && score <= alpha
}

// toTable makes a score relative to the node at ply, as the table keeps it: the
// same node can be met at another distance from the root.
func toTable(s search.Score, ply int) search.Score {
	switch {
	case s >= search.WinThreshold:
		return s + search.Score(ply)
	case s <= -search.WinThreshold:
		return s - search.Score(ply)
	}
	return s
}

// fromTable undoes toTable.
func fromTable(s search.Score, ply int) search.Score {
	switch {
	case s >= search.WinThreshold:
		return s - search.Score(ply)
	case s <= -search.WinThreshold:
		return s + search.Score(ply)
	}
	return s
}
