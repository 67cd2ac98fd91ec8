package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
)

const lossSynopsis = `usage: gyre-train loss FILE ... -from MODEL [FLAGS]

Measures how well a model or weights predict each file of samples: the mean loss per
position on the games that fit holds out with the same -seed and -hold. The entropy of
the targets is subtracted, so 0 is a perfect prediction. The scale of the model is
fitted to the other games, for each file and number of removed rings. Example:

  gyre-train loss first.gyre other.gyre -from search/evaluation/gyre.weights -share 0
`

// measuring holds the command line.
type measuring struct {
	names    []string // sample files
	from     string
	options  fit.Options
	dataset  fit.DatasetOptions
	progress progress.Flags
}

// runLoss runs the command.
func runLoss(args []string, stdout, stderr io.Writer) error {
	m := &measuring{options: fit.Default, dataset: fit.DefaultDataset}
	flags := commandline.NewFlags("loss")
	flags.StringVar(&m.from, "from", "", "`FILE` of a model or weights")
	flags.Float64Var(&m.options.Share, "share", m.options.Share, "`weight` of the game's result in the target, 0 to 1, and one half in the opening; the rest is the search's score")
	flags.Float64Var(&m.options.Scale, "scale", 0, "`centipawns` of the scores per logit; 0 to fit it to the results, for each phase and file")
	flags.Uint64Var(&m.dataset.Seed, "seed", m.dataset.Seed, "random `seed` for the held-out games")
	flags.Float64Var(&m.dataset.Hold, "hold", m.dataset.Hold, "`share` of the games to hold out for validation")
	flags.StringVar(&m.dataset.Folder, "temporary", "", "`FOLDER` for temporary files")
	m.progress.Add(flags)
	names, err := commandline.ParseMixed(flags, args, lossSynopsis, stdout)
	if err != nil {
		return err
	}
	m.names = names
	if err := m.check(); err != nil {
		return &commandline.UsageError{Command: "loss", Err: err}
	}
	return m.run(stdout, stderr)
}

// check reports what is wrong with the command line, or nil.
func (m *measuring) check() error {
	switch {
	case len(m.names) == 0:
		return errors.New("no sample files given")
	case m.from == "":
		return errors.New("no model given; use -from FILE")
	}
	return errors.Join(m.options.Check(), m.dataset.Check())
}

// run prints a line for each file.
func (m *measuring) run(stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	from, err := readModel(m.from)
	if err != nil {
		return err
	}
	m.options.Start = from.model
	text := fmt.Sprintf("%-20s %9s  %8s ", "file", "positions", "loss")
	for phase := range fit.Phases {
		text += fmt.Sprintf(" %8s", fit.PhaseName(phase))
	}
	if _, err := fmt.Fprintln(stdout, text); err != nil {
		return err
	}
	for _, name := range m.names {
		dataset, _, err := readSamples(ctx, []string{name}, m.dataset, m.progress.Meter("MiB", stdout, stderr))
		if err != nil {
			return err
		}
		held, err := fit.Measure(ctx, dataset, m.options)
		if err = errors.Join(err, dataset.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		mean, count := held.Total()
		text := fmt.Sprintf("%-20s %9d  %s ", filepath.Base(name), count, loss(mean))
		for phase := range fit.Phases {
			text += " " + loss(held.Mean(phase))
		}
		if _, err := fmt.Fprintln(stdout, text); err != nil {
			return err
		}
	}
	return nil
}
