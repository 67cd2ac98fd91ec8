package evaluation

import (
	"math"

	"gyre/position"
	"gyre/search"
)

// Scale is the win-draw-loss model of one part of the game: the number of search
// centipawns that are worth 73% of the points, a logit of 1. The expected share of
// the points is a logistic function of the score, 1 / (1 + e^(-score / scale)).
type Scale float64

// The scales were fitted by gyre-train fit to games that the engine played against
// itself; bench/EXPERIMENTS.md describes the games. Different weights need a new fit.
const (
	openingScale Scale = 121
	blitzScale   Scale = 81
)

// removedScales holds the scales after the opening, by the rings removed of the side
// that has removed more, and of the other side.
var removedScales = [RemovedStates][RemovedStates]Scale{
	{114},
	{102, 81},
	{129, 91, 83},
}

// drawShare is the share of draws at score 0. It falls as one side gets ahead.
const drawShare = 0.01

// ScaleOf returns the scale for scores of a position. Pass the root of the search: a
// score is worth less the earlier in the game it occurs.
func ScaleOf(p *position.Position) Scale {
	white, black := p.Removed(position.White), p.Removed(position.Black)
	const maxRemoved = RemovedStates - 1
	switch StageOf(p, position.White) {
	case Blitz:
		return blitzScale
	case Opening:
		return openingScale
	}
	return removedScales[min(max(white, black), maxRemoved)][min(white, black, maxRemoved)]
}

// Centipawns converts a score that is not a proven result to the unit of the
// protocol. 100 centipawns are an expected 73% of the points in every part of the
// game and with any weights.
func (c Scale) Centipawns(s search.Score) int { return int(math.Round(float64(s) * 100 / float64(c))) }

// WDL returns the probabilities of a win, a draw and a loss in thousandths, which add
// up to 1000. They are the same on every architecture: math.Exp differs in its last
// bit there, but no probability is close enough to a rounding boundary for that to
// matter.
func (c Scale) WDL(s search.Score) (win, draw, loss int) {
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

// thousandths returns the probabilities of a win and a draw, not rounded.
func (c Scale) thousandths(s search.Score) (wins, draws float64) {
	expected := 1 / (1 + math.Exp(-float64(s)/float64(c)))
	draws = drawShare * 4 * expected * (1 - expected)
	return 1000 * (expected - float64(draws/2)), 1000 * draws
}

// ScoreOf returns the score with the given expected share of the points, 0 < share <
// 1.
func (c Scale) ScoreOf(share float64) search.Score {
	return search.Score(math.Round(float64(c) * logarithm(share/(1-share))))
}

// logarithm returns the natural logarithm of x > 0. It is the same on every
// architecture, while math.Log differs in its last bit: a product is rounded before
// it is added, so the compiler cannot use a fused multiply-add.
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
