package search

import "math"

// The curve from a score to the expected share of points, fitted to 75,446 positions
// of games of the engine against itself with 10,000 nodes a turn, and how many of
// their games were drawn. With other weights it has to be fitted anew: gyre-train
// fit prints the scale of its samples.
const (
	wdlScale  = 75.0 // a score of so much is worth 73% of the points: 1 / (1 + e^-1)
	drawShare = 0.01 // of games at equality that are drawn; fewer as a side is ahead
)

// Centipawns returns a score that is no proven end in the unit of the protocol, of
// which 100 are worth 73% of the points, whatever the weights.
func (s Score) Centipawns() int { return int(math.Round(float64(s) * 100 / wdlScale)) }

// WDL returns the chances of a win, a draw and a loss in thousandths, which add
// up to 1000. They are the same on every architecture, for no chance lies so near the
// middle of two thousandths that the last bit of math.Exp, which differs there, could
// decide.
func (s Score) WDL() (win, draw, loss int) {
	if plies, proven := s.Mate(); proven {
		if plies > 0 {
			return 1000, 0, 0
		}
		return 0, 0, 1000
	}
	wins, draws := s.thousandths()
	win, draw = int(math.Round(wins)), int(math.Round(draws))
	return win, draw, 1000 - win - draw
}

// thousandths returns the chances of a win and a draw before they are rounded.
func (s Score) thousandths() (wins, draws float64) {
	expected := 1 / (1 + math.Exp(-float64(s)/wdlScale))
	draws = drawShare * 4 * expected * (1 - expected)
	return 1000 * (expected - float64(draws/2)), 1000 * draws
}

// ScoreOf returns the score that stands for a share of the points above 0 and below
// 1, on the curve of [Score.WDL].
func ScoreOf(share float64) Score { return Score(math.Round(wdlScale * logarithm(share/(1-share)))) }

// logarithm returns the natural logarithm of a number above 0. It is the same on every
// architecture, which that of package math is not to its last bit: a product is
// rounded before it is added to anything, where a fused multiply-add would not.
func logarithm(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	z := (fraction - 1) / (fraction + 1) // ln x = 2 artanh z, and |z| is at most 1/3
	sum, power := 0.0, z
	for n := 1; n < 36; n += 2 {
		sum += power / float64(n)
		power *= float64(z * z)
	}
	return float64(2*sum) + float64(float64(exponent)*math.Ln2)
}
