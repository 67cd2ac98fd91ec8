package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"gyre/bench/journal"
	"gyre/bench/puzzles"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/position/plaintext"
	"gyre/search/alphabeta"
)

const puzzlesSynopsis = `usage: gyre-train puzzles -o FILE [-grow FILE] [FLAGS]
       gyre-train puzzles -check FILE [-sample N] [FLAGS]

Makes puzzles for people from games of the engine at many levels: positions in which
exactly one turn is right and every other costs more than a quarter of a point. The
output has one JSON object per line. A puzzle must pass searches with the nodes of
-again and with ten times as many. With -grow, the puzzles of a file that pass these
searches come first. bench/EXPERIMENTS.md says how the board's set was made.

The same flags produce the same file. It is written at the end, so Ctrl-C leaves an
existing file unchanged. Files of puzzles are overwritten; other files are not.

With -check the puzzles of a file, or a random sample of them, are searched again.
The command lists puzzles in which another turn is right or loses less than a tenth
of a point. If there are any, the exit status is 1. A set made by the same engine
with a tenth of the nodes in -again passes.
`

// puzzleCommand holds the command line.
type puzzleCommand struct {
	recipe     puzzles.Recipe
	path       string
	initial    string // initial puzzles; "" for none
	checked    string // file to check
	sample     int
	checkNodes uint64
	hash       int
	progress   progress.Flags
}

// runPuzzles runs the command.
func runPuzzles(args []string, stdout, stderr io.Writer) error {
	z := &puzzleCommand{recipe: puzzles.DefaultRecipe}
	flags := commandline.NewFlags("puzzles")
	flags.StringVar(&z.path, "o", "", "output `FILE`")
	flags.StringVar(&z.initial, "grow", "", "`FILE` of puzzles to begin with; use a different -seed than it was made with")
	flags.IntVar(&z.recipe.Puzzles, "puzzles", z.recipe.Puzzles, "`number` of puzzles, divided equally among the themes")
	flags.IntVar(&z.recipe.Games, "games", z.recipe.Games, "maximum number of `games` to search")
	flags.Uint64Var(&z.recipe.Seed, "seed", z.recipe.Seed, "random `seed` of the games or the sample")
	flags.Uint64Var(&z.recipe.Nodes, "nodes", z.recipe.Nodes, "`nodes` of a search that decides whether a turn is right")
	flags.IntVar(&z.recipe.Lead, "lead", z.recipe.Lead, "margin of the right turn with -nodes, in `thousandths` of a point")
	flags.Uint64Var(&z.recipe.Again, "again", z.recipe.Again, "`nodes` of the first check of a candidate; 0 for no checks")
	flags.IntVar(&z.recipe.Hold, "hold", z.recipe.Hold, "margin of the right turn in the checks, in `thousandths` of a point")
	flags.StringVar(&z.checked, "check", "", "check this `FILE` of puzzles instead of making some")
	flags.IntVar(&z.sample, "sample", 0, "check a random sample of this `number` of puzzles (default: all)")
	flags.Uint64Var(&z.checkNodes, "check-nodes", z.recipe.Confirm(), "`nodes` of each search of -check")
	flags.IntVar(&z.hash, "hash", 16, "memory of the search, in `MiB`")
	z.progress.Add(flags)
	if err := commandline.Parse(flags, args, puzzlesSynopsis, stdout); err != nil {
		return err
	}
	if err := z.check(); err != nil {
		return &commandline.UsageError{Command: "puzzles", Err: err}
	}
	if z.checked != "" {
		return z.recheck(stdout, stderr)
	}
	return z.make(stdout, stderr)
}

// check reports what is wrong with the command line, or nil.
func (z *puzzleCommand) check() error {
	switch {
	case z.path == "" && z.checked == "":
		return errors.New("no output file given; use -o FILE")
	case z.path != "" && z.checked != "":
		return errors.New("use either -o or -check")
	case z.initial != "" && z.checked != "":
		return errors.New("-grow makes puzzles and -check does not; use one of them")
	case z.sample < 0:
		return fmt.Errorf("sample of %d puzzles: must be at least 1", z.sample)
	case z.hash < 1:
		return fmt.Errorf("%d MiB of memory: must be at least 1", z.hash)
	case z.checkNodes < 1:
		return errors.New("-check-nodes must be at least 1")
	}
	return z.recipe.Check()
}

