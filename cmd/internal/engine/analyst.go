package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime/debug"

	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

// What analysis takes by default and at most: MiB are those of each thread, and the
// default is enough for ten million nodes.
const (
	AnalysisHash     = 16
	MostAnalysisHash = mostHash
	MostThreads      = mostThreads
)

// analyst searches positions for package analysis by alpha-beta with one thread.
type analyst struct{ searcher *alphabeta.Searcher }

// NewAnalysts returns so many analysts, each with a table of at most so many mebibytes.
// The error says that the machine has not so much for all.
func NewAnalysts(count, mebibytes int) ([]analysis.Analyst, error) {
	all := alphabeta.New(leastHash)
	defer all.Close()
	if err := all.Resize(count * mebibytes); err != nil { // takes none of it before a search
		return nil, fmt.Errorf("%d MiB for each of %d threads: %w", mebibytes, count, err)
	}
	analysts := make([]analysis.Analyst, count)
	for i := range analysts {
		searcher := alphabeta.New(leastHash)
		if err := searcher.Resize(mebibytes); err != nil {
			return nil, err
		}
		analysts[i] = analyst{searcher}
	}
	return analysts, nil
}

// Search searches a position. See [analysis.Analyst].
func (a analyst) Search(ctx context.Context, root position.Position, limits analysis.Limits, report func(protocol.Info)) {
	wanted := search.Limits{Nodes: limits.Nodes, MultiPV: limits.MultiPV}
	if limits.Time > 0 {
		wanted.MoveTime = &limits.Time
	}
	a.searcher.NewGameFor(mostNodes(limits))
	a.searcher.Search(ctx, root, wanted, func(i search.Info) { report(infoOf(&root, i, false)) })
}

// nodesPerMillisecond is more than one thread visits in a millisecond.
const nodesPerMillisecond = 10_000

// mostNodes returns how many nodes a search visits at most.
func mostNodes(limits analysis.Limits) uint64 {
	most := cmp.Or(limits.Nodes, math.MaxUint64)
	if limits.Time > 0 {
		most = min(most, uint64(limits.Time.Milliseconds())*nodesPerMillisecond)
	}
	return most
}

// AnalysisBuild tells this build from others in the answers of analysis.
func AnalysisBuild() analysis.Build {
	name, _, version := (*Engine)(nil).ID()
	info, _ := debug.ReadBuildInfo()
	return analysis.Build{
		Name: name, Version: version, Revision: revision(info), Weights: fmt.Sprintf("xxh3 %016x", evaluation.Checksum()),
	}
}
