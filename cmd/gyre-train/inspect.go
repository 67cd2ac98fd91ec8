package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/cmd/internal/sample"
	"gyre/cmd/internal/selfplay"
	"gyre/position"
)

const inspectSynopsis = `usage: gyre-train inspect FILE ... [FLAGS]

Prints how sample files were made and where they are damaged. Then it prints
statistics of all files together: games by result, and positions by phase and by
score, with the results of their games for the side to move, and the share of
repeated positions. The exit status is 1 if a file is damaged.
`

// runInspect runs the command.
func runInspect(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("inspect")
	var shown progress.Flags
	shown.Add(flags)
	names, err := commandline.ParseMixed(flags, args, inspectSynopsis, stdout)
	if err == nil && len(names) == 0 {
		err = &commandline.UsageError{Command: "inspect", Err: errors.New("no sample files given")}
	}
	if err != nil {
		return err
	}
	total := sample.NewStatistics()
	meter := shown.Meter("MiB", stdout, stderr)
	damages := 0
	for _, name := range names {
		n, err := inspect(name, total, meter, stdout)
		if err != nil {
			return err
		}
		damages += n
	}
	if err := total.Write(stdout); err != nil {
		return err
	}
	if damages > 0 {
		return fmt.Errorf("damaged %s", inPlaces(damages))
	}
	return nil
}

// mebibyte is the unit of progress.
const mebibyte = 1 << 20

// inspect counts and describes a file. It returns the number of damaged places.
func inspect(name string, total *sample.Statistics, meter *progress.Meter, stdout io.Writer) (damages int, err error) {
	file, err := commandline.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	r, err := sample.NewReader(file)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	meter.Begin(int(info.Size()/mebibyte), 0)
	of := &counts{}
	var places []string
	shown := int64(0)
	err = r.Each(func(g *sample.Game) error {
		of.add(g)
		total.Add(g)
		for ; shown < r.Offset()/mebibyte; shown++ {
			meter.Step(func() string { return name })
		}
		return nil
	}, func(d *sample.Damage) {
		if damages++; damages <= maxPlaces {
			places = append(places, d.Error())
		}
	})
	meter.End()
	if err != nil {
		return damages, fmt.Errorf("%s: %w", name, err)
	}
	return damages, describe(stdout, name, r.About(), of, places, damages)
}

// inPlaces returns where damage is, such as "in 1 place".
func inPlaces(n int) string {
	if n == 1 {
		return "in 1 place"
	}
	return fmt.Sprintf("in %d places", n)
}

// maxPlaces is the maximum number of damaged places that are listed.
const maxPlaces = 20

// describe prints how a file was made.
func describe(w io.Writer, name string, about sample.About, of *counts, places []string, damages int) error {
	text := fmt.Sprintf("%s: %d games, %v\n", name, of.games, of)
	for _, f := range about {
		text += fmt.Sprintf("  %s: %s\n", f.Name, f.Value)
	}
	for _, place := range places {
		text += "  " + place + "\n"
	}
	if more := damages - len(places); more > 0 {
		text += fmt.Sprintf("  and damaged in %d more\n", more)
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}

// counts counts games by result.
type counts struct {
	games, positions int
	results          [4]int // by position.Result
}

// add counts a game.
func (c *counts) add(g *sample.Game) {
	c.games++
	c.positions += len(g.Samples)
	c.results[g.Result()&3]++
}

// keep returns a function that appends games to a file, counts them, and shows progress.
func (c *counts) keep(file *selfplay.File, meter *progress.Meter) func([]*sample.Game) error {
	return func(games []*sample.Game) error {
		if err := file.Append(games); err != nil {
			return err
		}
		for _, game := range games {
			c.add(game)
			meter.Step(c.brief)
		}
		return nil
	}
}

// sayResume says how to get the missing games of a file, if err says that the user interrupted the command.
func (c *counts) sayResume(err error, stdout io.Writer, path string, total uint) error {
	if !errors.Is(err, commandline.ErrInterrupted) {
		return nil
	}
	_, err = fmt.Fprintf(stdout, "%s holds %d of %d games; repeat the command to resume\n", path, c.games, total)
	return err
}

// share returns the percentage of games with a result.
func (c *counts) share(r position.Result) float64 {
	return 100 * float64(c.results[r]) / float64(max(c.games, 1))
}

// brief formats the counts in few columns, the most important first.
func (c *counts) brief() string {
	return fmt.Sprintf("W %.1f%% B %.1f%%, %d positions", c.share(position.WhiteWins), c.share(position.BlackWins), c.positions)
}

// String formats the counts, without the number of games, on one line.
func (c *counts) String() string {
	return fmt.Sprintf("%d positions, white %.1f%% black %.1f%% drawn %.1f%%",
		c.positions, c.share(position.WhiteWins), c.share(position.BlackWins), c.share(position.Draw))
}

const listSynopsis = `usage: gyre-train list FILE ...

Prints samples as text for other programs, one per line, separated by tabs: the
number of the game, the number of turns before the position, the score of the search
in centipawns and the result of the game (-1, 0 or 1), both for the side to move, the
rules, and the position. Damaged parts are skipped and reported on standard error;
the exit status is then 1.
`

// runList runs the command.
func runList(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("list")
	names, err := commandline.ParseMixed(flags, args, listSynopsis, stdout)
	if err == nil && len(names) == 0 {
		err = &commandline.UsageError{Command: "list", Err: errors.New("no sample files given")}
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

// listSamples prints the samples of a file and returns the damage.
func listSamples(name string, out io.Writer) (damages []error, err error) {
	file, err := commandline.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	err = r.Each(func(g *sample.Game) error {
		for i := range g.Samples {
			s := &g.Samples[i]
			if _, err := fmt.Fprintf(out, "%d\t%d\t%d\t%d\t%v\t%v\n", s.Game, s.Ply, s.Score, s.Result, s.Position.Rules(), &s.Position); err != nil {
				return err
			}
		}
		return nil
	}, func(d *sample.Damage) { damages = append(damages, fmt.Errorf("%s: %w", name, d)) })
	return damages, err
}
