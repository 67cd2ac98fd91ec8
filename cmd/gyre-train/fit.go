package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/progress"
	"gyre/search/evaluation"
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

// fitRun is a fit under way: it shows each epoch and keeps the best model.
type fitRun struct {
	*fitting
	about  sample.About
	meter  *progress.Meter
	stdout io.Writer
	epochs []*fit.Epoch
	of     int // epochs, at most
	kept   bool
}

// run fits the model.
func (r *fitRun) run(ctx context.Context, dataset *fit.Dataset) error {
	batches, epochs := r.options.Steps(dataset)
	r.of = epochs
	r.options.Step = func() { r.meter.Step(func() string { return fmt.Sprintf("epoch %d", len(r.epochs)) }) }
	r.meter.MayEndSooner()
	r.meter.Begin(batches*epochs, 0)
	best, err := fit.Fit(ctx, dataset, r.options, r.ended)
	r.meter.End()
	err = errors.Join(err, r.draw())
	switch {
	case r.kept:
		_, failed := fmt.Fprintf(r.stdout, "%s: %s\n", r.path, r.fitted(best))
		err = errors.Join(err, failed)
	case err == nil:
		err = errors.New("no epoch predicts more than nothing does: the samples say nothing, or -rate is too high")
	}
	return err
}

// ended shows an epoch, and keeps its model if it is the best.
func (r *fitRun) ended(e *fit.Epoch) error {
	r.meter.End() // until the next step
	text := ""
	if e.Number == 0 {
		if scales := r.scales(e); len(scales) > 0 {
			text = "centipawns of the scores to a logit: " + strings.Join(scales, "\n    ") + "\n"
		}
		text += "       loss in the mean             by rings removed\n" +
			"epoch  learned   held out   "
		for phase := range fit.Phases {
			text += fmt.Sprintf(" %8s", fit.PhaseName(phase))
		}
		text += "\n"
	}
	learned, _ := e.Learned.Total()
	held, _ := e.Held.Total()
	mark := ' '
	if e.Best {
		mark = '*'
	}
	text += fmt.Sprintf("%5d  %s  %s %c", e.Number, loss(learned), loss(held), mark)
	for phase := range fit.Phases {
		text += " " + loss(e.Held.Mean(phase))
	}
	if _, err := fmt.Fprintln(r.stdout, text); err != nil {
		return err
	}
	r.epochs = append(r.epochs, e)
	if !e.Best || e.Number == 0 && r.options.Start == nil {
		return nil
	}
	file := model.File{About: append(r.about[:len(r.about):len(r.about)], sample.Field{Name: "fitted", Value: r.fitted(e)}), Model: e.Model}
	err := writeFile(r.path, modelMark, file.Write)
	r.kept = r.kept || err == nil
	return err
}

// loss writes a loss, if there is one.
func loss(mean float64) string {
	if math.IsNaN(mean) {
		return "       -"
	}
	return fmt.Sprintf("%8.6f", mean)
}

// fitted tells how good an epoch is.
func (r *fitRun) fitted(e *fit.Epoch) string {
	held, _ := e.Held.Total()
	text := fmt.Sprintf("epoch %d of %d, loss held out %.6f", e.Number, r.of, held)
	if scales := r.scales(e); len(scales) > 0 {
		text += "; centipawns of the scores to a logit: " + strings.Join(scales, "; ")
	}
	return text
}

// scales tells the scales of the scores: of each file, if there are several and each has
// its own.
func (r *fitRun) scales(e *fit.Epoch) (list []string) {
	for source := range e.Scales {
		scales := &e.Scales[source]
		switch {
		case !scales.Known():
		case len(e.Scales) == 1 || r.options.Scale > 0:
			return []string{scales.String()}
		default:
			list = append(list, fmt.Sprintf("%s: %v", filepath.Base(r.names[source]), scales))
		}
	}
	return list
}

// draw draws the losses, if they are wanted.
func (r *fitRun) draw() error {
	if r.plot == "" || len(r.epochs) == 0 {
		return nil
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(r.plot), "."))
	return writeFile(r.plot, fit.PlotMark, func(out io.Writer) error { return fit.Plot(out, r.epochs, format) })
}

// source is a file of samples that is learned from.
type source struct {
	path     string
	number   int // from 0
	size     int64
	about    sample.About
	checksum uint64 // xxh3 of the whole file
	heldOut  int    // of the games
	counts   counts
	damages  int
}

// sources are all of a fit.
type sources []*source

