package evaluation

import "gyre/position"

const (
	windowTable = 4096 // WindowStates rounded up: spares a bounds check
	windowUnit  = WindowUnit
	whiteRing   = ownRing
	whiteMarker = ownMarker
	blackRing   = theirRing
	blackMarker = theirMarker
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

// weights is the worth for White of a window by its index, in windowUnit-ths of
// a centipawn.
var weights = func() (w [windowTable]int16) {
	hand := Hand()
	copy(w[:], hand.Windows[:])
	return w
}()
