// Package evaluation scores a position without searching. An [Evaluator] adds up
// learned weights of patterns: a pattern is a small group of neighboring points, its
// index encodes the contents of these points, and a table holds a weight for every
// index. Each stage of the game has its own tables. A small network adds what single
// lines cannot know: it values crossings, a point together with its three lines. The
// weights were learned from games the engine played against itself. [DefaultEvaluator]
// returns the evaluator with the weights that the program embeds.
//
// Othello programs evaluate the same way: pattern tables as in Buro's GLEM ("From
// Simple Features to Sophisticated Evaluation Functions", 1998) and in Edax (the
// feature table in its eval.c), also known as n-tuple networks (Lucas, "Learning to
// Play Othello with N-Tuple Systems", 2008).
//
// The definition:
//
//	pattern.go   Pattern, Stage and Features: the indexes of a position
//	crossing.go  Crossing and Net: the crossings of a position, and their value
//	weights.go   Weights: the value of each index, their sum, an explanation of it, and
//	             the file format
//
// The fast version for a search:
//
//	lines.go        the lines of the board as machine words, and the codes of their points
//	evaluator.go    Evaluator, and Accumulator: the sum updated from turn to turn
//	scorer.go       Scorer: an evaluator with a cache, and the scores of all quiet children
//	crossings.go    CrossingScores: the value of all crossings, by tables and cached lines
//	crossingsum.go  their sum, generated
//
// From scores to results:
//
//	scale.go  Scale: the probabilities of win, draw and loss of a search score
//
// To add a pattern of two to six points, add a row to the table in pattern.go. The
// file format, the explanation and the training iterate over that table, and older
// weights score the new pattern 0. A test compares the Evaluator with the definition
// for every row and for every length.
//
// The unit is the centipawn. gyre-train fit scales its models so that 100 centipawns
// are one logit at every stage: a side that is ahead by 100 is expected to score
// about 73% between equal players. A search score predicts the result better than an
// evaluation does; see [Scale].
package evaluation

import (
	"sync"
	"sync/atomic"

	"gyre/position"
)

// Evaluator evaluates positions fast. It is immutable and safe for concurrent use.
//
// It uses only integers: weights are integers, and their sum is rounded once. So an
// evaluation, and with it the search, is the same on every architecture.
type Evaluator struct {
	weightTables  [StageCount]atomic.Pointer[weightTable]              // nil until a search first needs it
	computing     sync.Mutex                                           // of a weightTable
	ringsAndTempo [StageCount][RemovedStates][RemovedStates]sideScores // by White's and Black's rings removed
	crossings     crossingTables
	weights       *Weights
}

// NewEvaluator returns an evaluator with a copy of the weights, which must pass
// [Weights.Check].
func NewEvaluator(w *Weights) *Evaluator { return newEvaluator(w.clone()) }

// newEvaluator returns an evaluator with the weights themselves.
func newEvaluator(w *Weights) *Evaluator {
	e := &Evaluator{weights: w}
	for stage := range StageCount {
		for white := range RemovedStates {
			for black := range RemovedStates {
				e.ringsAndTempo[stage][white][black] = sideScoresOf(w.ringsAndTempo(stage, white, black), w.ringsAndTempo(stage.Swapped(), black, white))
			}
		}
	}
	return e
}

// ringsAndTempo returns the terms other than patterns and crossings, in units of
// 1/FinestUnit centipawn.
func (w *Weights) ringsAndTempo(s Stage, own, theirs int) int {
	return FinestUnit * (int(w.Removed[own][theirs]) + int(w.Sets[s].Tempo))
}

// weightsAt returns the table of a stage.
func (e *Evaluator) weightsAt(s Stage) *weightTable {
	if t := e.weightTables[s].Load(); t != nil {
		return t
	}
	return e.computeWeights(s)
}

// computeWeights returns the table of a stage, and computes it if it is the first to need it.
func (e *Evaluator) computeWeights(s Stage) *weightTable {
	e.computing.Lock()
	defer e.computing.Unlock()
	t := e.weightTables[s].Load()
	if t == nil {
		t = new(weightTable)
		for k := range patterns {
			t.addPattern(e.weights, s, k)
		}
		e.weightTables[s].Store(t)
	}
	return t
}

