package evaluation

import (
	"math"

	"gyre/position"
)

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

// Hand returns the evaluation from before the engine learned one: the worth of
// windows by what stands in them, and a few terms beside. It is the same for
// both sides, whoever is to move.
func Hand() *Weights {
	return &Weights{
		Windows: prospectWindows(),
		Removed: [RemovedStates][RemovedStates]int16{
			{0, -200, -365},
			{200, 0, -224},
			{365, 224, 0},
		},
		Tempo: 19,
		// The windows count free points around the rings already; what is left
		// over counts against the side.
		Move:    -198,
		Blocked: 19,
		About:   "by hand: windows by what stands in them",
	}
}

// prospectWindows returns the worth of every window by prospects.
func prospectWindows() (windows [WindowStates]int16) {
	worth := map[content]float64{}
	for _, p := range prospects {
		worth[content{ownMarker: p.markers, ownRing: p.rings, theirMarker: p.theirMarkers, theirRing: p.theirRings}] = p.worth
		worth[content{ownMarker: p.theirMarkers, ownRing: p.theirRings, theirMarker: p.markers, theirRing: p.rings}] = -p.worth
	}
	for index := range windows {
		c := contentOf(index)
		c[vacant] = 0
		windows[index] = int16(math.Round(WindowUnit * worth[c]))
	}
	return windows
}

// content counts what stands in a window, by state.
type content [states]int

// contentOf returns the content of a window with an index.
func contentOf(index int) (c content) {
	for _, state := range digitsOf(index, position.RowLength) {
		c[state]++
	}
	return c
}
