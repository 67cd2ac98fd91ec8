package evaluation

import "gyre/position"

// QuietScore is the static score of the position after a quiet turn.
type QuietScore struct {
	Score int // the evaluation in centipawns, for the side that makes the turn

	sum pair // of the accumulator after the turn
}

// ScoreQuiet appends to dst the static score after each of some quiet turns of a
// position, computed incrementally from the position's accumulator: what
// [Accumulator.Score] says of the child with its sign changed. It makes neither the
// child nor its accumulator, so it costs far less than playing the turns.
//
// Turns of one ring are best given one after the other, as
// [position.Position.QuietTurns] lists them: what the ring leaves behind is
// looked up once.
func (e *Evaluator) ScoreQuiet(a *Accumulator, before *position.Position, turns []position.Turn, dst []QuietScore) []QuietScore {
	us := before.SideToMove() & 1
	stage, sum := a.stageAfterMove(before), a.sum
	if stage != a.stage {
		anew := *a
		e.sumAnew(&anew, stage, before.Removed(position.White), before.Removed(position.Black))
		sum = anew.sum
	}
	left := departure{worths: &e.worths[stage]} // from point 0, which is not on the board
	for _, t := range turns {
		if t.From() != left.from {
			left.depart(a, t.From(), us)
		}
		after := sum + left.arrive(a, t.To(), before.Flipped(t), us)
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
	from    position.Point
	across  [position.Directions]pair   // by how much that changes the other two lines
	line    [position.Directions]uint64 // the word of the line along it,
	worth   [position.Directions]pair   // and what its codes are worth before
	changes [position.Directions]uint64 // to the word
}

// depart sets d up for the ring of a side at a point.
func (d *departure) depart(a *Accumulator, from position.Point, side position.Side) {
	d.from = from
	by := ringState[side] ^ markerState[side]
	var gains [position.Directions]pair
	for i, at := range &places[from&127] {
		gains[i] = d.worths.gain(a, at, by)
		d.line[i] = uint64(a.lines[at.line])
		d.worth[i] = d.worths.sumOfLine(d.line[i])
		d.changes[i] = uint64(by) << (at.shift & 31)
	}
	for i, others := range &crossing {
		d.across[i] = gains[others[0]] + gains[others[1]]
	}
}

// arrive returns by how much the sum changes when the ring comes to a point and
// the markers between are flipped.
func (d *departure) arrive(a *Accumulator, to position.Point, flipped position.Bitboard, side position.Side) pair {
	along, _ := position.DirectionOf(d.from, to)
	along %= position.Directions
	sum, line := d.across[along], d.line[along]^d.changes[along]
	sum += d.gainAcross(a, to, along, ringState[side], &line)
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		sum += d.gainAcross(a, flipped.First(), along, markerState[0]^markerState[1], &line)
	}
	return sum + d.worths.sumOfLine(line) - d.worth[along]
}

// gainAcross returns by how much another state of a point changes the sum on the
// two lines that cross a direction, and changes the word of the line along it.
func (d *departure) gainAcross(a *Accumulator, at position.Point, along position.Direction, by uint32, line *uint64) pair {
	lines := &places[at&127]
	others := &crossing[along]
	*line ^= uint64(by) << (lines[along].shift & 31)
	return d.worths.gain(a, lines[others[0]], by) + d.worths.gain(a, lines[others[1]], by)
}
