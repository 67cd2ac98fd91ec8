package evaluation

import (
	"math/bits"
	"sync"

	"gyre/position"
)

// CrossingScores is the value of the crossings of a position for White and for Black to
// move.
type CrossingScores struct{ sum sideScores }

// Score returns the value for the side to move in centipawns.
func (c CrossingScores) Score(toMove position.Side) int { return inCentipawns(c.sum.of(toMove)) }

// crossingTable holds the value of each crossing in a bucket for White. Its index has the
// digits state, class, class, class. The length is a power of two.
type crossingTable [1 << 18]sideScores

// newCrossingTable returns the table of a bucket for White. The order of a crossing's lines
// does not change its value, so each set of classes is computed once.
func newCrossingTable(n *Net, b Bucket) *crossingTable {
	t := n.readoutSums(b)
	for state := range uint32(BoardStates) {
		for one := range uint32(LineClasses) {
			for two := range one + 1 {
				for three := range two + 1 {
					sum := t[crossingIndex(state, one, two, three)]
					value := sideScoresOf(roundReadout(sum.of(position.White)), roundReadout(sum.of(position.Black)))
					t[crossingIndex(state, one, two, three)], t[crossingIndex(state, one, three, two)] = value, value
					t[crossingIndex(state, two, one, three)], t[crossingIndex(state, two, three, one)] = value, value
					t[crossingIndex(state, three, one, two)], t[crossingIndex(state, three, two, one)] = value, value
				}
			}
		}
	}
	return t
}

// readoutSums returns the readouts of all sorted crossings in a bucket for White, by index,
// before they are rounded. A crossing adds its hidden units (see Net.hidden) to its own sum,
// and as the opponent's view to the sum of the swapped crossing, so each is computed once.
func (n *Net) readoutSums(b Bucket) *crossingTable {
	white, black := &n.Readout[b], &n.Readout[b.swapped()]
	units := make([]struct{ partial, own, swapped sideScores }, n.Units())
	for k := range units { // the readouts of a unit in both sums
		units[k].own = sideScoresOf(int(white[0][k]), int(black[1][k]))
		units[k].swapped = sideScoresOf(int(white[1][k]), int(black[0][k]))
	}
	sums := new(crossingTable)
	for state := range uint32(BoardStates) {
		inputs, otherState := &n.Inputs[state], uint32(otherSide[state])
		var others [LineClasses]uint32 // the classes of the swapped crossing
		for class := range others {
			others[class] = uint32(swappedClass(uint8(state), uint8(class)))
		}
		for one := range uint32(LineClasses) {
			for two := range one + 1 {
				high, low := max(others[one], others[two]), min(others[one], others[two])
				for k := range units { // what all crossings with these two classes share
					units[k].partial = sideScores(n.Bias[k]) + sideScores(inputs[one][k]) + sideScores(inputs[two][k])
				}
				for three := range two + 1 {
					var own, swapped sideScores
					last := inputs[three][:len(units)]
					for k := range units {
						unit := &units[k]
						hidden := min(max(unit.partial+sideScores(last[k]), 0), HiddenUnit)
						own += unit.own * hidden
						swapped += unit.swapped * hidden
					}
					other := others[three]
					middle := min(high, other)
					sums[crossingIndex(state, one, two, three)] += own
					sums[crossingIndex(otherState, max(high, other), max(low, middle), min(low, middle))] += swapped
				}
			}
		}
	}
	return sums
}

// crossingTables holds the tables of an evaluator by White's bucket. A table has 2 MB. It
// is computed when a search first needs it, which takes a few milliseconds.
type crossingTables [Buckets]struct {
	once  sync.Once
	table *crossingTable // nil if the net is silent
	base  sideScores
}

// crossingTableOf returns the table for White's bucket and the value of the board without
// crossings. The table is nil if the net is silent.
func (e *Evaluator) crossingTableOf(b Bucket) (*crossingTable, sideScores) {
	if b >= Buckets {
		return nil, 0
	}
	t, n := &e.crossings[b], &e.weights.Net
	t.once.Do(func() {
		if other := b.swapped(); !n.silent(b) || !n.silent(other) {
			t.table, t.base = newCrossingTable(n, b), sideScoresOf(int(n.Base[b]), int(n.Base[other]))
		}
	})
	return t.table, t.base
}

