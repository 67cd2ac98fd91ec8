package alphabeta

import (
	"math"
	"math/bits"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/memory"
)

// table is the transposition table. Threads share it without a lock: each entry is
// two atomic words, key^data and data, so an entry that two threads wrote at once
// matches no key (Hyatt and Mann, "A Lockless Transposition Table Implementation for
// Parallel Search", 2002).
type table struct {
	memory   *memory.Block[bucket]
	buckets  []bucket // the values of memory, or the first of them if the others were never written
	age      uint64   // of the current search, 0..ageMask
	searched bool     // whether a search has started since the table was cleared
}

// bucket is a cache line of entries.
type bucket [bucketEntries]slot

// slot is an entry in memory.
type slot struct {
	check word // hash ^ data
	data  word // see pack
}

// The sizes of an entry and of a bucket.
const (
	entryBytes    = 16
	bucketEntries = 4
	bucketBytes   = bucketEntries * entryBytes
)

// tableEntry is a copy of the table's data for a position.
type tableEntry struct {
	turn  position.Turn // best or refuting turn, truncated after its first removal; None if unknown
	score search.Score
	depth int
	bound search.Bound
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

// pack returns the data of an entry.
func (e tableEntry) pack(age uint64) uint64 {
	return uint64(e.turn)&turnMask | uint64(uint16(e.score))<<scoreShift |
		uint64(e.depth&127)<<depthShift | uint64(e.bound)<<boundShift | age<<ageShift
}

// unpack is the inverse of pack.
func unpack(data uint64) tableEntry {
	return tableEntry{
		turn:  position.Turn(data & turnMask),
		score: search.Score(int16(data >> scoreShift)),
		depth: int(data >> depthShift & 127),
		bound: search.Bound(data >> boundShift & 3),
	}
}

// asStored returns a turn as the table stores it.
func asStored(t position.Turn) position.Turn { return t & turnMask }

// provenOnly is a depth that no entry reaches, so only proven results count.
const provenOnly = math.MaxInt

// bounds returns the bounds that the entry sets to the score of a node at a ply that is to be
// searched to a depth. A proven result holds at any depth, because the proof contains every reply
// of the loser, but a quicker win may exist.
func (e tableEntry) bounds(ply, depth int) (lower, upper search.Score) {
	score, deep := fromTable(e.score, ply), e.depth >= depth
	lower, upper = -search.Infinity, search.Infinity
	if e.bound != search.Upper && (deep || score >= search.WinThreshold) {
		lower = score
	}
	if e.bound != search.Lower && (deep || score <= -search.WinThreshold) {
		upper = score
	}
	return lower, upper
}

// cut returns the score of a node if the entry proves that it is outside the window.
func (e tableEntry) cut(ply, depth int, alpha, beta search.Score) (score search.Score, cut bool) {
	switch lower, upper := e.bounds(ply, depth); {
	case lower >= beta:
		return lower, true
	case upper <= alpha:
		return upper, true
	}
	return 0, false
}

// bucketsIn returns the number of buckets in mebibytes, at least one.
func bucketsIn(mebibytes int) int { return max(1, mebibytes*(1<<20/bucketBytes)) }

// newTable returns an empty table of the given size. If the machine does not have
// enough memory, newTable tries half the size, and so on.
func newTable(mebibytes int) *table {
	t := &table{memory: memory.AtMost[bucket](bucketsIn(mebibytes))}
	t.buckets = t.memory.Values()
	return t
}

// resize sets the size of the table and clears it. If there is not enough memory,
// resize returns an error and changes nothing.
func (t *table) resize(mebibytes int) error {
	fresh, err := memory.New[bucket](bucketsIn(mebibytes))
	if err != nil {
		return err
	}
	t.close()
	t.memory, t.buckets, t.age, t.searched = fresh, fresh.Values(), 0, false
	return nil
}

// close frees the memory.
func (t *table) close() {
	t.memory.Free()
	t.buckets = nil
}

// clearFor clears the table and limits it to the given number of entries, so that the
// next call has little to clear. No search may be running: the words are cleared as
// plain memory, much faster than with atomic stores. Clearing an unused table does
// not make the system allocate its memory.
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

// nextSearch makes all entries one search older. It must be called before the first
// store.
func (t *table) nextSearch() { t.age, t.searched = (t.age+1)&ageMask, true }

// bucketFor returns the bucket of a position. The table's length need not be a power
// of two.
func (t *table) bucketFor(hash uint64) *bucket {
	i, _ := bits.Mul64(hash, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns the entry of a position, and whether there is one.
func (t *table) probe(hash uint64) (tableEntry, bool) {
	b := t.bucketFor(hash)
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash && data != 0 {
			return unpack(data), true
		}
	}
	return tableEntry{}, false
}

// store stores an entry. It replaces the entry of the same position, or the least
// valuable entry of the bucket: an old and shallow one.
func (t *table) store(hash uint64, e tableEntry) {
	b := t.bucketFor(hash)
	victim, worst := &b[0], math.MaxInt
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == hash {
			if e.turn == position.None {
				e.turn = unpack(data).turn
			}
			victim = &b[i]
			break
		}
		if data == 0 { // free
			victim, worst = &b[i], math.MinInt
			continue
		}
		age := int(t.age-data>>ageShift) & ageMask
		if value := int(data>>depthShift&127) - 8*age; value < worst {
			victim, worst = &b[i], value
		}
	}
	data := e.pack(t.age)
	victim.data.Store(data)
	victim.check.Store(hash ^ data)
}

// full returns the share of the table that this search has filled, in thousandths,
// estimated from a sample.
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

// toTable makes a score relative to the node at ply, because the same node can occur
// at other distances from the root.
func toTable(s search.Score, ply int) search.Score {
	switch {
	case s >= search.WinThreshold:
		return s + search.Score(ply)
	case s <= -search.WinThreshold:
		return s - search.Score(ply)
	}
	return s
}

// fromTable is the inverse of toTable.
func fromTable(s search.Score, ply int) search.Score {
	switch {
	case s >= search.WinThreshold:
		return s - search.Score(ply)
	case s <= -search.WinThreshold:
		return s + search.Score(ply)
	}
	return s
}
