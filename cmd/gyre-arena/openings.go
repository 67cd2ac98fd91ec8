package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
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
