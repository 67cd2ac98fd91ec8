package mcts

import "gyre/search"

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