// addPattern adds the weights of a pattern at a stage to all codes that contain it. A code
// contains the pattern at its first point. The last code of a line also contains the
// shorter patterns at its later points, since no code of the line starts there.
func (t *weightTable) addPattern(w *Weights, s Stage, k int) {
	p := &patterns[k]
	weights := make([]sideScores, p.States) // by index
	swapped := make([]int, p.States)
	own, others, unit := w.Sets[s].Patterns[k], w.Sets[s.Swapped()].Patterns[k], FinestUnit/p.Unit
	for index := range weights {
		swapped[index] = BoardStates*swapped[index/BoardStates] + otherSide[index%BoardStates]
		weights[index] = sideScoresOf(unit*int(own[index]), unit*int(others[swapped[index]]))
	}
	const lastFive = codePoints - 1
	for _, span := range [...]struct{ from, to, last int }{ // points on the board, and the last offset
		{0, codePoints, 0},
		{0, lastFive, lastFive - p.Points}, // the last code of a line
		{1, lastFive, lastFive - p.Points}, // a line of four points
	} {
		edges := uint32(codeMask&^(1<<(pointBits*span.to)-1) | (1<<(pointBits*span.from) - 1))
		contents := statesOf(span.to - span.from)
		for offset := span.from; offset <= span.last; offset++ {
			before := statesOf(offset - span.from)
			for n := uint32(0); n < contents; { // the contents of the span, with the digits of the index in the middle
				for _, weight := range weights {
					for range before {
						t[edges|codeOf(n)<<(pointBits*span.from)] += weight
						n++
					}
				}
			}
		}
	}
}

// statesOf returns the number of contents of some points.
func statesOf(points int) uint32 {
	states := uint32(1)
	for range points {
		states *= BoardStates
	}
	return states
}

// codeOf returns the code of up to six points with an index.
func codeOf(index uint32) uint32 {
	const states = uint32(len(threePoints))
	return threePoints[index%states] | threePoints[index/states]<<(3*pointBits)
}

// threePoints holds the codes of three points by their index.
var threePoints = func() (bits [BoardStates * BoardStates * BoardStates]uint32) {
	for index := range bits {
		one, two, three := uint32(index%BoardStates), uint32(index/BoardStates%BoardStates), uint32(index/BoardStates/BoardStates)
		bits[index] = one | two<<pointBits | three<<(2*pointBits)
	}
	return bits
}()

// HasNet reports whether the evaluation has crossings.
func (e *Evaluator) HasNet() bool { return e.weights.Net.Units() > 0 }

// Weights returns a copy of the weights.
func (e *Evaluator) Weights() *Weights { return e.weights.clone() }

// weightTable holds the value of each code: the patterns it contains, at one stage for
// White.
type weightTable [codes]sideScores

// sideScores holds the value of patterns for White to move in the low 32 bits and for Black
// to move in the high 32 bits, so that one addition adds both. The unit is
// 1/FinestUnit centipawn. The sum of all places is far below 32 bits.
type sideScores int64

// sideScoresOf packs the values for White and for Black to move.
func sideScoresOf(white, black int) sideScores { return sideScores(white) + sideScores(black)<<32 }

// of returns the value for a side. A negative low half has borrowed one from the high half,
// and subtracting it gives that back.
func (p sideScores) of(s position.Side) int {
	white := int32(p)
	if s == position.White {
		return int(white)
	}
	return int((p - sideScores(white)) >> 32)
}

// score returns the evaluation for the side to move, given the sum of all terms.
func (p sideScores) score(toMove position.Side) int { return bounded(inCentipawns(p.of(toMove))) }

// sumOfCodes returns the value of the six codes in eleven points.
func (t *weightTable) sumOfCodes(points uint64) sideScores {
	return t[points&codeMask] +
		t[points>>pointBits&codeMask] +
		t[points>>(2*pointBits)&codeMask] +
		t[points>>(3*pointBits)&codeMask] +
		t[points>>(4*pointBits)&codeMask] +
		t[points>>(5*pointBits)&codeMask]
}

// sumOfLine returns the value of the codes of a line.
func (t *weightTable) sumOfLine(line uint64) sideScores { return t.sumOfCodes(line | pastEnd) }

