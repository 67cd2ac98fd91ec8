package mcts

import (
	"math"

	"gyre/search"
)

// chance is the expected share of the points of a game, a win counting one and
// a draw a half, in units of 1/certain.
type chance uint16

// The chances that are no guess. Those that are lie between them, the ends
// excluded, so that every guess has a score.
const (
	hopeless chance = 0
	even     chance = certain/2 + 1
	certain  chance = math.MaxUint16
)

// evaluationScale is the evaluation in centipawns that is worth 73% of the points by
// chanceOf. A search has a scale of its own, to which it brings evaluations: see numbers.
const evaluationScale = 100

// mostCentipawns is an evaluation from which on the chance is the highest that is no end.
const mostCentipawns = 1200

// chances holds the chances by evaluation, from -mostCentipawns on.
var chances = func() (all [2*mostCentipawns + 1]chance) {
	for i := range all {
		all[i] = computeChance(i - mostCentipawns)
	}
	return all
}()

// chanceOf returns the chance that an evaluation in centipawns stands for.
func chanceOf(centipawns int) chance {
	return chances[min(max(centipawns, -mostCentipawns), mostCentipawns)+mostCentipawns]
}

// computeChance returns that chance: the same on every architecture, for no share lies so
// near the middle of two chances that the last bit of math.Exp, which differs there, could
// decide.
func computeChance(centipawns int) chance {
	share := 1 / (1 + math.Exp(-float64(centipawns)/evaluationScale))
	return chance(min(max(math.Round(share*float64(certain)), 1), float64(certain-1)))
}

// opponent returns the chance of the other side.
func (c chance) opponent() chance { return certain - c }

// share returns the chance as a number from 0 to 1.
func (c chance) share() float64 { return float64(c) / float64(certain) }

// scoreOf returns the score that stands for a share of the points by a scale.
func scoreOf(share float64, scale search.Scale) search.Score {
	const least = 1 / float64(certain)
	share = min(max(share, least), 1-least)
	return scale.ScoreOf(share)
}
