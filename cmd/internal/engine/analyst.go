package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

// The default and the limits of analysis. The hash size is in MiB for each thread;
// the default is enough for ten million nodes.
const (
	AnalysisHash    = 16
	MaxAnalysisHash = maxHash
	MaxThreads      = maxThreads
)

// analyst implements analysis.Analyst with alpha-beta and one thread.
type analyst struct{ searcher *alphabeta.Searcher }

// NewAnalysts returns count analysts, each with a hash table of at most the given
// number of mebibytes. It fails if the machine does not have enough memory for all.
func NewAnalysts(count, mebibytes int) ([]analysis.Analyst, error) {
	all := alphabeta.New(leastHash)
	defer all.Close()
	if err := all.Resize(count * mebibytes); err != nil { // allocates nothing before a search
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

// Search implements [analysis.Analyst].
func (a analyst) Search(ctx context.Context, root position.Position, limits protocol.Limits, multiPV int, report func(protocol.Info)) {
	converted := search.Limits{Nodes: limits.Nodes, MoveTime: limits.MoveTime, MultiPV: multiPV}
	a.searcher.NewGameFor(maxNodes(limits))
	a.searcher.Search(ctx, root, converted, func(i search.Info) { report(infoOf(&root, i, false)) })
}

// nodesPerMillisecond is an upper bound for one thread.
const nodesPerMillisecond = 10_000

// maxNodes returns an upper bound of the nodes that a search visits.
func maxNodes(limits protocol.Limits) uint64 {
	most := cmp.Or(limits.Nodes, math.MaxUint64)
	if limits.MoveTime > 0 {
		most = min(most, uint64(limits.MoveTime.Milliseconds())*nodesPerMillisecond)
	}
	return most
}

// SearchIdentity identifies everything but the query that an answer of an analyst depends
// on: the weights, the size of the hash table in MiB, and this program. It fails if the
// program's file cannot be read.
func SearchIdentity(mebibytes int) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() // only read
	sum := xxh3.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x weights=%016x hash=%d", sum.Sum64(), evaluation.Checksum(), mebibytes), nil
}

// AnalysisBuild identifies this build in the answers of analysis.
func AnalysisBuild() analysis.Build {
	name, _, version := (*Engine)(nil).ID()
	info := buildInfo()
	return analysis.Build{
		Name: name, Version: version, Revision: revision(info), Weights: fmt.Sprintf("xxh3 %016x", evaluation.Checksum()),
	}
}
