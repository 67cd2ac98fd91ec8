package evaluation

import (
	"math/bits"

	"gyre/position"
)

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
