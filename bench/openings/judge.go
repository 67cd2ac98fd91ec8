package openings

import (
	"context"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// judgeHash is the memory of the search, in MiB.
const judgeHash = 4

// judge searches positions on one thread, each with an empty memory.
type judge struct {
	bound    int
	nodes    uint64
	searcher *alphabeta.Searcher
}

// newJudge returns the judge of a recipe, nil when nothing is to be judged.
func newJudge(r Recipe) *judge {
	if r.Bound == 0 {
		return nil
	}
	return &judge{bound: r.Bound, nodes: r.Nodes, searcher: alphabeta.New(judgeHash)}
}

// even tells whether the search sees no side ahead by more than the bound.
func (j *judge) even(p *position.Position) bool {
	if j == nil {
		return true
	}
	j.searcher.NewGame()
	outcome := j.searcher.Search(context.Background(), *p, search.Limits{Nodes: j.nodes}, func(search.Info) {})
	score := outcome.Info.Score.Centipawns()
	return max(score, -score) <= j.bound
}