// Crossings evaluates the crossings of a position, given its accumulator.
func (s *Scorer) Crossings(a *Accumulator, p *position.Position) CrossingScores {
	table, base := s.crossingTableOf(BucketOf(a.stage, p.Removed(position.White), p.Removed(position.Black)))
	if table == nil {
		return CrossingScores{}
	}
	key := p.Hash()
	seen := &s.seen[key%uint64(len(s.seen))]
	if seen.key == key {
		return seen.crossings
	}
	*seen = seenCrossings{key, CrossingScores{base + s.sumOfCrossings(table, a)}}
	return seen.crossings
}

// sumOfCrossings returns the sum of a table over all points.
func (s *Scorer) sumOfCrossings(table *crossingTable, a *Accumulator) sideScores {
	var lines [boardLines]*crossingLine
	for line, word := range &a.lines {
		// A line that was never stored has word 0 and no parts. That is also right for the word
		// 0: ten vacant points in a row, whose state and class are 0.
		cached := &s.crossingLines[line][word*0x9E3779B1>>(32-crossingBits)]
		if cached.word != word {
			cached.compute(word, line)
		}
		lines[line] = cached
	}
	return table.sum(&lines)
}

// crossingsOf evaluates the crossings of a position from scratch.
func (e *Evaluator) crossingsOf(a *Accumulator, p *position.Position) CrossingScores {
	table, base := e.crossingTableOf(BucketOf(a.stage, p.Removed(position.White), p.Removed(position.Black)))
	if table == nil {
		return CrossingScores{}
	}
	var lines [boardLines]*crossingLine
	var room [boardLines]crossingLine
	for line, word := range &a.lines {
		room[line].compute(word, line)
		lines[line] = &room[line]
	}
	return CrossingScores{base + table.sum(&lines)}
}

// CrossingIndexes sets indexes to those of the sorted crossings of a board, by point. It is
// far faster than [Board.Crossings].
func (b *Board) CrossingIndexes(indexes *[position.PointCount]uint32) {
	var classes [position.PointCount][position.Directions]uint8
	for line, numbers := range &lineNumbers {
		shape := &shapes[line]
		word := emptyLines[line]
		for i, number := range numbers {
			word |= uint32(b[number]) << (pointBits * (i + int(shape.offset)))
		}
		all := shape.classes(word) >> (classBits * shape.offset)
		for i, number := range numbers {
			classes[number][shape.direction] = uint8(all >> (classBits * i) & classMask)
		}
	}
	for number, state := range b {
		indexes[number] = Crossing{state, classes[number]}.Sorted().Index()
	}
}

// crossingLine holds the part of a line in the indexes of its crossings, by the number of
// the point on the line. The index of a crossing is the sum of the parts of its lines.
type crossingLine struct {
	word  uint32
	parts [linePoints]uint32
}

// seenCrossings is the value of the crossings of a position. The key is its hash. An empty entry
// has that of the start, which has no net.
type seenCrossings struct {
	key       uint64
	crossings CrossingScores
}

// compute computes the parts of a line. Lines of the first direction also have the states
// of their points in their parts.
func (l *crossingLine) compute(word uint32, line int) {
	shape := &shapes[line]
	step := classSteps[shape.direction%position.Directions]
	l.word = word
	classes := shape.classes(word)
	for i := range l.parts {
		l.parts[i] = uint32(classes&classMask) * step
		if state := word & beyond; shape.direction == 0 && state < BoardStates {
			l.parts[i] += state * stateStep
		}
		classes, word = classes>>classBits, word>>pointBits
	}
}

// The classes of all points of a line are computed together, in machine words.
//
// A word of lanes has four lanes of 16 bits: for White, for Black, and the same two read
// from the other end, in reverse order: [bits.Reverse64] of a word is the same line seen
// from its other end. Point i of a line is bit laneMargin + i of a lane, so that no carry
// leaves a lane. All directions are then upwards, and addition finds what a ring sees: a
// carry runs through ones as a ring over vacant points.
//
// A word of classes has six bits for each point of a line, its class for White.
const (
	laneBits   = 16
	laneMargin = 3
	classBits  = 6
	classMask  = 1<<classBits - 1
)

