package search

import (
	"math"

	"gyre/position"
	"gyre/search/evaluation"
)

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

// Scale is the win-draw-loss model of a part of the game: how many centipawns of the
// search are worth 73% of the points, a logit of 1. The expected share of the points is
// a logistic curve of the score, 1 / (1 + e^(-score / scale)).
type Scale float64

// The scales were fitted to games of the engine against itself by gyre-train fit, which
// prints them; bench/EXPERIMENTS.md has the games. Other weights need another fit.
const (
	openingScale Scale = 121
	blitzScale   Scale = 81
)

// removedScales are the scales after the opening, by the rings removed of the side that
// has more off, and of the other.
var removedScales = [evaluation.RemovedStates][evaluation.RemovedStates]Scale{
	{114},
	{102, 81},
	{129, 91, 83},
}

// drawShare is the share of drawn games at score 0; it falls as a side gets ahead.
const drawShare = 0.01

// ScaleOf returns the scale of the scores of a position: of the one that is searched,
// for a score is worth less the earlier it is.
func ScaleOf(p *position.Position) Scale {
	white, black := p.Removed(position.White), p.Removed(position.Black)
	const most = evaluation.RemovedStates - 1
	switch evaluation.StageOf(p, position.White) {
	case evaluation.Blitz:
		return blitzScale
	case evaluation.Opening:
		return openingScale
	}
	return removedScales[min(max(white, black), most)][min(white, black, most)]
}

// Centipawns returns a score that is no proven end in the unit of the protocol: 100
// centipawns are an expected share of 73% of the points, at every part of the game and
// whatever the weights.
func (c Scale) Centipawns(s Score) int { return int(math.Round(float64(s) * 100 / float64(c))) }

// WDL returns the chances of a win, a draw and a loss in thousandths. They add up
// to 1000. They are the same on every architecture, for no chance lies so near the
// middle of two thousandths that the last bit of math.Exp, which differs there, could
// decide.
func (c Scale) WDL(s Score) (win, draw, loss int) {
	if plies, proven := s.Mate(); proven {
		if plies > 0 {
			return 1000, 0, 0
		}
		return 0, 0, 1000
	}
	wins, draws := c.thousandths(s)
	win, draw = int(math.Round(wins)), int(math.Round(draws))
	return win, draw, 1000 - win - draw
}

// thousandths returns the chances of a win and a draw before they are rounded.
func (c Scale) thousandths(s Score) (wins, draws float64) {
	expected := 1 / (1 + math.Exp(-float64(s)/float64(c)))
	draws = drawShare * 4 * expected * (1 - expected)
	return 1000 * (expected - float64(draws/2)), 1000 * draws
}

// ScoreOf returns the score whose expected share of the points is the one given,
// above 0 and below 1.
func (c Scale) ScoreOf(share float64) Score {
	return Score(math.Round(float64(c) * logarithm(share/(1-share))))
}

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
