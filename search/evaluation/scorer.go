package evaluation

import (
	"math/bits"

	"gyre/position"
)

// Scorer is an evaluator with a cache, for one thread. A turn changes few lines of
// the board, so a search has seen most lines before. The scorer caches how quiet
// turns change the sum on each line, in 0.8 MB, the crossings of each line, in 0.7 MB,
// and the crossings of recent positions, in 0.3 MB. The cache is exact and depends
// only on the evaluator, so it never needs clearing.
type Scorer struct {
	*Evaluator
	memory        [boardLines][wordsPerLine]lineGains
	crossingLines crossingMemory
	seen          [1 << 14]seenCrossings // by the low bits of the key
}

// wordsPerLine is the number of cached words per line.
const (
	wordBits     = 8
	wordsPerLine = 1 << wordBits
)

// NewScorer returns a scorer for an evaluator.
func NewScorer(e *Evaluator) *Scorer { return &Scorer{Evaluator: e} }

// lookUp finds or computes the gains on each line of a position.
func (s *Scorer) lookUp(gains *[boardLines]*lineGains, a *Accumulator, stage Stage, side position.Side) {
	key := keyOf(stage, side)
	for line, word := range &a.lines {
		key := key | lineKey(word)
		known := &s.memory[line][key.slot()]
		if known.key != key {
			known.key = key
			known.compute(&s.worths[stage], word, side)
		}
		gains[line] = known
	}
}

// lineKey is the key of a cached line: its word in the low 32 bits, and above it the
// stage and the side. 0 is an empty entry.
type lineKey uint64

// keyOf returns the key for a stage and a side, without the word of the line.
func keyOf(stage Stage, side position.Side) lineKey {
	return (2*lineKey(stage) + lineKey(side&1) + 1) << 32
}

// slot returns the slot of a key (Fibonacci hashing, Knuth).
func (k lineKey) slot() int { return int(k * 0x9E3779B97F4A7C15 >> (64 - wordBits)) }

// lineGains holds how a quiet turn of a side changes the sum on a line that it
// crosses. For each point of the line it is the change of the sum if a quiet turn
// changes that point: a vacant point gets a ring of the side, a marker is flipped,
// and a ring of the side leaves a marker. A ring of the other side does not change.
type lineGains struct {
	key   lineKey
	sum   pair             // of the unchanged line
	gains [linePoints]pair // by the number of the point on the line
}

// compute computes the gains on a line.
func (g *lineGains) compute(worths *table, word uint32, side position.Side) {
	g.sum = worths.sumOfLine(uint64(word))
	for i := range g.gains {
		at := place{shift: uint8(pointBits * i)}
		g.gains[i] = 0
		if by := changeOf(word>>(at.shift&31)&beyond, side); by != 0 {
			old := around(word, at)
			g.gains[i] = worths.sumOfCodes(old^uint64(by)<<marginBits) - worths.sumOfCodes(old)
		}
	}
}

// changeOf returns how a quiet turn of a side changes the state of a point, as an XOR
// mask, or 0 if it cannot.
func changeOf(state uint32, side position.Side) uint32 {
	side &= 1
	switch state {
	case vacant:
		return ringState[side]
	case ownMarker, theirMarker:
		return markerState[0] ^ markerState[1]
	case ringState[side]:
		return ringState[side] ^ markerState[side]
	}
	return 0
}

// ScoreRowTaking appends to dst the static score after each of some row-taking turns
// of a position, for the side that makes the turn: the negated [Accumulator.Score] of
// the child. It is computed incrementally from the position's accumulator.
//
// Pass turns that differ only in their last ring consecutively, as
// [position.Position.Turns] lists them. Everything except that ring is then computed
// once.
func (e *Evaluator) ScoreRowTaking(a *Accumulator, before *position.Position, turns []position.Turn, dst []int) []int {
	us := before.SideToMove() & 1
	group := position.None
	var with Accumulator // after the turns of the group, but with the ring that they remove last
	for _, t := range turns {
		ring := t.Removal(t.Removals() - 1).Ring
		if g := t.WithoutLastRing(); g != group {
			group = g
			e.Update(&with, a, before, t)
			with.changeRing(&e.worths[with.stage], ring, us)
		}
		after := with.sum + e.gainOfRing(&with, ring, us)
		dst = append(dst, -after.score(us^1))
	}
	return dst
}

// gainOfRing returns the change of the sum if a ring of a side is added at a vacant
// point, or removed from its point.
func (e *Evaluator) gainOfRing(a *Accumulator, at position.Point, side position.Side) (gain pair) {
	worths := &e.worths[a.stage]
	for _, place := range &places[at&127] {
		gain += worths.gain(a, place, ringState[side])
	}
	return gain
}

// QuietScore is the static score after a quiet turn.
type QuietScore struct {
	Score int // in centipawns, for the side that makes the turn

	sum pair // of the accumulator after the turn
}