// planesOf splits the states of three points of a line. Each lane has a bit for each point:
// the lanes are White's rings, Black's rings, White's markers and Black's markers.
var planesOf = func() (planes [1 << (3 * pointBits)]uint64) {
	lane := map[int]int{ownRing: 0, theirRing: 1, ownMarker: 2, theirMarker: 3}
	for word := range planes {
		for i := range 3 {
			if at, piece := lane[word>>(pointBits*i)&beyond]; piece {
				planes[word] |= 1 << (at*laneBits + i)
			}
		}
	}
	return planes
}()

// lineShape holds what the classes of a line depend on, apart from its points.
type lineShape struct {
	offset     uint8              // number of its first point
	mask       uint64             // its points in all lanes
	potentials []uint64           // by the points with markers of a side: a word of classes with the potential of each point
	direction  position.Direction // of the line
}

var (
	spread [1 << linePoints]uint64 // by a set of points of a line: the word of classes with a 1 at each of them
	shapes [boardLines]lineShape
)

func init() {
	for set := range spread {
		for i := range linePoints {
			spread[set] |= uint64(set>>i&1) << (classBits * i)
		}
	}
	byLength := map[int]lineShape{}
	for line, numbers := range &lineNumbers {
		shape, known := byLength[len(numbers)]
		if !known {
			shape = newLineShape(len(numbers))
			byLength[len(numbers)] = shape
		}
		d, _ := position.DirectionOf(boardPoints[numbers[0]], boardPoints[numbers[1]])
		shape.direction = d
		shapes[line] = shape
	}
}

// newLineShape returns the shape of lines of the given length.
func newLineShape(length int) lineShape {
	s := lineShape{potentials: make([]uint64, 1<<length)}
	if length < codePoints-1 {
		s.offset = 1
	}
	lane := uint64(1<<length-1) << laneMargin
	lane |= lane << laneBits
	s.mask = lane | bits.Reverse64(lane)
	for set := range s.potentials {
		for at := range length {
			s.potentials[set] |= uint64(potentialOf(uint(set), at, length)) << (classBits * at)
		}
	}
	return s
}

// classes returns the classes of a line by its word. The search calls it for each line that
// its cache lacks: with classOf for each point instead, it would need 60% more instructions.
func (s *lineShape) classes(word uint32) uint64 {
	word >>= pointBits * s.offset
	planes := planesOf[word&(1<<9-1)] | planesOf[word>>9&(1<<9-1)]<<3 | planesOf[word>>18&(1<<9-1)]<<6 | planesOf[word>>27&beyond]<<9
	const (
		laneMask = 1<<laneBits - 1
		odd      = laneMask | laneMask<<(2*laneBits)
		set      = 1<<linePoints - 1
	)
	// The rings of each side, and the markers of both, in all lanes.
	white, black := planes>>(2*laneBits)&set, planes>>(3*laneBits)&set
	rings := planes & (laneMask | laneMask<<laneBits) << laneMargin
	markers := (white | black) * (1 | 1<<laneBits) << laneMargin
	mirrored := bits.Reverse64(rings | markers<<(2*laneBits))
	rings |= mirrored &^ (1<<(2*laneBits) - 1)
	markers |= mirrored << (2 * laneBits)
	anyRings := rings | rings&odd<<laneBits | rings>>laneBits&odd
	free := s.mask &^ (markers | anyRings)

	// Over vacant points from a ring, then over markers from there.
	flooded := free + rings<<1&free
	slide := free &^ flooded
	begin := (flooded&^free | rings<<1) & markers
	over := markers + begin
	open := bits.Reverse64(markers &^ (markers + free<<1&markers)) // runs of markers with a vacant point above
	marks := slide | over&^markers&free | markers&^over&open
	leaves := rings & ((free | open) >> 1)

	// The status of each point. Rings count the ways in which they can leave; all other points
	// have a bit for each side.
	up := marks | leaves
	down := bits.Reverse64(up)
	once, twice := (up^down)&rings, up&down&rings
	ways := (up|down)&^anyRings | (once|once>>laneBits)&laneMask | (twice|twice<<laneBits)&(laneMask<<laneBits)
	// The class combines the status and both potentials: see classOf.
	own := spread[ways>>laneMargin&set]
	theirs := spread[ways>>(laneMargin+laneBits)&set]
	classes := (own+2*theirs)*(potentials*potentials) + s.potentials[white]*potentials + s.potentials[black]
	return classes << (classBits * s.offset)
}