// sumOfLines returns the value of the codes of all lines.
func (t *weightTable) sumOfLines(lines *[boardLines]uint32) (sum sideScores) {
	line := 0
	for ; line < withSixCodes; line++ {
		sum += t.sumOfLine(uint64(lines[line]))
	}
	for ; line < withFiveCodes; line++ {
		points := uint64(lines[line])
		sum += t.firstThree(points) + t[points>>(3*pointBits)&codeMask] + t[points>>(4*pointBits)&codeMask]
	}
	for ; line < withFourCodes; line++ {
		points := uint64(lines[line])
		sum += t.firstThree(points) + t[points>>(3*pointBits)&codeMask]
	}
	for ; line < withThreeCodes; line++ {
		sum += t.firstThree(uint64(lines[line]))
	}
	for ; line < boardLines; line++ {
		sum += t[uint64(lines[line])&codeMask]
	}
	return sum
}

// firstThree returns the value of the first three codes of a line.
func (t *weightTable) firstThree(points uint64) sideScores {
	return t[points&codeMask] + t[points>>pointBits&codeMask] + t[points>>(2*pointBits)&codeMask]
}

// delta returns the change of the sum on a line if a point changes its state.
func (t *weightTable) delta(word uint32, at linePosition, mask uint32) sideScores {
	old := window(word, at)
	return t.sumOfCodes(old^uint64(mask)<<marginBits) - t.sumOfCodes(old)
}

// RingPrice returns the price of a ring of the side to move in centipawns: the value
// of the patterns through the ring after a turn that removes a row, computed from the
// lines before the turn.
func (e *Evaluator) RingPrice(a *Accumulator, p *position.Position, at position.Point) int {
	side := p.SideToMove()
	removed := [2]int{p.Removed(position.White), p.Removed(position.Black)}
	removed[side&1]++
	weights := e.weightsAt(a.stage.withRemoved(removed[position.White], removed[position.Black]))
	var price sideScores
	for _, on := range &linePositions[at&127] {
		price += weights.delta(a.lines[on.line], on, ringState[side&1])
	}
	return -inCentipawns(-price.of(side.Opponent())) // the opponent's gain, halves rounded down
}

// Accumulator holds the lines of a position, its stage, and the sum of all terms for
// either side to move. It is a plain value. Updating it after a turn costs time only
// for the points that change. It belongs to the evaluator that set it up.
type Accumulator struct {
	lines [boardLines]uint32
	stage Stage // for White
	sum   sideScores
}

// Reset computes a from scratch for a position.
func (e *Evaluator) Reset(a *Accumulator, p *position.Position) {
	*a = Accumulator{lines: emptyLines}
	for b := p.Vacant().Xor(position.Board()); !b.IsEmpty(); b = b.WithoutFirst() {
		at := b.First()
		a.alterLines(at, uint32(stateAt(p, at, position.White)))
	}
	e.recompute(a, StageOf(p, position.White), p.Removed(position.White), p.Removed(position.Black))
}

// recompute sets the stage and computes the sum from scratch, given the numbers of
// rings removed.
func (e *Evaluator) recompute(a *Accumulator, stage Stage, white, black int) {
	a.stage = stage
	const most = RemovedStates - 1 // one more ends the game, which has no evaluation
	a.sum = e.ringsAndTempo[stage][min(white, most)][min(black, most)] + e.weightsAt(stage).sumOfLines(&a.lines)
}

// Update sets a for the position after a turn, given the accumulator of the position
// before. The turn may be incomplete, as in [position.Partial]. States change by XOR,
// so the order of the changes does not matter.
func (e *Evaluator) Update(a, parent *Accumulator, before *position.Position, t position.Turn) {
	*a = *parent
	side := before.SideToMove() & 1
	switch {
	case t.Removals() > 0:
		a.alterByRemovals(side, before, t)
		removed := [2]int{before.Removed(position.White), before.Removed(position.Black)}
		removed[side] += t.Removals()
		e.recompute(a, a.stage.withRemoved(removed[position.White], removed[position.Black]), removed[position.White], removed[position.Black])
	case t.Kind() == position.Place:
		a.changeRing(e.weightsAt(a.stage), t.To(), side)
	case t.Kind() == position.Move:
		if stage := a.stageAfterMove(before); stage != a.stage {
			e.recompute(a, stage, before.Removed(position.White), before.Removed(position.Black))
		}
		a.moveRing(e.weightsAt(a.stage), side, t, before.Flipped(t))
	}
}

