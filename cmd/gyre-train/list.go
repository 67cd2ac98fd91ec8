package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
)

const listSynopsis = `usage: gyre-train list FILE ...

Writes the samples of files as text for other programs, a line each: the number of
the game, the turns before the position, the score of the search in centipawns and
the result of the game (-1, 0 or 1), both for the side to move, the rules, and the
position. Tabs stand between them. What is damaged is passed over and told on
standard error; the exit status is 1 then.
`

// runList writes samples as text.
func runList(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("list")
	names, args := commandline.LeadingWords(args)
	err := commandline.Parse(flags, args, listSynopsis, stdout)
	if err == nil && len(names) == 0 {
		err = &commandline.UsageError{Command: "list", Err: errors.New("no file of samples given")}
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	var damages []error
	for _, name := range names {
		damaged, err := listSamples(name, out)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		damages = append(damages, damaged...)
	}
	return errors.Join(append(damages, out.Flush())...)
}

// listSamples writes the samples of a file, and returns where it is damaged.
func listSamples(name string, out io.Writer) (damages []error, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for {
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case damaged:
			damages = append(damages, fmt.Errorf("%s: %w", name, damage))
			continue
		case err == io.EOF:
			return damages, nil
		case err != nil:
			return damages, fmt.Errorf("%s: %w", name, err)
		}
		for i := range g.Samples {
			s := &g.Samples[i]
			if _, err := fmt.Fprintf(out, "%d\t%d\t%d\t%d\t%v\t%v\n", s.Game, s.Ply, s.Score, s.Result, s.Position.Rules(), &s.Position); err != nil {
				return damages, err
			}
		}
	}
}
