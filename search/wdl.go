package search

import "math"

// The curve from a score in centipawns to the expected share of points, fitted
// to 40,704 positions of games of the engine against itself with 5,000 nodes a
// turn (the scale came out at 99), and how many of their games were drawn.
const (
	wdlScale  = 100.0 // a score of so much is worth 73% of the points: 1 / (1 + e^-1)
	drawShare = 0.005 // of games at equality that are drawn; fewer as a side is ahead
)

// WDL returns the chances of a win, a draw and a loss in thousandths, which add
// up to 1000.
func (s Score) WDL() (win, draw, loss int) {
	if plies, proven := s.Mate(); proven {
		if plies > 0 {
			return 1000, 0, 0
		}
		return 0, 0, 1000
	}
	expected := 1 / (1 + math.Exp(-float64(s)/wdlScale))
	draws := drawShare * 4 * expected * (1 - expected)
	win = int(math.Round(1000 * (expected - draws/2)))
	draw = int(math.Round(1000 * draws))
	return win, draw, 1000 - win - draw
}
