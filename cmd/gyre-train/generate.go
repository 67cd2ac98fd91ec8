package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"gyre/bench"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/hubflags"
	"gyre/cmd/internal/progress"
	"gyre/cmd/internal/sample"
	"gyre/cmd/internal/selfplay"
	"gyre/protocol"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/evaluation"
)

const generateSynopsis = `usage: gyre-train generate -o FILE -games N [FLAGS]
       gyre-train generate -games N -hub URL -detach [-name NAME] [FLAGS]

Plays games of the engine against itself with a fixed number of nodes per search.
It records each searched position with its score and the game's result. Games begin
with random rings and turns. With -from they begin with one to three random turns
after a position of another file in which each side has removed a ring. Examples:

  gyre-train generate -o first.gyre -games 20000 -nodes 5000 -seed 1
  gyre-train generate -o late.gyre -games 20000 -nodes 5000 -seed 2 -from first.gyre

The same flags produce the same file, byte for byte, at any number of threads.
Ctrl-C stops the run. Repeat the command to resume it, also after a crash, or with
a larger -games to add games.

With -hub the workers of a hub play the games, on any number of machines with the
same operating system and processor type. The file is the same: see cmd/gyre-hub/README.md.
With -detach the hub does so by itself, and gyre-arena fetch gets the file:

  gyre-train generate -games 20000 -nodes 5000 -hub URL -detach -name first
  gyre-arena fetch first -hub URL
`

// runGenerate runs the command.
func runGenerate(args []string, stdout, stderr io.Writer) error {
	g := &generation{recipe: selfplay.Default}
	flags := g.flags("generate")
	flags.StringVar(&g.path, "o", "", "output `FILE`; if it has games of the same command, only the missing ones are played")
	flags.UintVar(&g.games, "games", 0, "`number` of games")
	flags.IntVar(&g.threads, "threads", runtime.NumCPU(), "`games` at once")
	g.hub.Add(flags, "play on the workers of the hub at this `URL`")
	g.work.AddDetach(flags, "samples")
	g.work.AddQueue(flags)
	g.progress.Add(flags)
	if err := commandline.Parse(flags, args, generateSynopsis, stdout); err != nil {
		return err
	}
	err := errors.Join(g.hub.Check(), g.work.Check(flags, &g.hub, "o"))
	if err == nil {
		err = g.check()
	}
	if err == nil && g.hub.URL != "" && commandline.Given(flags)["threads"] {
		err = errors.New("-threads has no effect with -hub, because workers choose their own number of games; leave it out")
	}
	if err != nil {
		return &commandline.UsageError{Command: "generate", Err: err}
	}
	if g.work.Detach {
		g.command = "gyre-train generate " + commandline.JoinWords(args)
		return g.detached(stdout, stderr)
	}
	return g.run(stdout, stderr)
}

// check reports what is wrong with the command line, or nil.
func (g *generation) check() error {
	switch {
	case g.path == "" && !g.work.Detach:
		return errors.New("no output file given; use -o FILE")
	case g.games == 0:
		return errors.New("no number of games given; use -games N")
	case g.games > math.MaxUint32:
		return fmt.Errorf("%d games: a file can hold at most %d", g.games, uint32(math.MaxUint32))
	case g.threads < 1:
		return fmt.Errorf("%d threads: must be at least 1", g.threads)
	case g.from != "" && commandline.SameFile(g.from, g.path):
		return fmt.Errorf("-o and -from name the same file %s", g.from)
	}
	return g.recipe.Check()
}

// run plays the missing games.
func (g *generation) run(stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	meter := g.progress.Meter("games", stdout, stderr)
	warn := func(err error) { meter.Print(err.Error()) }
	about, err := g.prepare(ctx, warn)
	if err != nil {
		return err
	}
	held := &counts{}
	file, err := selfplay.Open(g.path, about, held.add, func(err error) { warn(fmt.Errorf("%s: %w", g.path, err)) })
	if err != nil {
		return err
	}
	err = errors.Join(g.play(ctx, about, file, held, meter, stdout), file.Close())
	return errors.Join(err, held.sayResume(err, stdout, g.path, g.games))
}

// play plays the missing games and prints a summary of the file.
func (g *generation) play(ctx context.Context, about sample.About, file *selfplay.File, held *counts, meter *progress.Meter, stdout io.Writer) error {
	first, end := file.Games(), uint32(g.games)
	if first > end {
		_, err := fmt.Fprintf(stdout, "%s has %d games already, more than -games %d; nothing to play\n", g.path, first, end)
		return err
	}
	if first == end {
		_, err := fmt.Fprintf(stdout, "%s is complete: %d games, %v\n", g.path, held.games, held)
		return err
	}
	if first > 0 {
		meter.Say(fmt.Sprintf("resuming after %d games", first))
	}
	began := time.Now()
	meter.Begin(int(end), int(first))
	keep := held.keep(file, meter)
	var err error
	if g.hub.URL != "" {
		err = g.playOnHub(ctx, about, file, end, keep, held.brief, func(err error) { meter.Print("warning: " + err.Error()) })
	} else {
		err = selfplay.Run(ctx, &g.recipe, g.searcher, g.threads, first, end, keep)
	}
	meter.End()
	if err != nil {
		return err
	}
	rate := float64(end-first) / max(time.Since(began).Seconds(), 1e-9)
	_, err = fmt.Fprintf(stdout, "%s: %d games, %v, %.2f games/s\n", g.path, held.games, held, rate)
	return err
}

