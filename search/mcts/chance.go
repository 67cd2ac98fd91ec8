package mcts

import (
	"math"

	"gyre/position"
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

// proof is what is known for certain of a position: how its game ends when
// both sides play as well as they can, told for the side that made the turn
// leading to it, and in how many turns at most. Zero is nothing known.
//
// The lowest 14 bits are the turns. They are a bound: a win found may hide a
// quicker one, and a loss may come sooner than the bound, but never later. For
// a position whose turns were listed wins in up to 2 turns and losses in up to
// 3 are exact, since listing them finds each turn that ends the game. (A win
// may take an even number of turns: the last marker can be the opponent's.)
type proof uint16

// The ends that can be proven.
const (
	unproven proof = 0
	drawn    proof = 1 << proofShift
	lost     proof = 2 << proofShift
	won      proof = 3 << proofShift
)

const (
	proofShift = 14
	turnsMask  = 1<<proofShift - 1
	exactWin   = 2 // turns
)

// end returns drawn, lost, won or unproven.
func (p proof) end() proof { return p &^ turnsMask }

// turns returns how many turns the game lasts at most.
func (p proof) turns() int { return int(p & turnsMask) }

// rank is 1 for a win, -1 for a loss, and else 0.
func (p proof) rank() int {
	switch p.end() {
	case won:
		return 1
	case lost:
		return -1
	}
	return 0
}

// chance returns the chance of a position that is proven.
func (p proof) chance() chance {
	switch p.end() {
	case won:
		return certain
	case lost:
		return hopeless
	}
	return even
}

// score returns the score of a proven position for the side that leads to it,
// counted from the position before, and whether the bound is exact.
func (p proof) score() (search.Score, search.Bound) {
	plies := min(p.turns()+1, 2*search.MaxDepth)
	switch p.end() {
	case won:
		if plies <= exactWin {
			return search.WinIn(plies), search.Exact
		}
		return search.WinIn(plies), search.Lower
	case lost:
		if plies <= exactWin+1 {
			return search.LossIn(plies), search.Exact
		}
		return search.LossIn(plies), search.Upper
	}
	return 0, search.Exact
}

// endFor returns what the end of a game that is over is for a side.
func endFor(p *position.Position, s position.Side) proof {
	ours, theirs := p.Removed(s), p.Removed(s.Opponent())
	switch {
	case ours > theirs:
		return won
	case ours < theirs:
		return lost
	}
	return drawn
}

// numbers are the parameters of a search in the units that it computes in.
type numbers struct {
	parameters  search.Parameters
	exploration float64 // weight of the exploration term against the value
	minimax     float64 // weight of the minimax of what has been seen against its mean
	firstVisit  float64 // part of the points by which a turn not visited yet seems worse
	priorFloor  float64 // part of the attention that is shared out equally
	priorOfRow  float64 // by which the prior grows of a turn that takes a row off
}

// numbersOf returns the numbers of a search by its parameters.
func numbersOf(p *search.Parameters) *numbers {
	return &numbers{
		parameters:  *p,
		exploration: float64(p[search.TreeExploration]) / 100,
		minimax:     float64(p[search.TreeMinimax]) / 100,
		firstVisit:  float64(p[search.TreeFirstVisit]) / 1000,
		priorFloor:  float64(p[search.TreePriorFloor]) / 100,
		priorOfRow:  float64(p[search.TreePriorOfRow]) / 100,
	}
}

// chanceOf returns the chance that an evaluation in centipawns stands for.
func (n *numbers) chanceOf(centipawns int) chance {
	return chanceOf(centipawns * evaluationScale / n.parameters[search.TreeScale])
}

// priorWeight returns the weight of the prior of a turn that is so many centipawns worse
// than the best one.
func (n *numbers) priorWeight(worse int) float64 {
	return priorWeights[min(worse*priorUnit/n.parameters[search.TreePriorScale], len(priorWeights)-1)]
}

// priorUnit is the number of steps of priorWeights from one to 1/e.
const priorUnit = 60

// priorWeights holds e^(-n/priorUnit). Products of two numbers are the same on every
// architecture; math.Exp differs there in its last bit, and the search with it.
var priorWeights = func() (weights [4096]float64) {
	const factor = 0.98347145382161748948 // e^(-1/priorUnit)
	weights[0] = 1
	for n := range weights[1:] {
		weights[n+1] = weights[n] * factor
	}
	return weights
}()
