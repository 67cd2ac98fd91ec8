package search

import "math"

// Score is the worth of a position for the side to move: in the centipawns of the
// evaluation, or near ±Win a proven end.
type Score int32

// The bounds of scores. A win found n plies from now is Win - n.
const (
	Infinity     Score = 32000
	Win          Score = 31000
	MaxDepth           = 100 // turns; no game has more ring moves and rings to place than 81
	WinThreshold       = Win - 2*MaxDepth
)

// WinIn is the score of a win plies from the root.
func WinIn(plies int) Score { return Win - Score(plies) }

// LossIn is the score of a loss plies from the root.
func LossIn(plies int) Score { return -Win + Score(plies) }

// Mate returns in how many plies the game is won (positive) or lost (negative,
// or zero if it is lost already), and whether the score says so.
func (s Score) Mate() (plies int, proven bool) {
	switch {
	case s >= WinThreshold:
		return int(Win - s), true
	case s <= -WinThreshold:
		return -int(Win + s), true
	}
	return 0, false
}

// The win-draw-loss model: the expected share of the points is a logistic curve of
// the score, 1 / (1 + e^(-score / wdlScale)). It was fitted to 75,446 positions of
// games of the engine against itself at 10,000 nodes a turn. Other weights need
// another fit: gyre-train fit prints the scale of its samples.
const (
	wdlScale  = 75.0 // the score whose expected share is 73%, a logit of 1
	drawShare = 0.01 // share of drawn games at score 0; it falls as a side gets ahead
)

// Centipawns returns a score that is no proven end in the unit of the protocol: 100
// centipawns are an expected share of 73% of the points, whatever the weights.
func (s Score) Centipawns() int { return int(math.Round(float64(s) * 100 / wdlScale)) }

// WDL returns the chances of a win, a draw and a loss in thousandths. They add up
// to 1000. They are the same on every architecture, for no chance lies so near the
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

// ScoreOf returns the score whose expected share of the points is the one given,
// above 0 and below 1, by the model of [Score.WDL].
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
