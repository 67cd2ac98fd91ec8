package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"

	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
)

const openingsSynopsis = `usage: gyre-arena openings -count N [-o FILE] [FLAGS]

Makes openings: rings placed at random, all or some of them, after all of them some
random turns, distinct up to the 12 symmetries of the board, and kept only if a search
sees no side ahead by more than a bound. The same flags make the same openings on any
machine. They come as turns, one opening a line, as -openings of the other commands
takes them.
`

// runOpenings makes openings.
func runOpenings(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("openings")
	recipe := openings.Default
	var rules commandline.Rules
	count := flags.Int("count", 0, "`number` of openings")
	path := flags.String("o", "", "`FILE` for them (default: standard output)")
	flags.Uint64Var(&recipe.Seed, "seed", recipe.Seed, "`number` that they are made from")
	recipeFlags(flags, &recipe)
	flags.Var(&rules, "rules", "`standard` or blitz")
	if err := commandline.Parse(flags, args, openingsSynopsis, stdout); err != nil {
		return err
	}
	recipe.Rules = rules.Rules
	generator, err := openings.NewGenerator(recipe)
	if *count < 1 {
		err = errors.Join(errors.New("how many openings? Give -count"), err)
	}
	if err != nil {
		return &commandline.UsageError{Command: "openings", Err: err}
	}
	if *path == "" {
		return writeOpenings(stdout, generator, recipe, *count)
	}
	return replaceFile(*path, openingsMark, func(w io.Writer) error { return writeOpenings(w, generator, recipe, *count) })
}

// openingsMark is what a file of openings begins with that may be written over.
const openingsMark = "# gyre-arena openings: "

// writeOpenings writes the first openings of a generator.
func writeOpenings(w io.Writer, generator *openings.Generator, recipe openings.Recipe, count int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%d, %s\n", openingsMark, count, recipe)
	for i := range count {
		o, err := generator.Opening(i)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		fmt.Fprintln(out, openings.Format(o))
	}
	return out.Flush()
}

const exploreSynopsis = `usage: gyre-arena explore [-o FILE] [FLAGS]

Makes the table of the board's opening explorer: the engine plays itself, and of each
position of the openings it is counted how many games came to it and what White made of
them, with a search's score; symmetries of the board count as one. The same flags make
the same table on any machine. The page's own was made so:

  gyre-arena explore -o cmd/gyre-board/page/parts/explorer/openings.txt
`

// exploreMark is what a table begins with that may be written over.
const exploreMark = "# gyre-arena explore: "

// runExplore makes a table of openings.
func runExplore(args []string, stdout, stderr io.Writer) error {
	e := openings.DefaultExploration
	var rules commandline.Rules
	var meter progress.Flags
	flags := commandline.NewFlags("explore")
	path := flags.String("o", "", "`FILE` for the table (default: standard output)")
	threads := flags.Int("threads", runtime.NumCPU(), "`games` at once")
	flags.Uint64Var(&e.Seed, "seed", e.Seed, "`number` that the games are made from")
	flags.IntVar(&e.Games, "games", e.Games, "`number` of games")
	flags.Uint64Var(&e.Nodes, "nodes", e.Nodes, "`nodes` of the search for a turn")
	flags.IntVar(&e.Plies, "plies", e.Plies, "`turns` of each game that count")
	flags.Float64Var(&e.Slips, "slips", e.Slips, "`chance` that one of these turns is a random one")
	flags.IntVar(&e.Least, "least", e.Least, "positions of fewer `games` are left out")
	flags.Uint64Var(&e.Judged, "judge-nodes", e.Judged, "`nodes` of the search that scores a position")
	flags.Var(&rules, "rules", "`standard` or blitz")
	meter.Add(flags)
	if err := commandline.Parse(flags, args, exploreSynopsis, stdout); err != nil {
		return err
	}
	e.Rules = rules.Rules
	if err := e.Check(); err != nil {
		return &commandline.UsageError{Command: "explore", Err: err}
	}
	if err := meter.Check(); err != nil {
		return &commandline.UsageError{Command: "explore", Err: err}
	}
	if *path != "" { // before all the games, not after them
		if err := mayReplace(*path, exploreMark); err != nil {
			return err
		}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	bar := meter.Meter("games", stderr, stderr)
	bar.Begin(e.Games, 0)
	found, err := e.Run(ctx, *threads, func(done, of int) {
		if done <= e.Games {
			bar.Step(func() string { return fmt.Sprintf("%d of %d games", done, e.Games) })
		}
	})
	bar.End()
	if err != nil {
		return err
	}
	if *path == "" {
		return writeExplored(stdout, e, found)
	}
	return replaceFile(*path, exploreMark, func(w io.Writer) error { return writeExplored(w, e, found) })
}

// writeExplored writes a table.
func writeExplored(w io.Writer, e openings.Exploration, found []openings.Explored) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%v\n", exploreMark, e)
	for _, x := range found {
		fmt.Fprintln(out, x)
	}
	return out.Flush()
}
