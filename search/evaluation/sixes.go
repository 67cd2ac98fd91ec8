package evaluation

import "gyre/position"

// SixCount is the number of sixes on the board.
const SixCount = 96

// sixes are the points of each six. Two windows with four points in common are
// next to each other on a line.
var sixes = func() (all [SixCount]position.Bitboard) {
	next := 0
	for one := range position.Row(position.RowCount) {
		for other := range one {
			if points := one.Points().Or(other.Points()); points.Count() == SixPoints {
				all[next] = points
				next++
			}
		}
	}
	return all
}()

// Six returns the points of a six, which are numbered 0 to SixCount - 1.
func Six(number int) position.Bitboard { return sixes[number] }
