package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/gyre-train/internal/selfplay"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/progress"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

// generation is what the command is told.
type generation struct {
	recipe       selfplay.Recipe
	path         string
	games        uint
	threads      int
	evalFile     string
	from         string // file of samples
	progress     progress.Flags
	rules        commandline.Rules
	hub, key, ca string

	evaluator *evaluation.Evaluator // of evalFile
}

// flags returns the flags that games depend on, with the values of g as their defaults.
func (g *generation) flags(command string) *flag.FlagSet {
	flags := commandline.NewFlags(command)
	flags.Uint64Var(&g.recipe.Seed, "seed", g.recipe.Seed, "`number` that the games are made from")
	flags.Uint64Var(&g.recipe.Nodes, "nodes", g.recipe.Nodes, "`nodes` of each search")
	flags.Uint64Var(&g.recipe.PlacingNodes, "placing-nodes", g.recipe.PlacingNodes, "`nodes` of each search while rings are placed")
	flags.IntVar(&g.recipe.Hash, "hash", g.recipe.Hash, "memory of each thread's search, in `MiB`")
	flags.IntVar(&g.recipe.RandomTurns, "random-turns", g.recipe.RandomTurns, "most `turns` at random after the rings are placed")
	flags.IntVar(&g.recipe.Bound, "bound", g.recipe.Bound, "highest `score` of a side, in centipawns, after the opening")
	flags.Float64Var(&g.recipe.Slips, "slips", g.recipe.Slips, "`chance` that a later turn is a random one")
	flags.Var(&g.rules, "rules", "`standard` or blitz")
	flags.StringVar(&g.from, "from", g.from, "`FILE` of samples with the positions to begin from (default: games begin from the start)")
	flags.StringVar(&g.evalFile, "evalfile", g.evalFile, "`FILE` of the weights to play with (default: those that the engine carries)")
	return flags
}

// load sets the evaluator.
func (g *generation) load() error {
	if g.evalFile == "" {
		g.evaluator = evaluation.DefaultEvaluator()
		return nil
	}
	weights, err := engine.ReadWeights(g.evalFile)
	if err != nil {
		return fmt.Errorf("%s: %w", g.evalFile, err)
	}
	g.evaluator = evaluation.NewEvaluator(weights)
	return nil
}

// readLate reads the positions to begin from.
func (g *generation) readLate(tell func(error)) error {
	if g.from == "" {
		return nil
	}
	file, err := os.Open(g.from)
	if err != nil {
		return err
	}
	defer file.Close()
	g.recipe.Late, err = selfplay.ReadLate(file, filepath.Base(g.from), g.recipe.Rules, tell)
	return err
}

// searcher returns a searcher for one thread.
func (g *generation) searcher() selfplay.Searcher {
	s := alphabeta.New(g.recipe.Hash)
	s.SetEvaluator(g.evaluator)
	return s
}

// weightsName names the weights: the same ones have the same name, whatever
// file they come from.
func (g *generation) weightsName() (string, error) {
	w := g.evaluator.Weights()
	sum := xxh3.New()
	if err := w.Write(sum); err != nil {
		return "", err
	}
	return fmt.Sprintf("xxh3 %016x: %s", sum.Sum64(), strings.Join(strings.Fields(w.About), " ")), nil
}

// signatureDepth is the depth in turns of the searches that tell an engine from
// others: deep enough to use all of the search, and done in a moment.
const signatureDepth = 4

// about returns what the file is made with. Two engines that search or evaluate
// differently have different signatures, the nodes of a short bench.
func (g *generation) about(ctx context.Context) (sample.About, error) {
	total, err := bench.Run(ctx, g.searcher(), search.Limits{Depth: signatureDepth}, io.Discard)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	weights, err := g.weightsName()
	if err != nil {
		return nil, err
	}
	return append(sample.About{
		{Name: "engine", Value: "Gyre " + engine.Version},
		{Name: "weights", Value: weights},
		{Name: "signature", Value: fmt.Sprintf("%d nodes to depth %d", total.Nodes, signatureDepth)},
	}, g.recipe.About()...), nil
}