// make makes puzzles.
func (z *puzzleCommand) make(stdout, stderr io.Writer) error {
	if err := journal.MayWrite(z.path, puzzles.Mark); err != nil {
		return err
	}
	var set []puzzles.Puzzle
	if z.initial != "" {
		var err error
		if set, err = readPuzzles(z.initial); err != nil {
			return err
		}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	searcher := alphabeta.New(z.hash)
	defer searcher.Close()
	meter := z.progress.Meter("puzzles", stdout, stderr)
	meter.Begin(z.recipe.Puzzles, 0)
	var last puzzles.Progress
	made, err := puzzles.Compose(ctx, z.recipe, set, searcher, func(p puzzles.Progress) {
		if p.Puzzles > last.Puzzles {
			meter.Step(func() string { return fmt.Sprintf("%d games; %s", p.Games, p.Themes) })
		}
		last = p
	})
	meter.End()
	if errors.Is(err, commandline.ErrInterrupted) {
		_, failed := fmt.Fprintf(stdout, "no file was written; found so far: %s\n", z.origin(last, len(set)))
		return errors.Join(err, failed)
	}
	if err != nil {
		return err
	}
	if err := journal.WriteFile(z.path, puzzles.Mark, func(out io.Writer) error { return puzzles.Write(out, made) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %s: %s\n", z.path, z.origin(last, len(set)), last.Themes)
	return err
}

// origin describes where the puzzles come from. set is the size of the initial set.
func (z *puzzleCommand) origin(p puzzles.Progress, set int) string {
	found := fmt.Sprintf("%d puzzles of %d games", p.Puzzles-p.Kept, p.Games)
	if z.initial == "" {
		return found
	}
	return fmt.Sprintf("%d of the %d puzzles of %s, and %s", p.Kept, set, z.initial, found)
}

// recheck searches the puzzles of a file again.
func (z *puzzleCommand) recheck(stdout, stderr io.Writer) error {
	all, err := readPuzzles(z.checked)
	if err != nil {
		return err
	}
	chosen := all
	if z.sample > 0 && z.sample < len(all) {
		chosen = sampleOf(all, z.sample, z.recipe.Seed)
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	wrong, err := z.searchAgain(ctx, chosen, stdout, stderr)
	if err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d puzzles have another right turn with %d nodes", z.checked, wrong, len(chosen), z.checkNodes)
	}
	_, err = fmt.Fprintf(stdout, "%s: searched %d of %d puzzles with %d nodes: all have one right turn\n", z.checked, len(chosen), len(all), z.checkNodes)
	return err
}

// readPuzzles reads a file of puzzles. An empty file is an error.
func readPuzzles(path string) ([]puzzles.Puzzle, error) {
	file, err := commandline.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := puzzles.Read(file)
	if err == nil && len(all) == 0 {
		err = errors.New("no puzzles in this file")
	}
	if err != nil {
		return nil, plaintext.In(path, err)
	}
	return all, nil
}

// sampleOf draws count puzzles, less than all, and keeps their order.
func sampleOf(all []puzzles.Puzzle, count int, seed uint64) (chosen []puzzles.Puzzle) {
	drawn := rand.New(rand.NewPCG(seed, 2)).Perm(len(all))[:count]
	slices.Sort(drawn)
	for _, i := range drawn {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// searchAgain lists the puzzles that have another right turn and returns their number.
func (z *puzzleCommand) searchAgain(ctx context.Context, chosen []puzzles.Puzzle, stdout, stderr io.Writer) (wrong int, err error) {
	searcher := alphabeta.New(z.hash)
	defer searcher.Close()
	judge := puzzles.Judge{Searcher: searcher}
	meter := z.progress.Meter("puzzles", stdout, stderr)
	meter.Begin(len(chosen), 0)
	defer meter.End()
	for i := range chosen {
		fault, err := judge.Recheck(ctx, &chosen[i], z.checkNodes, puzzles.Tolerance)
		if err != nil {
			return wrong, err
		}
		if fault != nil {
			wrong++
			meter.Print(fault.Error())
		}
		meter.Step(func() string { return fmt.Sprintf("%d wrong", wrong) })
	}
	return wrong, nil
}
