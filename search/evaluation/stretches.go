package evaluation

import "gyre/position"

// A stretch is five to seven points next to each other on a line, and so up to
// three windows. One or two stretches hold each window of a line once: a line of
// seven is one stretch, one of eight two of six, and those of nine and ten are
// one of seven and the rest. So a point is in few stretches, where it is in as
// many as fifteen windows, and one look into a table tells what the windows of a
// stretch are worth. The index of a stretch is in base 5, White's states of the
// points, the first point's digit lowest; stretches of different lengths have
// parts of the table of their own.
const (
	stretchCount  = 48
	stretchTable  = 1 << 17 // the indexes of all lengths, rounded up: spares a bounds check
	longest       = 7
	noStretch     = 63 // its index never changes
	stretchesRoom = 64
)

// windowsOf returns how many windows are in a stretch.
func windowsOf(length int) int { return length - position.RowLength + 1 }

// firstIndex is the index of the stretch of a length without a piece.
var firstIndex = [longest + 1]int{
	position.RowLength:     0,
	position.RowLength + 1: WindowStates,
	position.RowLength + 2: WindowStates * (1 + states),
}

// cuts are the stretches of a line by its length: first point, and the one past
// the last.
var cuts = map[int][][2]int{
	7:  {{0, 7}},
	8:  {{0, 6}, {2, 8}},
	9:  {{0, 7}, {3, 9}},
	10: {{0, 7}, {3, 10}},
}

// place is where a point stands in a stretch.
type place struct {
	stretch uint32
	power   int32 // 5 to the power of the point's place in the stretch, 0 if it is not in it
}

// linePlaces are the places of a point in the stretches of a line, which are
// the same for all points of the line, in the same order.
type linePlaces [2]place

// places are the places of each point in the stretches of its three lines.
//
// emptyIndexes are the indexes of the stretches without a piece.
var places, emptyIndexes = func() (at [128][4]linePlaces, empty [stretchesRoom]uint32) {
	for p := range at {
		for d := range at[p] {
			at[p][d] = linePlaces{{stretch: noStretch}, {stretch: noStretch}}
		}
	}
	next := uint32(0)
	for d := range position.Direction(position.Directions) {
		for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
			line := lineFrom(b.First(), d)
			for i, cut := range cuts[len(line)] {
				empty[next] = uint32(firstIndex[cut[1]-cut[0]])
				for _, p := range line {
					at[p][d][i].stretch = next
				}
				power := int32(1)
				for _, p := range line[cut[0]:cut[1]] {
					at[p][d][i].power = power
					power *= states
				}
				next++
			}
		}
	}
	return at, empty
}()

// lineFrom returns the points of the line along a direction whose first point
// is given, and none if it is not the first.
func lineFrom(first position.Point, d position.Direction) (line []position.Point) {
	if _, before := neighbour(first, d, -1); before {
		return nil
	}
	for p, more := first, true; more; p, more = neighbour(p, d, 1) {
		line = append(line, p)
	}
	return line
}

// neighbour returns the point next to another along a direction, and whether
// the board has it.
func neighbour(p position.Point, d position.Direction, step int) (position.Point, bool) {
	column, number := p.Column(), p.Number()
	switch d {
	case position.AlongColumn:
		return position.PointAt(column, number+step)
	case position.AlongNumber:
		return position.PointAt(column+step, number)
	}
	return position.PointAt(column+step, number+step)
}

// stretchWorth is what the windows of a stretch are worth, in WindowUnit-ths of
// a centipawn, for each side when it is to move.
type stretchWorth [2]int16

// stretchesWorth returns the worth of all stretches by their index.
func stretchesWorth(w *Weights) *[stretchTable]stretchWorth {
	var window [WindowStates]stretchWorth
	for index := range window {
		window[index] = stretchWorth{w.Windows[index], w.Windows[swapped(index)]}
	}
	table := new([stretchTable]stretchWorth)
	for length, size := position.RowLength, WindowStates; length <= longest; length, size = length+1, size*states {
		for index := range size {
			worth := &table[firstIndex[length]+index]
			for i, rest := 0, index; i < windowsOf(length); i, rest = i+1, rest/states {
				for side, add := range window[rest%WindowStates] {
					worth[side] += add
				}
			}
		}
	}
	return table
}
