package evaluation

import (
	"math/bits"

	"gyre/position"
)

// Scorer is an evaluator with a memory, for one thread. A turn changes few lines of the
// board, so in a search most lines have been seen before: what quiet turns change on them is
// looked up, in 0.8 MB. What it remembers is exact and depends on its evaluator alone, so it is never
// cleared.
type Scorer struct {
	*Evaluator
	memory [boardLines][wordsALine]lineGains
}

// wordsALine is how many words of each line are remembered.
const (
	wordBits   = 8
	wordsALine = 1 << wordBits
)

// NewScorer returns a scorer that scores as an evaluator evaluates.
func NewScorer(e *Evaluator) *Scorer { return &Scorer{Evaluator: e} }

// lookUp finds the gains on each line of a position, for a side, at a stage.
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

// lineKey names what is known of a line: its word, and above it the stage and the side. 0
// stands for nothing.
type lineKey uint64

// keyOf returns the key for a side at a stage, of a line whose word is still to come.
func keyOf(stage Stage, side position.Side) lineKey {
	return (2*lineKey(stage) + lineKey(side&1) + 1) << 32
}

// slot returns where what is known by the key is kept (Fibonacci hashing, Knuth).
func (k lineKey) slot() int { return int(k * 0x9E3779B97F4A7C15 >> (64 - wordBits)) }

// lineGains tells what a quiet turn of a side changes on a line that it crosses: for each
// point of the line by how much the sum of the line changes if the point does what such a
// turn can have it do. A vacant point gets a ring of the side, a marker is flipped, and a
// ring of the side leaves a marker; a ring of the other side stays.
type lineGains struct {
	key   lineKey
	sum   pair             // of the line as it is
	gains [linePoints]pair // by the number of the point on the line
}

// compute computes the gains on a line with a word, for a side.
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

// changeOf returns how a quiet turn of a side changes the state of a point on its way, 0
// if it does not.
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

// ScoreRowTaking appends to dst the static score after each of some turns of a position
// that take rows off, for the side that makes the turn, computed incrementally from the
// position's accumulator: what [Accumulator.Score] says of the child with its sign changed.
//
// Turns that differ in the last ring alone are best given one after the other, as
// [position.Position.Turns] lists them: all but that ring is computed once.
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

// gainOfRing returns by how much the sum changes if a ring of a side comes to a vacant
// point, or goes from where it stands, all else alike.
func (e *Evaluator) gainOfRing(a *Accumulator, at position.Point, side position.Side) (gain pair) {
	worths := &e.worths[a.stage]
	for _, place := range &places[at&127] {
		gain += worths.gain(a, place, ringState[side])
	}
	return gain
}

// QuietScore is the static score of the position after a quiet turn.
type QuietScore struct {
	Score int // the evaluation in centipawns, for the side that makes the turn

	sum pair // of the accumulator after the turn
}

// ScoreQuiet appends to dst the static score after each of some quiet turns of a
// position, computed incrementally from the position's accumulator: what
// [Accumulator.Score] says of the child with its sign changed. It makes neither the
// child nor its accumulator, and looks up what a turn changes on the lines it crosses, so
// it costs far less than playing the turns.
//
// Turns of one ring are best given one after the other, as
// [position.Position.QuietTurns] lists them: what the ring leaves behind is
// looked up once.
func (s *Scorer) ScoreQuiet(a *Accumulator, before *position.Position, turns []position.Turn, dst []QuietScore) []QuietScore {
	us := before.SideToMove() & 1
	stage, sum := a.stageAfterMove(before), a.sum
	if stage != a.stage {
		anew := *a
		s.sumAnew(&anew, stage, before.Removed(position.White), before.Removed(position.Black))
		sum = anew.sum
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

// UpdateQuiet does what [Evaluator.Update] does, for a quiet turn whose score is
// known, and for less.
func (e *Evaluator) UpdateQuiet(a, parent *Accumulator, before *position.Position, t position.Turn, known QuietScore) {
	a.lines, a.stage, a.sum = parent.lines, parent.stageAfterMove(before), known.sum
	a.alterByMove(before.SideToMove()&1, t, before.Flipped(t))
}

// departure is what the turns of one ring have in common: that it leaves a marker.
// All is by the direction along which the ring moves.
type departure struct {
	worths  *table // of the stage after the turn
	gains   [boardLines]*lineGains
	from    position.Point
	across  [position.Directions]pair   // by how much that changes the other two lines
	line    [position.Directions]uint64 // the word of the line along it, after it,
	worth   [position.Directions]pair   // what its codes are worth before,
	markers [position.Directions]uint64 // and a one for each marker on it
}

// depart sets d up for the ring of a side at a point.
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

// arrive returns by how much the sum changes when the ring of a side comes to a point: the
// markers between are flipped.
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

// gainAcross returns by how much another state of a point of a line changes the sum on the
// two lines that cross it.
func (d *departure) gainAcross(line, shift uint8) pair {
	others := &othersAt[line][shift&31]
	one, other := others[0], others[1]
	return d.gains[one.line].gains[one.number] + d.gains[other.line].gains[other.number]
}

// markersOf returns a word with a one for each marker of a line, and beyond its edge.
func markersOf(word uint64) uint64 {
	const ones = (1<<(pointBits*linePoints) - 1) / beyond
	return (word>>2 | word>>1&^word) & ones
}

// othersAt are by a line and by the shift of a point on it the places of the point on its
// other two lines.
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

// directionTo returns the direction of the line on which two points both are. Distances
// between the places of points on the padded board are others along each direction.
func directionTo(from, to position.Point) position.Direction {
	return directions[(max(from, to)-min(from, to))&127] % position.Directions
}

// directions are the directions by those distances.
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