// readSamples reads the samples of files into a dataset. Damage is told and passed
// over. The caller closes the dataset.
func readSamples(ctx context.Context, paths []string, o fit.DatasetOptions, meter *progress.Meter) (*fit.Dataset, sources, error) {
	all, err := openSources(paths)
	if err != nil {
		return nil, nil, err
	}
	total := int64(0)
	for _, s := range all {
		total += s.size
	}
	o.Expected = int(total / sample.Size)
	dataset, err := fit.NewDataset(o)
	if err != nil {
		return nil, nil, err
	}
	meter.Begin(int(total/mebibyte), 0)
	defer meter.End()
	for source, s := range all {
		s.number = source
		if err := s.read(ctx, dataset, &o, meter); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", s.path, err), dataset.Close())
		}
	}
	return dataset, all, nil
}

// openSources looks at the heads of files. Two that were made alike hold the
// same games: to learn from both would count them twice.
func openSources(paths []string) (all sources, err error) {
	for _, path := range paths {
		s := &source{path: path}
		if err := s.open(); err != nil {
			return nil, err
		}
		for _, other := range all {
			if len(s.about.Differences(other.about)) == 0 {
				return nil, fmt.Errorf("%s and %s were made by the same command: they hold the same games", other.path, path)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// open reads the head of the file.
func (s *source) open() error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	r, err := sample.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.size, s.about = info.Size(), r.About()
	return nil
}

// read reads the samples of the file.
func (s *source) read(ctx context.Context, dataset *fit.Dataset, o *fit.DatasetOptions, meter *progress.Meter) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(file, hash))
	if err != nil {
		return err
	}
	for shown := int64(0); ; {
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case damaged:
			if s.damages++; s.damages <= mostPlaces {
				meter.Tell(s.path + ": " + damage.Error())
			}
		case err == io.EOF:
			s.checksum = hash.Sum64()
			return nil
		case err != nil:
			return err
		default:
			if err := s.add(g, dataset, o); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for ; shown < r.Offset()/mebibyte; shown++ {
			meter.Step(func() string { return s.path })
		}
	}
}

// add adds the samples of a game.
func (s *source) add(g *sample.Game, dataset *fit.Dataset, o *fit.DatasetOptions) error {
	s.counts.add(g)
	if o.HeldOut(g.Number) {
		s.heldOut++
	}
	for _, e := range examples(g) {
		e.Source = s.number
		if err := dataset.Add(e, g.Number); err != nil {
			return err
		}
	}
	return nil
}

// examples returns what is to learn from the samples of a game. A proven score that
// the game did not come to was lost by a slip, a turn made at random: neither that
// position nor those before it have a result. In the opening no search sees what
// comes of a position: there the score is that of the first sample leastLater to
// mostLater plies later, if the game has one.
func examples(g *sample.Game) (list []*fit.Example) {
	slipped := false
	for i := range slices.Backward(g.Samples) {
		one := &g.Samples[i]
		proven := one.Score == sample.MostScore || one.Score == -sample.MostScore
		if proven {
			slipped = int(one.Score) != sample.MostScore*int(one.Result)
		}
		e := fit.NewExample(&one.Position, laterScore(g.Samples[i:]), int(one.Result))
		if slipped {
			e.Result = fit.NoResult
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	return list
}

// How many plies later the score of a position in the opening is taken.
const leastLater, mostLater = 12, 16

// laterScore returns the score of the first of some samples, or in the opening that
// of a later one for the same side.
func laterScore(samples []sample.Sample) int {
	one := &samples[0]
	us := one.Position.SideToMove()
	if evaluation.StageOf(&one.Position, us) != evaluation.Opening {
		return int(one.Score)
	}
	for _, later := range samples {
		switch {
		case later.Ply > one.Ply+mostLater:
			return int(one.Score)
		case later.Ply >= one.Ply+leastLater && later.Position.SideToMove() == us:
			return int(later.Score)
		case later.Ply >= one.Ply+leastLater:
			return -int(later.Score)
		}
	}
	return int(one.Score)
}

// learnedFrom names the field that counts what was learned from.
const learnedFrom = "learned from"

// about returns what was learned from.
func (all sources) about(dataset *fit.Dataset) (a sample.About) {
	games, heldOut := 0, 0
	for i, s := range all {
		games += s.counts.games
		heldOut += s.heldOut
		value := fmt.Sprintf("%s, xxh3 %016x: %d games, %v", filepath.Base(s.path), s.checksum, s.counts.games, &s.counts)
		if s.damages > 0 {
			value += fmt.Sprintf(", damaged in %d places", s.damages)
		}
		for _, f := range s.about {
			value += "; " + f.Name + ": " + f.Value
		}
		a = append(a, sample.Field{Name: fmt.Sprintf("samples %d", i+1), Value: value})
	}
	return append(a, sample.Field{Name: learnedFrom, Value: fmt.Sprintf("%d positions of %d games; held out are %d positions of %d games",
		dataset.Learned(), games-heldOut, dataset.Held(), heldOut)})
}
