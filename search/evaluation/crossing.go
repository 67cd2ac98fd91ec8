package evaluation

import (
	"fmt"
	"math/bits"
	"slices"

	"gyre/position"
)

// Crossing is a point together with what its three lines say about it, for one of the
// sides. Patterns see a single line at a time. A crossing sees that a marker is the gap
// of a four on one line while a ring can jump it along another.
type Crossing struct {
	State   uint8                      // of the point: 0..BoardStates-1
	Classes [position.Directions]uint8 // of its lines at the point: 0..LineClasses-1
}

// The class of a line at a point combines a status and two potentials.
//
// The status of a vacant point says who can move a ring there along the line, that of a
// marker who can jump it along the line: 1 for the side, 2 for the opponent, 3 for both.
// The status of a ring counts the ways in which it can leave along the line.
//
// A side's potential is 0, 1 or 2 if it has at most two, three or four markers on the
// other four points of a five that contains the point.
const (
	statuses    = 4
	potentials  = 3
	LineClasses = statuses * potentials * potentials
)

// classOf returns the class of a line at one of its points, given the states of its
// points.
func classOf(line []uint8, at int) uint8 {
	var own, theirs uint // the points with markers
	for i, state := range line {
		switch state {
		case ownMarker:
			own |= 1 << i
		case theirMarker:
			theirs |= 1 << i
		}
	}
	return uint8((statusOf(line, at)*potentials+potentialOf(own, at, len(line)))*potentials + potentialOf(theirs, at, len(line)))
}

// statusOf returns the status of a point of a line.
func statusOf(line []uint8, at int) (status int) {
	isMarker := func(state uint8) bool { return state == ownMarker || state == theirMarker }
	isVacant := func(state uint8) bool { return state == vacant }
	next := func(from, step int, over func(uint8) bool) int {
		for from >= 0 && from < len(line) && over(line[from]) {
			from += step
		}
		return from
	}
	state := func(i int) uint8 {
		if i < 0 || i >= len(line) {
			return beyond
		}
		return line[i]
	}
	owner := func(i int) int { return map[uint8]int{ownRing: 1, theirRing: 2}[state(i)] } // of a ring, as a status
	for _, step := range [...]int{-1, 1} {
		landing := next(at+step, step, isMarker) // the first point that is not a marker
		switch {
		case line[at] == ownRing || line[at] == theirRing:
			if state(landing) == vacant {
				status++
			}
		case line[at] == vacant:
			status |= owner(next(landing, step, isVacant)) // a ring jumps the markers or comes straight
		default:
			if back := next(at-step, -step, isMarker); state(back) == vacant {
				status |= owner(next(landing, step, isVacant))
			}
		}
	}
	return status
}

// potentialOf returns the potential at a point of a line of the given length for a side with
// markers on a set of its points.
func potentialOf(markers uint, at, length int) (potential int) {
	others := markers &^ (1 << at)
	for first := max(0, at-position.RowLength+1); first <= at && first+position.RowLength <= length; first++ {
		potential = max(potential, bits.OnesCount(others>>first&(1<<position.RowLength-1))-(position.RowLength-potentials))
	}
	return potential
}

// swappedClass returns the class of a line at a point from the other side's point of view.
func swappedClass(state, class uint8) uint8 {
	status, own, theirs := class/(potentials*potentials), class/potentials%potentials, class%potentials
	if state != ownRing && state != theirRing {
		status = status&1<<1 | status>>1
	}
	return (status*potentials+theirs)*potentials + own
}

// Swapped returns the crossing from the other side's point of view.
func (c Crossing) Swapped() Crossing {
	for d, class := range c.Classes {
		c.Classes[d] = swappedClass(c.State, class)
	}
	c.State = uint8(otherSide[c.State])
	return c
}

// Index returns the index of the crossing: its state and classes as digits.
func (c Crossing) Index() uint32 {
	return crossingIndex(uint32(c.State), uint32(c.Classes[0]), uint32(c.Classes[1]), uint32(c.Classes[2]))
}

// crossingIndex is [Crossing.Index] for a state and three classes.
func crossingIndex(state, one, two, three uint32) uint32 {
	return state*stateStep + one*classSteps[0] + two*classSteps[1] + three*classSteps[2]
}

// CrossingCount is the number of indexes of crossings.
const CrossingCount = BoardStates * stateStep

// The steps of the digits of an index: of the state, and of the classes by direction.
const stateStep = LineClasses * LineClasses * LineClasses

var classSteps = [position.Directions]uint32{LineClasses * LineClasses, LineClasses, 1}

// CrossingAt returns the crossing with an index.
func CrossingAt(index uint32) (c Crossing) {
	c.State = uint8(index / stateStep)
	for d, step := range classSteps {
		c.Classes[d] = uint8(index / step % LineClasses)
	}
	return c
}

// Sorted returns the crossing with descending classes, which has the same value.
func (c Crossing) Sorted() Crossing {
	one, two, three := c.Classes[0], c.Classes[1], c.Classes[2]
	one, two = max(one, two), min(one, two)
	two, three = max(two, three), min(two, three)
	one, two = max(one, two), min(one, two)
	c.Classes = [...]uint8{one, two, three}
	return c
}

// Crossings returns the crossings of a board by point.
func (b *Board) Crossings() (all [position.PointCount]Crossing) {
	for number, state := range b {
		all[number].State = state
	}
	for _, numbers := range &lineNumbers {
		states := make([]uint8, len(numbers))
		for i, number := range numbers {
			states[i] = b[number]
		}
		d, _ := position.DirectionOf(boardPoints[numbers[0]], boardPoints[numbers[1]])
		for i, number := range numbers {
			all[number].Classes[d] = classOf(states, i)
		}
	}
	return all
}

