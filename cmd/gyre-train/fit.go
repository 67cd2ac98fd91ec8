package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/progress"
)

const fitSynopsis = `usage: gyre-train fit FILE ... -o MODEL [FLAGS]

Fits the weights of the evaluation to files of samples: to a mixture of what the
search said of a position and of how its game ended. Games held out tell after
each epoch how good the model is; the best is kept. What the scores of a file mean
is fitted to its results, so files of several engines go together. For example:

  gyre-train fit first.gyre second.gyre -o second.model -plot second.svg

The model is text; the command export makes weights for the engine of it. The same
files and flags make the same model on one kind of processor, whatever the
threads. The positions lie on disk meanwhile, 32 bytes each: 50 million need some
100 MiB of memory. Ctrl-C ends it at any moment, and the best model so far stays.
A model of the name given is replaced, and a picture; any other file is not.
`

// fitting is what the command is told.
type fitting struct {
	names    []string // files of samples
	path     string   // of the model
	plot     string
	from     string
	options  fit.Options
	dataset  fit.DatasetOptions
	progress progress.Flags
	making   []string // the flags that the model depends on, given or not
}

// runFit fits a model.
func runFit(args []string, stdout, stderr io.Writer) error {
	f := &fitting{options: fit.Default, dataset: fit.DefaultDataset}
	flags := commandline.NewFlags("fit")
	flags.Float64Var(&f.options.Share, "share", f.options.Share, "`share` of the game's result in what is predicted, and a half in the opening; the rest is the search's score")
	flags.Float64Var(&f.options.Scale, "scale", 0, "`centipawns` of the scores that make a logit; 0 to fit them first, to the results of each phase in each file")
	flags.Float64Var(&f.options.Unit, "unit", f.options.Unit, "`centipawns` of the model that make a logit")
	flags.IntVar(&f.options.Epochs, "epochs", 0, "`times` that each position is seen; 0 for 5, or more where that makes few steps")
	flags.IntVar(&f.options.Batch, "batch", f.options.Batch, "`positions` that make a step")
	flags.Float64Var(&f.options.Rate, "rate", f.options.Rate, "`rate` of learning at the beginning")
	flags.IntVar(&f.options.Patience, "patience", 0, "`epochs` without getting better after which to stop; 0 for a third of all, at least 2")
	flags.Float64Var(&f.options.Ridge, "ridge", f.options.Ridge, "L2 `penalty` on what an index of a pattern is worth beside its class")
	flags.Float64Var(&f.options.Even, "even", f.options.Even, "L2 `penalty` on what an index is worth to the side to move more than to the other")
	flags.Float64Var(&f.options.Apart, "apart", f.options.Apart, "L2 `penalty` on what a class or an index is worth at a stage beside what it is worth at all")
	flags.Var(&f.options.Patterns, "patterns", "`names` of the patterns to fit, with commas between; the others are worth nothing")
	flags.Uint64Var(&f.dataset.Seed, "seed", f.dataset.Seed, "`number` that the order and the games held out are made from")
	flags.Float64Var(&f.dataset.Hold, "hold", f.dataset.Hold, "`share` of the games to hold out")
	flags.Float64Var(&f.dataset.Keep, "keep", f.dataset.Keep, "`share` of the positions to use, drawn at random")
	var making []string // the flags so far, on which the model depends
	flags.VisitAll(func(each *flag.Flag) { making = append(making, each.Name) })
	flags.StringVar(&f.path, "o", "", "`FILE` for the model")
	flags.StringVar(&f.plot, "plot", "", "`FILE` for a picture of the losses, in SVG or PNG by its name")
	flags.StringVar(&f.from, "from", "", "`FILE` of a model or of weights to begin with")
	flags.StringVar(&f.dataset.Folder, "temporary", "", "`FOLDER` for temporary files")
	flags.IntVar(&f.options.Threads, "threads", runtime.NumCPU(), "`threads`")
	f.progress.Add(flags)
	names, args := commandline.LeadingWords(args)
	if err := commandline.Parse(flags, args, fitSynopsis, stdout); err != nil {
		return err
	}
	f.names = names
	for _, name := range making {
		f.making = append(f.making, "-"+name, flags.Lookup(name).Value.String())
	}
	if err := f.check(); err != nil {
		return &commandline.UsageError{Command: "fit", Err: err}
	}
	return f.run(stdout, stderr)
}

// check returns what is wrong with the command line.
func (f *fitting) check() error {
	format := strings.ToLower(filepath.Ext(f.plot))
	switch {
	case len(f.names) == 0:
		return errors.New("no file of samples given")
	case len(f.names) > fit.MostSources:
		return fmt.Errorf("%d files of samples: at most %d", len(f.names), fit.MostSources)
	case f.path == "":
		return errors.New("where is the model to go? Give -o")
	case f.plot != "" && format != ".svg" && format != ".png":
		return fmt.Errorf("-plot %s: its name ends neither in .svg nor in .png", f.plot)
	case f.plot != "" && sameFile(f.plot, f.path):
		return fmt.Errorf("-o and -plot name the same file %s", f.path)
	case f.from != "" && sameFile(f.from, f.path):
		return fmt.Errorf("-from %s would be lost: give -o another name", f.from)
	}
	return errors.Join(f.options.Check(), f.dataset.Check(), f.progress.Check())
}

// run reads the samples and fits the model.
func (f *fitting) run(stdout, stderr io.Writer) (err error) {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	err = checkWritable(f.path, modelMark)
	if f.plot != "" {
		err = errors.Join(err, checkWritable(f.plot, fit.PlotMark))
	}
	if err != nil {
		return err
	}
	about := sample.About{
		{Name: "made by", Value: "gyre-train fit of Gyre " + engine.Version},
		{Name: "flags", Value: strings.Join(f.making, " ")},
	}
	if f.from != "" {
		m, err := readModel(f.from)
		if err != nil {
			return err
		}
		f.options.Start = m.model
		about = append(about, sample.Field{Name: "begun with", Value: m.String()})
	}
	dataset, sources, err := readSamples(ctx, f.names, f.dataset, f.progress.Meter("MiB", stdout, stderr))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dataset.Close()) }()
	about = append(about, sources.about(dataset)...)
	if _, err := fmt.Fprintln(stdout, "learning from "+about.Value(learnedFrom)); err != nil {
		return err
	}
	r := &fitRun{fitting: f, about: about, meter: f.progress.Meter("batches", stdout, stderr), stdout: stdout}
	return r.run(ctx, dataset)
}
