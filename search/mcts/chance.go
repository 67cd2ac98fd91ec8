package mcts

import (
	"math"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// chance is the expected share of the points, in units of 1/certain. A win counts one
// and a draw a half.
type chance uint16

// The chances of finished games. Estimates are strictly between hopeless and certain, so
// that every estimate has a score.
const (
	hopeless chance = 0
	even     chance = certain/2 + 1
	certain  chance = math.MaxUint16
)

// chanceUnit is the number of steps of chances from even to 73% of the points.
const chanceUnit = 100

// maxStep is the step from which the chance is the highest estimate.
const maxStep = 1200

// chances holds the chances by step, starting at -maxStep.
var chances = func() (all [2*maxStep + 1]chance) {
	for i := range all {
		all[i] = computeChance(i - maxStep)
	}
	return all
}()

// computeChance computes a chance. The result is the same on every architecture:
// math.Exp differs in its last bit there, but no chance is close enough to a rounding
// boundary for that to matter.
func computeChance(step int) chance {
	share := 1 / (1 + math.Exp(-float64(step)/chanceUnit))
	return chance(min(max(math.Round(share*float64(certain)), 1), float64(certain-1)))
}

// opponent returns the chance from the opponent's point of view.
func (c chance) opponent() chance { return certain - c }

// share returns the chance as a number from 0 to 1.
func (c chance) share() float64 { return float64(c) / float64(certain) }

// scoreOf returns the score of a share of the points at a scale.
func scoreOf(share float64, scale evaluation.Scale) search.Score {
	const lowest = 1 / float64(certain)
	share = min(max(share, lowest), 1-lowest)
	return scale.ScoreOf(share)
}

// proof is the proven result of a position with best play, from the point of view of
// the side whose turn led to it, and the maximum number of turns to the end. The zero
// value means that nothing is proven.
//
// The lowest 14 bits hold the turns. They are an upper bound: a shorter win may
// exist, and a loss may come sooner, but never later. For a position whose turns were
// generated, wins in up to 2 turns and losses in up to 3 are exact, because
// generating the turns finds each one that ends the game. (A win may take an even
// number of turns: the opponent may place the last marker.)
type proof uint16

// The results that can be proven.
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

// turns returns the maximum number of turns to the end.
func (p proof) turns() int { return int(p & turnsMask) }

// rank returns 1 for a win, -1 for a loss, and otherwise 0.
func (p proof) rank() int {
	switch p.end() {
	case won:
		return 1
	case lost:
		return -1
	}
	return 0
}

// chance returns the chance of a proven result.
func (p proof) chance() chance {
	switch p.end() {
	case won:
		return certain
	case lost:
		return hopeless
	}
	return even
}

// score returns the score of a proven position for the side whose turn led to it,
// counted from the position before, and its bound.
func (p proof) score() (search.Score, search.Bound) {
	plies := p.turns() + 1
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

// endFor returns the result of a finished game for side s.
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

// params holds the parameters of a search in the units of its calculations.
type params struct {
	parameters  search.Parameters
	exploration float64 // weight of the exploration term relative to the value
	minimax     float64 // weight of the minimax of the subtree relative to its mean
	firstVisit  float64 // share of the points by which an unvisited turn counts as worse
	priorFloor  float64 // part of the prior that is distributed equally
	priorOfRow  float64 // factor on the prior of a row-taking turn
}

// newParams converts parameters.
func newParams(p *search.Parameters) *params {
	return &params{
		parameters:  *p,
		exploration: float64(p[search.TreeExploration]) / 100,
		minimax:     float64(p[search.TreeMinimax]) / 100,
		firstVisit:  float64(p[search.TreeFirstVisit]) / 1000,
		priorFloor:  float64(p[search.TreePriorFloor]) / 100,
		priorOfRow:  float64(p[search.TreePriorOfRow]) / 100,
	}
}

// chanceOf returns the chance of an evaluation in centipawns.
func (p *params) chanceOf(centipawns int) chance {
	step := centipawns * chanceUnit / p.parameters[search.TreeScale]
	return chances[min(max(step, -maxStep), maxStep)+maxStep]
}

// priorWeight returns the weight of the prior of a turn that is this many centipawns
// worse than the best one.
func (p *params) priorWeight(worse int) float64 {
	return priorWeights[min(worse*priorUnit/p.parameters[search.TreePriorScale], len(priorWeights)-1)]
}

// priorUnit is the number of steps of priorWeights from 1 to 1/e.
const priorUnit = 60

// priorWeights holds e^(-n/priorUnit). Products of two numbers are the same on every
// architecture, whereas math.Exp differs in its last bit, which would change the
// search.
var priorWeights = func() (weights [4096]float64) {
	const factor = 0.98347145382161748948 // e^(-1/priorUnit)
	weights[0] = 1
	for n := range weights[1:] {
		weights[n+1] = weights[n] * factor
	}
	return weights
}()