// Bucket selects the readout of a [Net]: the rings removed by the side and by its
// opponent in a standard game, or blitz.
type Bucket uint8

// Buckets is the number of buckets.
const (
	blitzBucket Bucket = RemovedStates * RemovedStates
	Buckets            = blitzBucket + 1
)

// BucketOf returns the bucket for a stage and rings removed. It returns Buckets for the opening,
// which has no net.
func BucketOf(s Stage, own, theirs int) Bucket {
	switch {
	case s == Opening || own >= RemovedStates || theirs >= RemovedStates:
		return Buckets
	case s == Blitz:
		return blitzBucket
	}
	return Bucket(own*RemovedStates + theirs)
}

// swapped returns the bucket from the other side's point of view.
func (b Bucket) swapped() Bucket {
	if b >= blitzBucket {
		return b
	}
	return b%RemovedStates*RemovedStates + b/RemovedStates
}

// String returns the rings removed, such as "2-1", or "blitz".
func (b Bucket) String() string {
	if b == blitzBucket {
		return stageNames[Blitz]
	}
	return fmt.Sprintf("%d-%d", b/RemovedStates, b%RemovedStates)
}

// Net is a small network that values crossings. Its hidden units are clipped sums of an
// input for each of the three classes:
//
//	hidden = min(max(Bias + Inputs[class 1] + Inputs[class 2] + Inputs[class 3], 0), HiddenUnit)
//
// A crossing is worth the readout of the hidden units, seen by the side to move and by
// its opponent, and a position is worth the sum of its crossings. So all 12 symmetries
// of a position have the same value. The value of patterns is added to it.
//
// The form is the accumulator of an efficiently updatable network (Nasu, "Efficiently
// Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018) for
// each point instead of the whole board. Since a point has only 42,180 crossings, a
// search needs a table of their values instead of the units.
type Net struct {
	Bias    []int16                           // by unit, in 1/HiddenUnit
	Inputs  [BoardStates][LineClasses][]int16 // by unit, in 1/HiddenUnit
	Readout [Buckets][2][]int16               // of the side's view and the opponent's, by unit, in 1/ReadoutUnit centipawn
	Base    [Buckets]int16                    // of the whole board, in 1/FinestUnit centipawn
}

// HiddenUnit is the largest value of a hidden unit. ReadoutUnit is the number of units of
// the readout in a centipawn.
const (
	HiddenUnit  = 256
	ReadoutUnit = 256

	hiddenShift = 12 // from HiddenUnit * ReadoutUnit to FinestUnit
)

// MaxUnits is the largest number of hidden units. With twice as many, the sum of a readout
// might not fit in 32 bits.
const MaxUnits = 64

// NewNet returns a net of zeros with the given number of hidden units.
func NewNet(units int) (n Net) {
	n.each(func(list *[]int16) { *list = make([]int16, units) })
	return n
}

// each visits the numbers of each kind by unit.
func (n *Net) each(visit func(list *[]int16)) {
	visit(&n.Bias)
	for state := range n.Inputs {
		for class := range n.Inputs[state] {
			visit(&n.Inputs[state][class])
		}
	}
	for b := range n.Readout {
		for view := range n.Readout[b] {
			visit(&n.Readout[b][view])
		}
	}
}

// clone returns a copy that shares no memory.
func (n *Net) clone() Net {
	c := *n
	c.each(func(list *[]int16) { *list = slices.Clone(*list) })
	return c
}

// Units returns the number of hidden units: 0 for weights without a net.
func (n *Net) Units() int { return len(n.Bias) }

// check returns an error if the net is inconsistent.
func (n *Net) check() error {
	wrong := n.Units() > MaxUnits
	n.each(func(list *[]int16) { wrong = wrong || len(*list) != n.Units() })
	if wrong {
		return fmt.Errorf("the net needs lists of the same number of hidden units, at most %d", MaxUnits)
	}
	return nil
}

// silent reports whether the net adds nothing in a bucket.
func (n *Net) silent(b Bucket) bool {
	if n.Units() == 0 || b >= Buckets {
		return true
	}
	for _, view := range &n.Readout[b] {
		for _, weight := range view {
			if weight != 0 {
				return false
			}
		}
	}
	return n.Base[b] == 0
}

// hidden returns the hidden units of a crossing.
func (n *Net) hidden(c Crossing) (h [MaxUnits]int32) {
	lines := &n.Inputs[c.State]
	one, two, three := lines[c.Classes[0]], lines[c.Classes[1]], lines[c.Classes[2]]
	for k, bias := range n.Bias {
		h[k] = min(max(int32(bias)+int32(one[k])+int32(two[k])+int32(three[k]), 0), HiddenUnit)
	}
	return h
}

// value returns the value of a crossing for the side to move, in units of 1/FinestUnit
// centipawn.
func (n *Net) value(b Bucket, c Crossing) int {
	own, theirs := n.hidden(c), n.hidden(c.Swapped())
	sum := 0
	for k := range n.Units() {
		sum += int(n.Readout[b][0][k])*int(own[k]) + int(n.Readout[b][1][k])*int(theirs[k])
	}
	return roundReadout(sum)
}

// roundReadout rounds a sum of the readout to units of 1/FinestUnit centipawn.
func roundReadout(sum int) int { return (sum + 1<<(hiddenShift-1)) >> hiddenShift }

// evaluate returns the value of crossings for the side to move, in units of
// 1/FinestUnit centipawn.
func (n *Net) evaluate(b Bucket, crossings []Crossing) int {
	if n.silent(b) {
		return 0
	}
	sum := int(n.Base[b])
	for _, c := range crossings {
		sum += n.value(b, c)
	}
	return sum
}
