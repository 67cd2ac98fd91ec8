package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

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

const generateSynopsis = `usage: gyre-train generate -o FILE -games N [FLAGS]

Has the engine play itself at a fixed number of nodes a turn, and keeps each
position that it searched with the search's score and the game's result. Games
begin with random rings and turns, or with -from where each side has removed a ring
in a game of another file, and one to three random turns. For example:

  gyre-train generate -o first.gyre -games 20000 -nodes 5000 -seed 1
  gyre-train generate -o late.gyre -games 20000 -nodes 5000 -seed 2 -from first.gyre

The same flags make the same file, byte for byte, whatever the threads. Ctrl-C
ends it at any moment; the same command goes on, also after a crash and also with
more games.
`

// generation is what the command is told.
type generation struct {
	recipe   selfplay.Recipe
	path     string
	games    uint
	threads  int
	evalFile string
	from     string // file of samples
	progress progress.Flags

	evaluator *evaluation.Evaluator // of evalFile
}

// runGenerate makes samples.
func runGenerate(args []string, stdout, stderr io.Writer) error {
	g := &generation{recipe: selfplay.Default}
	var rules commandline.Rules
	flags := commandline.NewFlags("generate")
	flags.StringVar(&g.path, "o", "", "`FILE` for the samples; where it holds games of the same command, only those missing are played")
	flags.UintVar(&g.games, "games", 0, "`number` of games")
	flags.IntVar(&g.threads, "threads", runtime.NumCPU(), "`games` at once")
	flags.Uint64Var(&g.recipe.Seed, "seed", g.recipe.Seed, "`number` that the games are made from")
	flags.Uint64Var(&g.recipe.Nodes, "nodes", g.recipe.Nodes, "`nodes` of each search")
	flags.Uint64Var(&g.recipe.PlacingNodes, "placing-nodes", g.recipe.PlacingNodes, "`nodes` of each search while rings are placed")
	flags.IntVar(&g.recipe.Hash, "hash", g.recipe.Hash, "memory of each thread's search, in `MiB`")
	flags.IntVar(&g.recipe.RandomTurns, "random-turns", g.recipe.RandomTurns, "most `turns` at random after the rings are placed")
	flags.IntVar(&g.recipe.Bound, "bound", g.recipe.Bound, "highest `score` of a side, in centipawns, after the opening")
	flags.Float64Var(&g.recipe.Slips, "slips", g.recipe.Slips, "`chance` that a later turn is a random one")
	flags.Var(&rules, "rules", "`standard` or blitz")
	flags.StringVar(&g.from, "from", "", "`FILE` of samples with the positions to begin from (default: games begin from the start)")
	flags.StringVar(&g.evalFile, "evalfile", "", "`FILE` of the weights to play with (default: those that the engine carries)")
	g.progress.Add(flags)
	if err := commandline.Parse(flags, args, generateSynopsis, stdout); err != nil {
		return err
	}
	g.recipe.Rules = rules.Rules
	if err := g.check(); err != nil {
		return &commandline.UsageError{Command: "generate", Err: err}
	}
	return g.run(stdout, stderr)
}

// check returns what is wrong with the command line.
func (g *generation) check() error {
	switch {
	case g.path == "":
		return errors.New("where are the samples to go? Give -o")
	case g.games == 0:
		return errors.New("how many games? Give -games")
	case g.games > math.MaxUint32:
		return fmt.Errorf("%d games are more than a file can hold", g.games)
	case g.threads < 1:
		return fmt.Errorf("%d threads: not at least 1", g.threads)
	case g.from != "" && sameFile(g.from, g.path):
		return fmt.Errorf("-o and -from name the same file %s", g.from)
	}
	return errors.Join(g.recipe.Check(), g.progress.Check())
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

// run plays the games that are missing.
func (g *generation) run(stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	meter := g.progress.Meter("games", stdout, stderr)
	tell := func(err error) { meter.Tell(err.Error()) }
	if err := errors.Join(g.load(), g.readLate(tell)); err != nil {
		return err
	}
	about, err := g.about(ctx)
	if err != nil {
		return err
	}
	held := &counts{}
	file, err := selfplay.Open(g.path, about, held.add, func(err error) { tell(fmt.Errorf("%s: %w", g.path, err)) })
	if err != nil {
		return err
	}
	err = errors.Join(g.play(ctx, file, held, meter, stdout), file.Close())
	if errors.Is(err, commandline.ErrInterrupted) {
		_, failed := fmt.Fprintf(stdout, "%s holds %d of %d games; the same command goes on\n", g.path, held.games, g.games)
		err = errors.Join(err, failed)
	}
	return err
}

// play plays the games that are missing in the file, and says what it holds in
// the end.
func (g *generation) play(ctx context.Context, file *selfplay.File, held *counts, meter *progress.Meter, stdout io.Writer) error {
	first, end := file.Games(), uint32(g.games)
	if first >= end {
		_, err := fmt.Fprintf(stdout, "%s is finished: %d games, %v\n", g.path, held.games, held)
		return err
	}
	if first > 0 {
		meter.Say(fmt.Sprintf("going on after %d games", first))
	}
	began := time.Now()
	meter.Begin(int(end), int(first))
	err := selfplay.Run(ctx, &g.recipe, g.searcher, g.threads, first, end, func(games []*sample.Game) error {
		if err := file.Append(games); err != nil {
			return err
		}
		for _, game := range games {
			held.add(game)
			meter.Step(held.brief)
		}
		return nil
	})
	meter.End()
	if err != nil {
		return err
	}
	rate := float64(end-first) / max(time.Since(began).Seconds(), 1e-9)
	_, err = fmt.Fprintf(stdout, "%s: %d games, %v, %.2f games/s\n", g.path, held.games, held, rate)
	return err
}
