package evaluation

import "gyre/position"

// Evaluator evaluates positions by weights, fast. It does not change, so many
// threads may share it.
type Evaluator struct {
	worths  [codes]pair // by code: of the six, and of the window that begins it
	removed [4][4]int32 // by the own and theirs; centipawns
	tempo   int
	move    int
	blocked int
	weights Weights
}

// pair is what windows and sixes are worth for each side when it is to move, in one
// number, so that one addition adds both: White's in units of one, Black's in
// units of 2 to the power of 32. All of them together are far from filling 32
// bits.
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

// NewEvaluator makes weights ready.
func NewEvaluator(w *Weights) *Evaluator {
	e := &Evaluator{tempo: int(w.Tempo), move: int(w.Move), blocked: int(w.Blocked), weights: *w}
	for index := range w.Windows {
		worth := pairFor(w.Windows[:], index, position.RowLength)
		for sixth := range 1 << pointBits { // whatever it is, also beyond the edge
			e.worths[codeOf(index, position.RowLength)|sixth<<(pointBits*position.RowLength)] += worth
		}
	}
	for index := range w.Sixes {
		e.worths[codeOf(index, SixPoints)] += pairFor(w.Sixes[:], index, SixPoints)
	}
	for own := range e.removed {
		for theirs := range e.removed[own] {
			e.removed[own][theirs] = int32(w.removed(own, theirs))
		}
	}
	return e
}

// pairFor returns the worth by a table of so many points, by their index.
func pairFor(table []int16, index, points int) pair {
	return pairOf(int(table[index]), int(table[Swapped(index, points)]))
}

// Weights returns a copy of the weights.
func (e *Evaluator) Weights() *Weights {
	w := e.weights
	return &w
}

// Evaluate returns the worth of a position for the side to move in centipawns,
// computed from scratch. The game must not be over.
func (e *Evaluator) Evaluate(p *position.Position) int {
	var a Accumulator
	e.Reset(&a, p)
	return e.Score(&a, p)
}

// Removed returns what the rings removed are worth for the side to move, in
// centipawns: the part of the evaluation that needs only their numbers, its own
// and theirs, of which none is above 3.
func (e *Evaluator) Removed(own, theirs int) int { return int(e.removed[own&3][theirs&3]) }

// Score returns what Evaluate does of a position, from its accumulator.
func (e *Evaluator) Score(a *Accumulator, p *position.Position) int {
	us := p.SideToMove() & 1
	them := us ^ 1
	worth := e.sum(a.sum, us, p.Removed(us), p.Removed(them))
	if !e.WindowsOnly() {
		moves, blocked := p.RingMoves(us)
		theirMoves, theirBlocked := p.RingMoves(them)
		worth += (moves-theirMoves)*e.move/MoveUnit - (blocked-theirBlocked)*e.blocked
	}
	return bounded(worth)
}

// bounded returns a worth within Bound.
func bounded(worth int) int { return max(-Bound, min(Bound, worth)) }

// WindowsOnly tells whether the windows and sixes, the rings removed and the tempo
// are all that counts: ring moves and blocked rings are worth nothing. [Evaluator.Outlook]
// is exact then.
func (e *Evaluator) WindowsOnly() bool { return e.move == 0 && e.blocked == 0 }

// sum returns what the windows and sixes, the rings removed and the tempo are worth
// for a side that is to move.
func (e *Evaluator) sum(windows pair, toMove position.Side, own, theirs int) int {
	return windows.of(toMove)/WindowUnit + e.Removed(own, theirs) + e.tempo
}