// generation holds the command line.
type generation struct {
	recipe   selfplay.Recipe
	path     string
	games    uint
	threads  int
	judge    judge
	from     string // sample file
	progress progress.Flags
	hub      hubflags.Hub
	work     hubflags.Work
	command  string // the command line
}

// flags returns the flags that affect games, with the values of g as defaults.
func (g *generation) flags(command string) *flag.FlagSet {
	flags := commandline.NewFlags(command)
	flags.Uint64Var(&g.recipe.Seed, "seed", g.recipe.Seed, "random `seed` of the games")
	flags.Uint64Var(&g.recipe.Nodes, "nodes", g.recipe.Nodes, "`nodes` per search")
	flags.Uint64Var(&g.recipe.PlacingNodes, "placing-nodes", g.recipe.PlacingNodes, "`nodes` per search while rings are placed")
	flags.IntVar(&g.recipe.Hash, "hash", g.recipe.Hash, "memory of each thread's search, in `MiB`")
	flags.IntVar(&g.recipe.RandomTurns, "random-turns", g.recipe.RandomTurns, "maximum number of random `turns` after the rings are placed")
	flags.IntVar(&g.recipe.Bound, "bound", g.recipe.Bound, "maximum `score` of either side after the opening, in centipawns")
	flags.Float64Var(&g.recipe.Slips, "slips", g.recipe.Slips, "`probability` that a later turn is random")
	commandline.RulesVar(flags, &g.recipe.Rules)
	flags.StringVar(&g.from, "from", g.from, "sample `FILE` with positions to begin from (default: begin from the start)")
	flags.StringVar(&g.judge.evalFile, "evalfile", g.judge.evalFile, "`FILE` of weights to play with (default: the engine's own)")
	return flags
}

// readLate reads the positions to begin from.
func (g *generation) readLate(warn func(error)) error {
	if g.from == "" {
		return nil
	}
	file, err := commandline.OpenRegular(g.from)
	if err != nil {
		return err
	}
	defer file.Close()
	g.recipe.Late, err = selfplay.ReadLate(file, g.from, g.recipe.Rules, warn)
	return err
}

// searcher creates a searcher for one thread.
func (g *generation) searcher() bench.Searcher { return g.judge.searcher(g.recipe.Hash) }

// prepare loads the weights and the positions to begin from, and returns the header of the file.
func (g *generation) prepare(ctx context.Context, warn func(error)) (sample.About, error) {
	if err := errors.Join(g.judge.load(), g.readLate(warn)); err != nil {
		return nil, err
	}
	about, err := g.judge.about(ctx, g.recipe.Hash)
	return append(about, g.recipe.About()...), err
}

// judge is the engine that searches positions for samples.
type judge struct {
	evalFile  string
	evaluator *evaluation.Evaluator // from evalFile
}

// load loads the weights.
func (j *judge) load() error {
	if j.evalFile == "" {
		j.evaluator = evaluation.DefaultEvaluator()
		return nil
	}
	weights, err := engine.ReadWeights(j.evalFile)
	if err != nil {
		return fmt.Errorf("%s: %w", j.evalFile, err)
	}
	j.evaluator = evaluation.NewEvaluator(weights)
	return nil
}

// searcher creates a searcher for one thread, with hash MiB of memory.
func (j *judge) searcher(hash int) *alphabeta.Searcher {
	s := alphabeta.New(hash)
	s.SetEvaluator(j.evaluator)
	return s
}

// weightsName identifies the weights, independent of their file.
func (j *judge) weightsName() (string, error) {
	w := j.evaluator.Weights()
	sum := xxh3.New()
	if err := w.Write(sum); err != nil {
		return "", err
	}
	return fmt.Sprintf("xxh3 %016x: %s", sum.Sum64(), strings.Join(strings.Fields(w.About), " ")), nil
}

// signatureDepth is the depth in turns of the searches that distinguish engines. It is deep enough to
// use all features of the search, and fast. Tests search less.
var signatureDepth = 4

// about returns the part of a header that identifies the engine with the loaded weights. Engines that
// search or evaluate differently have different signatures, the node counts of a short bench.
func (j *judge) about(ctx context.Context, hash int) (sample.About, error) {
	total, err := bench.Run(ctx, j.searcher(hash), search.Limits{Depth: signatureDepth}, io.Discard)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	weights, err := j.weightsName()
	if err != nil {
		return nil, err
	}
	return sample.About{
		{Name: "engine", Value: "Gyre " + engine.Version},
		{Name: "weights", Value: weights},
		{Name: "signature", Value: fmt.Sprintf("%d nodes to depth %d", total.Nodes, signatureDepth)},
	}, nil
}