// stageAfterMove returns White's stage after a ring move that removes no row and adds
// one marker.
func (a *Accumulator) stageAfterMove(before *position.Position) Stage {
	if a.stage == Opening && position.MarkersInGame-before.Pool()+1 >= openingMarkers {
		return a.stage.withRemoved(before.Removed(position.White), before.Removed(position.Black))
	}
	return a.stage
}

// alterByRemovals changes the states of all points that a turn with removals changes,
// but does not update the sum.
func (a *Accumulator) alterByRemovals(side position.Side, before *position.Position, t position.Turn) {
	var gone position.Bitboard // before the ring moves
	for i := range t.Removals() {
		removal := t.Removal(i)
		for _, c := range &rowChanges[removal.Row%position.RowCount] {
			a.lines[c.line] ^= c.ones * markerState[side]
		}
		a.alterLines(removal.Ring, ringState[side])
		if i < t.Before() {
			gone = gone.Or(removal.Row.Points())
		}
	}
	if t.Kind() == position.Move {
		a.alterByMove(side, t, before.Flipped(t).AndNot(gone))
	}
}

// alterByMove changes the states of all points that a ring move changes, but does not
// update the sum.
func (a *Accumulator) alterByMove(side position.Side, t position.Turn, flipped position.Bitboard) {
	a.alterLines(t.From(), ringState[side]^markerState[side])
	a.alterLines(t.To(), ringState[side])
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		a.alterLines(flipped.First(), markerState[0]^markerState[1])
	}
}

// alterLines changes the state of a point by XOR, but does not update the sum.
func (a *Accumulator) alterLines(at position.Point, mask uint32) {
	for _, on := range &linePositions[at&127] {
		a.lines[on.line] ^= mask << (on.shift & 31)
	}
}

// moveRing applies a ring move and updates the sum.
func (a *Accumulator) moveRing(weights *weightTable, side position.Side, t position.Turn, flipped position.Bitboard) {
	along, _ := position.DirectionOf(t.From(), t.To())
	line := a.updateAcross(weights, t.From(), along, ringState[side]^markerState[side])
	line ^= a.updateAcross(weights, t.To(), along, ringState[side])
	for ; !flipped.IsEmpty(); flipped = flipped.WithoutFirst() {
		line ^= a.updateAcross(weights, flipped.First(), along, markerState[0]^markerState[1])
	}
	word := &a.lines[linePositions[t.From()&127][along%position.Directions].line]
	now := *word ^ line
	a.sum += weights.sumOfLine(uint64(now)) - weights.sumOfLine(uint64(*word))
	*word = now
}

// updateAcross changes the state of a point on the two lines that cross a direction. It
// returns the change of the line along the direction.
func (a *Accumulator) updateAcross(weights *weightTable, at position.Point, along position.Direction, mask uint32) uint32 {
	lines := &linePositions[at&127]
	others := &otherDirections[along%position.Directions]
	a.changeOn(weights, lines[others[0]], mask)
	a.changeOn(weights, lines[others[1]], mask)
	return mask << (lines[along%position.Directions].shift & 31)
}

// changeRing adds a ring of a side on a vacant point, or removes it.
func (a *Accumulator) changeRing(weights *weightTable, at position.Point, side position.Side) {
	for _, on := range &linePositions[at&127] {
		a.changeOn(weights, on, ringState[side])
	}
}

// changeOn changes the state of a point on one of its lines.
func (a *Accumulator) changeOn(weights *weightTable, at linePosition, mask uint32) {
	a.sum += weights.delta(a.lines[at.line], at, mask)
	a.lines[at.line] ^= mask << (at.shift & 31)
}

// Evaluate computes the evaluation of a position from scratch, in centipawns for the
// side to move. The game must not be over.
func (e *Evaluator) Evaluate(p *position.Position) int {
	var a Accumulator
	e.Reset(&a, p)
	return a.ScoreWith(e.crossingsOf(&a, p), p.SideToMove())
}

// Score returns the evaluation for the side to move without its crossings.
func (a *Accumulator) Score(toMove position.Side) int { return a.sum.score(toMove) }

// ScoreWith returns the evaluation for the side to move with crossings, as
// [Evaluator.Evaluate] does with those of the position.
func (a *Accumulator) ScoreWith(c CrossingScores, toMove position.Side) int {
	return bounded(a.Score(toMove) + c.Score(toMove))
}
