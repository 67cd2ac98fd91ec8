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

Makes random openings, one per line, for -openings of other commands:

  gyre-arena openings -count 500 -o openings.txt

All or some rings are placed at random; if all are placed, random turns follow.
The openings are distinct up to the 12 symmetries of the board. An opening is
kept only if a search sees no side ahead by more than a bound. The same flags
make the same openings on any machine.
`

// runOpenings makes openings.
func runOpenings(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("openings")
	recipe := openings.Default
	var rules commandline.Rules
	count := flags.Int("count", 0, "`number` of openings")
	path := flags.String("o", "", "`FILE` for the openings (default: standard output)")
	flags.Uint64Var(&recipe.Seed, "seed", recipe.Seed, "seed, a whole `number`")
	recipeFlags(flags, &recipe)
	flags.Var(&rules, "rules", commandline.RulesHelp)
	if err := commandline.Parse(flags, args, openingsSynopsis, stdout); err != nil {
		return err
	}
	recipe.Rules = rules.Rules
	generator, err := openings.NewGenerator(recipe)
	if *count < 1 {
		err = errors.Join(errors.New("the number of openings is missing; give -count"), err)
	}
	if err != nil {
		return &commandline.UsageError{Command: "openings", Err: err}
	}
	if *path == "" {
		return writeOpenings(stdout, generator, recipe, *count)
	}
	return replaceFile(*path, openingsMark, func(w io.Writer) error { return writeOpenings(w, generator, recipe, *count) })
}

// openingsMark is the start of a file of openings. A file without it is not
// overwritten.
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

Makes the table of the board's opening explorer:

  gyre-arena explore -o cmd/gyre-board/page/parts/explorer/openings.txt

The engine plays itself. For each position of the openings, the table holds the
number of games that reached it, White's result, and the score of a search.
Symmetric positions are one. The same flags and the same version of the engine
make the same table on any machine. The first line names the flags and the version:
its search, by the signature of gyre bench, and its weights.
`

// exploreMark is the start of a table. A file without it is not overwritten.
const exploreMark = "# gyre-arena explore: "

// runExplore makes a table of openings.
func runExplore(args []string, stdout, stderr io.Writer) error {
	e := openings.DefaultExploration
	var rules commandline.Rules
	var meter progress.Flags
	flags := commandline.NewFlags("explore")
	path := flags.String("o", "", "`FILE` for the table (default: standard output)")
	threads := flags.Int("threads", runtime.NumCPU(), "`games` at the same time")
	flags.Uint64Var(&e.Seed, "seed", e.Seed, "seed, a whole `number`")
	flags.IntVar(&e.Games, "games", e.Games, "`number` of games")
	flags.Uint64Var(&e.Nodes, "nodes", e.Nodes, "`nodes` of the search for a turn")
	flags.IntVar(&e.Plies, "plies", e.Plies, "`turns` at the start of each game that are counted")
	flags.Float64Var(&e.Slips, "slips", e.Slips, "`probability` that one of these turns is random")
	flags.IntVar(&e.MinGames, "least", e.MinGames, "omit positions with fewer `games`")
	flags.Uint64Var(&e.ScoreNodes, "judge-nodes", e.ScoreNodes, "`nodes` of the search that scores a position")
	flags.Var(&rules, "rules", commandline.RulesHelp)
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
	if *path != "" { // before the games, not after them
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

// writeExplored writes the table.
func writeExplored(w io.Writer, e openings.Exploration, found []openings.Explored) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%v; %s\n", exploreMark, e, engineName())
	for _, x := range found {
		fmt.Fprintln(out, x)
	}
	return out.Flush()
}