const rangeSynopsis = `usage: gyre-train range [FLAGS] FIRST END > FILE

Plays generate's games from FIRST to END-1 and writes them to standard output.
Workers of a hub run this command for generate -hub.
`

// runRange runs the command.
func runRange(args []string, stdout, stderr io.Writer) error {
	g := &generation{recipe: selfplay.Default}
	words, err := commandline.ParseMixed(g.flags("range"), args, rangeSynopsis, stdout)
	if err != nil {
		return err
	}
	var ends [2]uint64
	if len(words) != len(ends) {
		err = errors.New("expected two numbers: the first game, and the one after the last")
	}
	for i := 0; i < len(words) && err == nil; i++ {
		if ends[i], err = strconv.ParseUint(words[i], 10, 32); err != nil {
			err = fmt.Errorf("%q: not the number of a game, 0 to %d", words[i], uint32(math.MaxUint32))
		}
	}
	if err == nil && ends[1] < ends[0] {
		err = fmt.Errorf("the end %d is before the first game %d", ends[1], ends[0])
	}
	if err = errors.Join(err, g.recipe.Check()); err != nil {
		return &commandline.UsageError{Command: "range", Err: err}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	warn := func(err error) { _, _ = fmt.Fprintln(stderr, err) } // write errors are not important here
	about, err := g.prepare(ctx, warn)
	if err != nil {
		return err
	}
	text, err := sample.AppendHeader(nil, about)
	if err != nil {
		return err
	}
	if _, err := stdout.Write(text); err != nil {
		return err
	}
	return selfplay.Run(ctx, &g.recipe, g.searcher, 1, uint32(ends[0]), uint32(ends[1]), func(games []*sample.Game) error {
		text = text[:0]
		for _, game := range games {
			if text, err = sample.AppendGame(text, game); err != nil {
				return err
			}
		}
		_, err := stdout.Write(text)
		return err
	})
}

// rangeSize is the number of games in a job for a worker: a few minutes and half a megabyte. Tests have
// a smaller one.
var rangeSize uint32 = 256

// detached hands the games to the hub and prints how to follow them.
func (g *generation) detached(stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	about, err := g.prepare(ctx, func(err error) { _, _ = fmt.Fprintln(stderr, err) }) // write errors are not important here
	if err != nil {
		return err
	}
	header, err := sample.AppendHeader(nil, about)
	if err != nil {
		return err
	}
	r, err := g.ranges(ctx)
	if err != nil {
		return err
	}
	defer r.Hub.Close()
	request := hub.Request{Name: g.work.NameOf("generate"), Command: g.command, Rules: g.recipe.Rules, Queue: g.work.Queue,
		Setup: &match.Setup{Command: g.command, Version: engine.Version, Flags: about.Settings()}}
	if err := r.Detach(ctx, uint32(g.games), header, request); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, g.hub.Detached("generates samples", request.Name))
	return err
}

// ranges connects to the hub and returns the games as ranges for its workers.
func (g *generation) ranges(ctx context.Context) (*hub.Ranges, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	h, err := g.hub.Connect(ctx, hub.ForMatch, "")
	if err != nil {
		return nil, err
	}
	return &hub.Ranges{Hub: h, Name: "samples", Program: protocol.Program{Path: program}, Arguments: g.arguments(), Size: rangeSize, Queue: g.work.Queue}, nil
}

// playOnHub plays games on the workers of the hub and calls keep with them, in order.
func (g *generation) playOnHub(ctx context.Context, about sample.About, file *selfplay.File, end uint32, keep func([]*sample.Game) error, score func() string, warn func(error)) error {
	r, err := g.ranges(ctx)
	if err != nil {
		return err
	}
	defer r.Hub.Close()
	r.Client, r.Score, r.Warn = hub.ClientOf(g.path), func() hub.Progress { return hub.Progress{Score: score()} }, warn
	r.Check = file.Check
	r.Keep = func(first, end uint32, output []byte) error {
		games, err := selfplay.ReadRange(about, first, end, output)
		if err == nil {
			err = keep(games)
		}
		return err
	}
	return r.Run(ctx, file.Games(), end)
}

// arguments returns the arguments of the range command that plays the same games.
func (g *generation) arguments() []hub.Argument {
	all := []hub.Argument{{Text: "range"}}
	g.flags("range").VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		switch names := f.Name == "from" || f.Name == "evalfile"; {
		case !names:
			all = append(all, hub.Argument{Text: "-" + f.Name + "=" + value})
		case value != "":
			all = append(all, hub.Argument{Text: "-" + f.Name}, hub.Argument{File: value})
		}
	})
	return all
}
