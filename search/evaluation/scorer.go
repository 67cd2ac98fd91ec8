package evaluation

import (
	"math/bits"

	"gyre/position"
)

// Scorer is an evaluator with a cache, for one thread. A turn changes few lines of
// the board, so a search has seen most lines before. The scorer caches how quiet
// turns change the sum on each line, in 0.8 MB, the crossings of each line, in 0.7 MB,
// and the crossings of recent positions by their hash, in 0.3 MB. The cache depends only
// on the evaluator, so it never needs clearing.
type Scorer struct {
	*Evaluator
	lineDeltas    [boardLines][1 << wordBits]lineDeltas       // by the hash of the key
	crossingLines [boardLines][1 << crossingBits]crossingLine // by the hash of the word
	seen          [1 << 14]seenCrossings                      // by the low bits of the key
}

// The binary logarithms of the numbers of cached words per line.
const (
	wordBits     = 8
	crossingBits = 9
)

// NewScorer returns a scorer for an evaluator.
func NewScorer(e *Evaluator) *Scorer { return &Scorer{Evaluator: e} }

// lookUp finds or computes the deltas on each line of a position.
func (s *Scorer) lookUp(deltas *[boardLines]*lineDeltas, a *Accumulator, stage Stage, side position.Side) {
	stageAndSide := (2*lineKey(stage) + lineKey(side&1) + 1) << 32
	for line, word := range &a.lines {
		key := stageAndSide | lineKey(word)
		cached := &s.lineDeltas[line][key*0x9E3779B97F4A7C15>>(64-wordBits)] // Fibonacci hashing, Knuth
		if cached.key != key {
			cached.key = key
			cached.compute(s.weightsAt(stage), word, side)
		}
		deltas[line] = cached
	}
}

// lineKey is the key of a cached line: its word in the low 32 bits, and above it the
// stage and the side. 0 is an empty entry.
type lineKey uint64

// lineDeltas holds how a quiet turn of a side changes the sum on a line that it
// crosses. For each point of the line it is the change of the sum if a quiet turn
// changes that point: a vacant point gets a ring of the side, a marker is flipped,
// and a ring of the side leaves a marker. A ring of the other side does not change.
type lineDeltas struct {
	key    lineKey
	sum    sideScores             // of the unchanged line
	deltas [linePoints]sideScores // by the number of the point on the line
}

// compute computes the deltas on a line.
func (l *lineDeltas) compute(weights *weightTable, word uint32, side position.Side) {
	l.sum = weights.sumOfLine(uint64(word))
	for i := range l.deltas {
		at := linePosition{shift: uint8(pointBits * i)}
		l.deltas[i] = 0
		if mask := changeOf(word>>(at.shift&31)&beyond, side); mask != 0 {
			l.deltas[i] = weights.delta(word, at, mask)
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
// of a position, for the side that makes the turn: the negated
// [Accumulator.ScoreWith] of the child with its own crossings. It is computed
// incrementally from the position's accumulator.
//
// Pass turns that differ only in their last ring consecutively, as
// [position.Position.Turns] lists them. Everything except that ring and the crossings
// is then computed once.
func (s *Scorer) ScoreRowTaking(a *Accumulator, before *position.Position, turns []position.Turn, dst []int) []int {
	us := before.SideToMove() & 1
	group := position.None
	var with Accumulator // after the turns of the group, but with the ring that they remove last
	var table *crossingTable
	var base sideScores
	for _, t := range turns {
		ring := t.Removal(t.Removals() - 1).Ring
		if g := t.WithoutLastRing(); g != group {
			group = g
			s.Update(&with, a, before, t)
			with.changeRing(s.weightsAt(with.stage), ring, us)
			removed := [2]int{before.Removed(position.White), before.Removed(position.Black)}
			removed[us] += t.Removals()
			table, base = s.crossingTableOf(BucketOf(with.stage, removed[position.White], removed[position.Black]))
		}
		after, crossings := with, CrossingScores{}
		after.changeRing(s.weightsAt(after.stage), ring, us)
		if table != nil {
			crossings.sum = base + s.sumOfCrossings(table, &after)
		}
		dst = append(dst, -after.ScoreWith(crossings, us^1))
	}
	return dst
}

// QuietScore is the static score after a quiet turn.
type QuietScore struct {
	Score int // in centipawns, for the side that makes the turn

	sum sideScores // of the accumulator after the turn
}

// ScoreQuiet appends to dst the static score after each of some quiet turns of a
// position: the negated [Accumulator.Score] of the child. It computes the score
// incrementally from the position's accumulator and cached deltas, without playing the
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
	left := departure{weights: s.weightsAt(stage)} // from point 0, which is not on the board
	s.lookUp(&left.deltas, a, stage, us)
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
	weights *weightTable // of the stage after the turn
	deltas  [boardLines]*lineDeltas
	from    position.Point
	across  [position.Directions]sideScores // change of the sum on the other two lines
	line    [position.Directions]uint64     // the word of the line along the direction, after the ring has left
	before  [position.Directions]sideScores // the value of its codes before
	markers [position.Directions]uint64     // the lowest bit of each marker on it
}

// depart sets d for the ring of a side at a point.
func (d *departure) depart(a *Accumulator, from position.Point, side position.Side) {
	d.from = from
	mask := uint64(ringState[side] ^ markerState[side])
	var deltas [position.Directions]sideScores
	for i, at := range &linePositions[from&127] {
		here := d.deltas[at.line]
		deltas[i] = here.deltas[at.number]
		word := uint64(a.lines[at.line])
		d.line[i] = word ^ mask<<(at.shift&31)
		d.before[i] = here.sum
		d.markers[i] = markersOf(word)
	}
	for i, others := range &otherDirections {
		d.across[i] = deltas[others[0]] + deltas[others[1]]
	}
}

// arrive returns the change of the sum when the ring arrives at a point and flips the
// markers between.
func (d *departure) arrive(to position.Point, side position.Side) sideScores {
	along, _ := position.DirectionOf(d.from, to)
	from, at := linePositions[d.from&127][along], linePositions[to&127][along]
	low, high := min(from.shift, at.shift)&31, max(from.shift, at.shift)&31
	flipped := d.markers[along] & (1<<high - 1) &^ (1<<(low+pointBits) - 1)
	line := d.line[along] ^ uint64(ringState[side])<<(at.shift&31) ^ flipped*uint64(markerState[0]^markerState[1])
	sum := d.across[along] + d.deltaAcross(at.line, at.shift)
	for ; flipped != 0; flipped &= flipped - 1 {
		sum += d.deltaAcross(at.line, uint8(bits.TrailingZeros64(flipped)))
	}
	return sum + d.weights.sumOfLine(line) - d.before[along]
}

// deltaAcross returns the change of the sum on the two lines that cross a line at a
// point, when a quiet turn changes that point.
func (d *departure) deltaAcross(line, shift uint8) sideScores {
	others := &othersAt[line][shift&31]
	one, other := others[0], others[1]
	return d.deltas[one.line].deltas[one.number] + d.deltas[other.line].deltas[other.number]
}

// markersOf returns a word with the lowest bit of each marker of a line, and of each
// point beyond its edge.
func markersOf(word uint64) uint64 {
	const ones = (1<<(pointBits*linePoints) - 1) / beyond
	return (word>>2 | word>>1&^word) & ones
}
