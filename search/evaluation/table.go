package evaluation

import "gyre/position"

// table holds by code what all patterns that begin with its first point are worth
// at a stage of White's.
type table [codes]pair

// pair is what patterns are worth for each side when it is to move, in one
// number, so that one addition adds both: White's in units of one, Black's in
// units of 2 to the power of 32. The unit is the FinestUnit-th of a centipawn.
// All places together are far from filling 32 bits.
type pair int64

// pairOf returns the pair of two numbers.
func pairOf(white, black int) pair { return pair(white) + pair(black)<<32 }

// of returns the number of a side.
func (p pair) of(s position.Side) int {
	white := int32(p)
	if s == position.White {
		return int(white)
	}
	return int((p - pair(white)) >> 32)
}

// score returns the evaluation for a side that is to move, by the sum of all that
// counts.
func (p pair) score(toMove position.Side) int { return bounded(inCentipawns(p.of(toMove))) }

// sumOfCodes returns the worth of the six codes in eleven points.
func (t *table) sumOfCodes(points uint64) pair {
	return t[points&codeMask] +
		t[points>>pointBits&codeMask] +
		t[points>>(2*pointBits)&codeMask] +
		t[points>>(3*pointBits)&codeMask] +
		t[points>>(4*pointBits)&codeMask] +
		t[points>>(5*pointBits)&codeMask]
}

// sumOfLine returns the worth of the codes of a line.
func (t *table) sumOfLine(line uint64) pair { return t.sumOfCodes(line | after) }

// sumOfLines returns the worth of all codes of the lines of a board: of each line as many
// as begin a five on it.
func (t *table) sumOfLines(lines *[boardLines]uint32) (sum pair) {
	line := 0
	for ; line < linesOfSix; line++ {
		sum += t.sumOfLine(uint64(lines[line]))
	}
	for ; line < linesOfFive; line++ {
		points := uint64(lines[line])
		sum += t.firstThree(points) + t[points>>(3*pointBits)&codeMask] + t[points>>(4*pointBits)&codeMask]
	}
	for ; line < linesOfFour; line++ {
		points := uint64(lines[line])
		sum += t.firstThree(points) + t[points>>(3*pointBits)&codeMask]
	}
	for ; line < linesOfThree; line++ {
		sum += t.firstThree(uint64(lines[line]))
	}
	return sum
}

// firstThree returns the worth of the first three codes of a line.
func (t *table) firstThree(points uint64) pair {
	return t[points&codeMask] + t[points>>pointBits&codeMask] + t[points>>(2*pointBits)&codeMask]
}

// gain returns by how much another state of a point changes the sum on a line.
func (t *table) gain(a *Accumulator, at place, by uint32) pair {
	old := around(a.lines[at.line], at)
	return t.sumOfCodes(old^uint64(by)<<marginBits) - t.sumOfCodes(old)
}

// RingPrice returns what the patterns through a ring of the side to move are worth to
// it after it has taken a row off with its turn, in centipawns, by the lines of the
// position before: what it pays if it is that ring that goes. A point without a ring
// costs what stands there instead.
func (e *Evaluator) RingPrice(a *Accumulator, p *position.Position, at position.Point) int {
	side := p.SideToMove()
	removed := [2]int{p.Removed(position.White), p.Removed(position.Black)}
	removed[side&1]++
	worths := &e.worths[a.stage.then(removed[position.White], removed[position.Black])]
	var worth pair
	for _, place := range &places[at&127] {
		points := around(a.lines[place.line], place)
		worth += worths.sumOfCodes(points) - worths.sumOfCodes(points&^(beyond<<marginBits))
	}
	return -inCentipawns(worth.of(side.Opponent()))
}
