package evaluation

import "gyre/position"

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

// incidence is a window that a point belongs to.
type incidence struct {
	row   position.Row
	power uint16 // 5 to the power of the point's place in the window
}

// mostWindows is the most windows that a point belongs to.
const mostWindows = 15

// incidences lists the windows of each point.
var incidences = func() (all [128]struct {
	list  [mostWindows]incidence
	count uint8
}) {
	for row := range position.Row(position.RowCount) {
		power := uint16(1)
		for _, p := range row.Points().Points(nil) {
			at := &all[p]
			at.list[at.count] = incidence{row, power}
			at.count++
			power *= states
		}
	}
	return all
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

// weights is the worth for White of a window by its index, in windowUnit-ths of
// a centipawn.
var weights = func() (w [windowTable]int16) {
	for index := range windowStates {
		c := contentOf(index)
		w[index] = int16(windowUnit * (prospect(c[whiteMarker], c[whiteRing], c[blackMarker], c[blackRing]) -
			prospect(c[blackMarker], c[blackRing], c[whiteMarker], c[whiteRing])))
	}
	return w
}()

// prospect is the worth of a window for the side that has markers and rings in
// it, with the other side's blocking it.
func prospect(markers, rings, theirMarkers, theirRings int) float64 {
	worth := [...]float64{0.5, 2, 5, 12, 30, 0}[markers]
	if markers == 0 && rings == 0 {
		return 0
	}
	for range rings {
		worth *= 1.3
	}
	for range theirMarkers {
		worth *= 0.35
	}
	for range theirRings {
		worth *= 0.3
	}
	return worth
}