// ScoreQuiet appends to dst the static score after each of some quiet turns of a
// position: the negated [Accumulator.Score] of the child. It computes the score
// incrementally from the position's accumulator and cached gains, without playing the
// turn, which is far faster.
//
// Pass the turns of one ring consecutively, as [position.Position.QuietTurns] lists
// them. The changes where the ring leaves are then looked up once.
func (s *Scorer) ScoreQuiet(a *Accumulator, before *position.Position, turns []position.Turn, dst []QuietScore) []QuietScore {
	us := before.SideToMove() & 1
	stage, sum := a.stageAfterMove(before), a.sum
	if stage != a.stage {
		fresh := *a
		s.recompute(&fresh, stage, before.Removed(position.White), before.Removed(position.Black))
		sum = fresh.sum
	}
	left := departure{worths: &s.worths[stage]} // from point 0, which is not on the board
	s.lookUp(&left.gains, a, stage, us)
	for _, t := range turns {
		if t.From() != left.from {
			left.depart(a, t.From(), us)
		}
		after := sum + left.arrive(t.To(), us)
		dst = append(dst, QuietScore{Score: -after.score(us ^ 1), sum: after})
	}
	return dst
}

// UpdateQuiet is like [Evaluator.Update] for a quiet turn with a known score, but
// faster.
func (e *Evaluator) UpdateQuiet(a, parent *Accumulator, before *position.Position, t position.Turn, known QuietScore) {
	a.lines, a.stage, a.sum = parent.lines, parent.stageAfterMove(before), known.sum
	a.alterByMove(before.SideToMove()&1, t, before.Flipped(t))
}

// departure holds what the turns of one ring share: the ring leaves a marker. The
// arrays are indexed by the direction in which the ring moves.
type departure struct {
	worths  *table // of the stage after the turn
	gains   [boardLines]*lineGains
	from    position.Point
	across  [position.Directions]pair   // change of the sum on the other two lines
	line    [position.Directions]uint64 // the word of the line along the direction, after the ring has left
	worth   [position.Directions]pair   // the value of its codes before
	markers [position.Directions]uint64 // the lowest bit of each marker on it
}

// depart sets d for the ring of a side at a point.
func (d *departure) depart(a *Accumulator, from position.Point, side position.Side) {
	d.from = from
	by := uint64(ringState[side] ^ markerState[side])
	var gains [position.Directions]pair
	for i, at := range &places[from&127] {
		g := d.gains[at.line]
		gains[i] = g.gains[at.number]
		word := uint64(a.lines[at.line])
		d.line[i] = word ^ by<<(at.shift&31)
		d.worth[i] = g.sum
		d.markers[i] = markersOf(word)
	}
	for i, others := range &crossing {
		d.across[i] = gains[others[0]] + gains[others[1]]
	}
}

// arrive returns the change of the sum when the ring arrives at a point and flips the
// markers between.
func (d *departure) arrive(to position.Point, side position.Side) pair {
	along := directionTo(d.from, to)
	from, at := places[d.from&127][along], places[to&127][along]
	low, high := min(from.shift, at.shift)&31, max(from.shift, at.shift)&31
	flipped := d.markers[along] & (1<<high - 1) &^ (1<<(low+pointBits) - 1)
	line := d.line[along] ^ uint64(ringState[side])<<(at.shift&31) ^ flipped*uint64(markerState[0]^markerState[1])
	sum := d.across[along] + d.gainAcross(at.line, at.shift)
	for ; flipped != 0; flipped &= flipped - 1 {
		sum += d.gainAcross(at.line, uint8(bits.TrailingZeros64(flipped)))
	}
	return sum + d.worths.sumOfLine(line) - d.worth[along]
}

// gainAcross returns the change of the sum on the two lines that cross a line at a
// point, when a quiet turn changes that point.
func (d *departure) gainAcross(line, shift uint8) pair {
	others := &othersAt[line][shift&31]
	one, other := others[0], others[1]
	return d.gains[one.line].gains[one.number] + d.gains[other.line].gains[other.number]
}

// markersOf returns a word with the lowest bit of each marker of a line, and of each
// point beyond its edge.
func markersOf(word uint64) uint64 {
	const ones = (1<<(pointBits*linePoints) - 1) / beyond
	return (word>>2 | word>>1&^word) & ones
}

// othersAt holds the places of a point on its other two lines, by one of its lines
// and its shift there.
var othersAt = func() (all [boardLines][32][2]place) {
	for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
		three := &places[b.First()]
		for d, others := range &crossing {
			at := three[d]
			all[at.line][at.shift] = [2]place{three[others[0]], three[others[1]]}
		}
	}
	return all
}()

// directionTo returns the direction of the line through two points. On the padded
// board, distances along different directions are different.
func directionTo(from, to position.Point) position.Direction {
	return directions[(max(from, to)-min(from, to))&127] % position.Directions
}

// directions holds the direction for each distance.
var directions = func() (all [128]position.Direction) {
	for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
		for c := b.WithoutFirst(); !c.IsEmpty(); c = c.WithoutFirst() {
			if d, ok := position.DirectionOf(b.First(), c.First()); ok {
				all[c.First()-b.First()] = d
			}
		}
	}
	return all
}()
