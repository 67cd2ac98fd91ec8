package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/gyre-train/internal/selfplay"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
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

With -hub the workers of a hub play the games, on any number of machines of this
system, and the file is the same again: see cmd/gyre-arena/HUB.md.
`

// runGenerate makes samples.
func runGenerate(args []string, stdout, stderr io.Writer) error {
	g := &generation{recipe: selfplay.Default}
	flags := g.flags("generate")
	flags.StringVar(&g.path, "o", "", "`FILE` for the samples; where it holds games of the same command, only those missing are played")
	flags.UintVar(&g.games, "games", 0, "`number` of games")
	flags.IntVar(&g.threads, "threads", runtime.NumCPU(), "`games` at once")
	flags.StringVar(&g.hub, "hub", "", "have the workers of the hub at this `URL` play them, such as nats://HOST:4222")
	flags.StringVar(&g.key, "key", "", "`FILE` of the key for the hub, if it has keys")
	flags.StringVar(&g.ca, "tls-ca", "", "`FILE` of certificates in PEM that the hub's is signed by (default: those of the system)")
	g.progress.Add(flags)
	if err := commandline.Parse(flags, args, generateSynopsis, stdout); err != nil {
		return err
	}
	g.recipe.Rules = g.rules.Rules
	err := g.check()
	if err == nil && g.hub != "" && commandline.Given(flags)["threads"] {
		err = errors.New("-threads is for games on this machine, and -hub for games on others, whose workers say how many they play at once")
	}
	if err != nil {
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
	case g.key+g.ca != "" && g.hub == "":
		return errors.New("-key and -tls-ca are for -hub")
	case g.from != "" && sameFile(g.from, g.path):
		return fmt.Errorf("-o and -from name the same file %s", g.from)
	}
	return errors.Join(g.recipe.Check(), g.progress.Check())
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
	err = errors.Join(g.play(ctx, about, file, held, meter, stdout), file.Close())
	if errors.Is(err, commandline.ErrInterrupted) {
		_, failed := fmt.Fprintf(stdout, "%s holds %d of %d games; the same command goes on\n", g.path, held.games, g.games)
		err = errors.Join(err, failed)
	}
	return err
}

// play plays the games that are missing in the file, and says what it holds in
// the end.
func (g *generation) play(ctx context.Context, about sample.About, file *selfplay.File, held *counts, meter *progress.Meter, stdout io.Writer) error {
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
	keep := func(games []*sample.Game) error {
		if err := file.Append(games); err != nil {
			return err
		}
		for _, game := range games {
			held.add(game)
			meter.Step(held.brief)
		}
		return nil
	}
	var err error
	if g.hub != "" {
		err = g.overHub(ctx, about, first, end, keep, held.brief, func(err error) { meter.Tell("warning: " + err.Error()) })
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
