package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"gyre/bench/puzzles"
	"gyre/bench/puzzles/compose"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/search/alphabeta"
)

const puzzlesSynopsis = `usage: gyre-train puzzles -o FILE [-grow FILE] [FLAGS]
       gyre-train puzzles -check FILE [-sample N] [FLAGS]

Makes puzzles for people from games of the engine at many levels: positions in
which one turn is right, and every other throws more than a quarter of a point away.
A line of JSON each. What holds with the nodes of -again has to hold with ten times
as many. With -grow the puzzles of a file come first, but for those that do not hold.
How the set of the board's page was made is told in bench/EXPERIMENTS.md.

The same flags make the same file. Nothing is written before all is done, so Ctrl-C
leaves what is there as it is; a file of puzzles is replaced, any other is not.

With -check the puzzles of a file, or a sample of them drawn by the seed, are
searched anew. Those with another turn that is right, or that loses less than a tenth
of a point, are listed; with any the exit status is 1. In a set that was made by the
same engine with a tenth of the nodes in -again there are none.
`

// puzzling is what the command is told.
type puzzling struct {
	recipe     compose.Recipe
	path       string
	grown      string // the file to begin with; empty for none
	checked    string // the file to check
	sample     int
	checkNodes uint64
	hash       int
	progress   progress.Flags
}

// runPuzzles makes puzzles, or checks them.
func runPuzzles(args []string, stdout, stderr io.Writer) error {
	z := &puzzling{recipe: compose.Default}
	flags := commandline.NewFlags("puzzles")
	flags.StringVar(&z.path, "o", "", "`FILE` for the puzzles")
	flags.StringVar(&z.grown, "grow", "", "`FILE` of puzzles to begin with; use another seed than theirs")
	flags.IntVar(&z.recipe.Puzzles, "puzzles", z.recipe.Puzzles, "`number` of puzzles, as many of each theme")
	flags.IntVar(&z.recipe.Games, "games", z.recipe.Games, "most `games` to look for them in")
	flags.Uint64Var(&z.recipe.Seed, "seed", z.recipe.Seed, "`number` that the games, or the sample, are drawn by")
	flags.Uint64Var(&z.recipe.Nodes, "nodes", z.recipe.Nodes, "`nodes` of a search that decides whether a turn is right")
	flags.IntVar(&z.recipe.Lead, "lead", z.recipe.Lead, "`thousandths` of a point by which the right turn leads with -nodes")
	flags.Uint64Var(&z.recipe.Again, "again", z.recipe.Again, "`nodes` of the searches that choose among what is found; 0 for none")
	flags.IntVar(&z.recipe.Hold, "hold", z.recipe.Hold, "`thousandths` of a point by which the right turn leads with -again, and with ten times as many")
	flags.StringVar(&z.checked, "check", "", "`FILE` of puzzles to search anew, in place of making some")
	flags.IntVar(&z.sample, "sample", 0, "check so many `puzzles` at random (default: all)")
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

// check returns what is wrong with the command line.
func (z *puzzling) check() error {
	switch {
	case z.path == "" && z.checked == "":
		return errors.New("where are the puzzles to go? Give -o")
	case z.path != "" && z.checked != "":
		return errors.New("-o makes puzzles, and -check checks those of a file: give one")
	case z.grown != "" && z.checked != "":
		return errors.New("-grow is for making puzzles, and -check makes none: give one")
	case z.sample < 0:
		return fmt.Errorf("a sample of %d puzzles: not positive", z.sample)
	case z.hash < 1:
		return fmt.Errorf("%d MiB of memory: not at least 1", z.hash)
	case z.checkNodes < 1:
		return errors.New("a check needs nodes")
	}
	return errors.Join(z.recipe.Check(), z.progress.Check())
}

// make makes puzzles.
func (z *puzzling) make(stdout, stderr io.Writer) error {
	if err := checkWritable(z.path, puzzles.Mark); err != nil {
		return err
	}
	var set []puzzles.Puzzle
	if z.grown != "" {
		var err error
		if set, err = readPuzzles(z.grown); err != nil {
			return err
		}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	searcher := alphabeta.New(z.hash)
	defer searcher.Close()
	meter := z.progress.Meter("puzzles", stdout, stderr)
	meter.Begin(z.recipe.Puzzles, 0)
	var last compose.Progress
	made, err := compose.Run(ctx, z.recipe, set, searcher, func(p compose.Progress) {
		if p.Puzzles > last.Puzzles {
			meter.Step(func() string { return fmt.Sprintf("%d games; %s", p.Games, p.Themes) })
		}
		last = p
	})
	meter.End()
	if errors.Is(err, commandline.ErrInterrupted) {
		_, failed := fmt.Fprintf(stdout, "nothing is written: there were %s\n", z.origin(last, len(set)))
		return errors.Join(err, failed)
	}
	if err != nil {
		return err
	}
	if err := writeFile(z.path, puzzles.Mark, func(out io.Writer) error { return puzzles.Write(out, made) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %s: %s\n", z.path, z.origin(last, len(set)), last.Themes)
	return err
}

// origin says where the puzzles are from, so many of them from a set with so many.
func (z *puzzling) origin(p compose.Progress, set int) string {
	found := fmt.Sprintf("%d puzzles of %d games", p.Puzzles-p.Kept, p.Games)
	if z.grown == "" {
		return found
	}
	return fmt.Sprintf("%d of the %d puzzles of %s, and %s", p.Kept, set, z.grown, found)
}

// recheck searches the puzzles of a file anew.
func (z *puzzling) recheck(stdout, stderr io.Writer) error {
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
	wrong, err := z.searchAnew(ctx, chosen, stdout, stderr)
	if err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d puzzles have another right turn with %d nodes", z.checked, wrong, len(chosen), z.checkNodes)
	}
	_, err = fmt.Fprintf(stdout, "%s: %d of %d puzzles searched with %d nodes: none has another right turn\n", z.checked, len(chosen), len(all), z.checkNodes)
	return err
}

// readPuzzles reads a file of puzzles. One without any is an error.
func readPuzzles(path string) ([]puzzles.Puzzle, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := puzzles.Read(file)
	if err == nil && len(all) == 0 {
		err = errors.New("it has no puzzle")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// sampleOf draws so many puzzles, fewer than there are, in their order.
func sampleOf(all []puzzles.Puzzle, count int, seed uint64) (chosen []puzzles.Puzzle) {
	drawn := rand.New(rand.NewPCG(seed, 2)).Perm(len(all))[:count]
	slices.Sort(drawn)
	for _, i := range drawn {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// searchAnew lists the puzzles that have another right turn and returns how many do.
func (z *puzzling) searchAnew(ctx context.Context, chosen []puzzles.Puzzle, stdout, stderr io.Writer) (wrong int, err error) {
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
			meter.Tell(fault.Error())
		}
		meter.Step(func() string { return fmt.Sprintf("%d wrong", wrong) })
	}
	return wrong, nil
}
