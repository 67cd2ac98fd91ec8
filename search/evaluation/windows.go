package evaluation

import (
	"math"

	"gyre/position"
)

// A window is five points next to each other on a line, a place for a row. Its
// points have five states, so it has an index in base 5 below windowStates, the
// digit of its first point lowest; one table holds the worth of every index,
// for all windows alike.
const (
	windowStates = 5 * 5 * 5 * 5 * 5
	windowTable  = 4096 // windowStates rounded up: spares a bounds check
	windowUnit   = 16   // of the table's worth in a centipawn
)

// The states of a point.
const (
	vacant = iota
	whiteRing
	whiteMarker
	blackRing
	blackMarker
	states
)

// incidence is a stretch that a point belongs to.
type incidence struct {
	stretch uint32
	power   int32 // 5 to the power of the point's place in the stretch; 0 if it is not in it
}

const stretchStates = 1 << 17

// incidences lists the stretches of the lines through each point
var incidences, firstIndexes = func() (all [128][4][2]incidence, first [64]uint32) {
	number := uint32(0)
	for d := range position.Direction(position.Directions) {
		for b := position.Board(); !b.IsEmpty(); b = b.WithoutFirst() {
			// the line from here
			line := lineFrom(b.First(), d)
			if line == nil {
				continue
			}
			var cuts [][2]int
			switch len(line) {
			case 7:
				cuts = [][2]int{{0, 7}, {0, 0}}
			case 8:
				cuts = [][2]int{{0, 6}, {2, 8}}
			case 9:
				cuts = [][2]int{{0, 7}, {3, 9}}
			case 10:
				cuts = [][2]int{{0, 7}, {3, 10}}
			default:
				continue
			}
			for slot, cut := range cuts {
				id := number
				if cut[1] == 0 {
					id = 63
				} else {
					number++
					first[id] = uint32(stretchOffset[cut[1]-cut[0]])
				}
				for _, p := range line {
					all[p][d][slot].stretch = id
				}
				power := int32(1)
				for _, p := range line[cut[0]:cut[1]] {
					all[p][d][slot].power = power
					power *= states
				}
			}
		}
	}
	for p := range all {
		for d := range 3 {
			if all[p][d][0].power == 0 && all[p][d][1].power == 0 {
				all[p][d][0].stretch, all[p][d][1].stretch = 63, 63
			}
		}
	}
	return all, first
}()

func lineFrom(at position.Point, d position.Direction) (line []position.Point) {
	dc, dn := [3]int{0, 1, 1}[d], [3]int{1, 0, 1}[d]
	if _, ok := position.PointAt(at.Column()-dc, at.Number()-dn); ok {
		return nil
	}
	for ok := true; ok; at, ok = position.PointAt(at.Column()+dc, at.Number()+dn) {
		line = append(line, at)
	}
	return line
}

var stretchOffset = [8]int{5: 0, 6: 3125, 7: 3125 + 15625}

// stretches is the worth of a stretch of 5, 6 or 7 points
var stretches = func() (w [stretchStates]int16) {
	for length, size := 5, windowStates; length <= 7; length, size = length+1, size*states {
		for index := range size {
			for i, rest := 0, index; i <= length-5; i, rest = i+1, rest/states {
				w[stretchOffset[length]+index] += weights[rest%windowStates]
			}
		}
	}
	return w
}()

// content counts what stands in a window, by state.
type content [states]int

// contentOf decodes an index.
func contentOf(index int) (c content) {
	for range position.RowLength {
		c[index%states]++
		index /= states
	}
	return c
}

// prospects is the worth in centipawns for a side of the windows that it has
// more in than the other: by its markers and rings in the window, and the
// other's. Where they stand in the window does not matter. A window that is not
// listed is worth nothing.
//
// The numbers were fitted to scores and results of games of the engine against
// itself; bench/EXPERIMENTS.md says how. What they say: four markers and an own
// ring are nearly a row, since the ring leaves a marker when it moves; a marker
// of the opponent as the fifth is worth more than a vacant point, since a jump
// flips it; a ring of the opponent blocks all.
var prospects = []struct {
	markers, rings, theirMarkers, theirRings int
	worth                                    float64
}{
	{0, 1, 0, 0, 3.5},
	{0, 2, 0, 0, 1.2},
	{0, 2, 0, 1, 1.2},
	{1, 0, 0, 0, 0.8},
	{1, 0, 0, 1, -2.3},
	{1, 0, 0, 2, -3.8},
	{1, 1, 0, 0, 2.3},
	{1, 1, 0, 1, 0.3},
	{1, 1, 0, 2, -1.6},
	{1, 1, 1, 0, 4.6},
	{1, 2, 0, 0, 4.6},
	{1, 2, 0, 1, 2.0},
	{1, 2, 0, 2, -3.5},
	{1, 2, 1, 0, 7.2},
	{1, 2, 1, 1, 1.7},
	{1, 3, 0, 0, 6.5},
	{1, 3, 0, 1, 10.3},
	{1, 3, 1, 0, 16.4},
	{2, 0, 0, 0, 0.9},
	{2, 0, 0, 1, -5.7},
	{2, 0, 0, 2, -6.7},
	{2, 0, 1, 0, -1.0},
	{2, 0, 1, 1, -8.8},
	{2, 0, 1, 2, -11.2},
	{2, 1, 0, 0, 4.6},
	{2, 1, 0, 1, -0.1},
	{2, 1, 0, 2, 1.6},
	{2, 1, 1, 0, 8.7},
	{2, 1, 1, 1, 1.0},
	{2, 1, 2, 0, 9.9},
	{2, 2, 0, 0, 12.3},
	{2, 2, 0, 1, 5.2},
	{2, 2, 1, 0, 15.0},
	{2, 3, 0, 0, 23.0},
	{3, 0, 0, 0, -0.2},
	{3, 0, 0, 1, -12.2},
	{3, 0, 0, 2, -11.0},
	{3, 0, 1, 0, 3.7},
	{3, 0, 1, 1, -7.6},
	{3, 0, 2, 0, 4.8},
	{3, 1, 0, 0, 12.9},
	{3, 1, 0, 1, 4.5},
	{3, 1, 1, 0, 20.7},
	{3, 2, 0, 0, 32.9},
	{4, 0, 0, 0, 8.6},
	{4, 0, 0, 1, -1.3},
	{4, 0, 1, 0, 18.1},
	{4, 1, 0, 0, 56.6},
	{5, 0, 0, 0, 75.5},
}

// weights is the worth for White of a window by its index, in windowUnit-ths of
// a centipawn.
var weights = func() (w [windowTable]int16) {
	worth := map[[4]int]float64{}
	for _, p := range prospects {
		worth[[4]int{p.markers, p.rings, p.theirMarkers, p.theirRings}] = p.worth
		worth[[4]int{p.theirMarkers, p.theirRings, p.markers, p.rings}] = -p.worth
	}
	for index := range windowStates {
		c := contentOf(index)
		white := worth[[4]int{c[whiteMarker], c[whiteRing], c[blackMarker], c[blackRing]}]
		w[index] = int16(math.Round(windowUnit * white))
	}
	return w
}()
