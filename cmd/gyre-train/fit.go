package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/journal"
	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/progress"
	"gyre/cmd/internal/sample"
	"gyre/search/evaluation"
)

const fitSynopsis = `usage: gyre-train fit FILE ... -o MODEL [FLAGS]

Trains the weights of the evaluation on files of samples. It predicts a mixture of
the search's score and the game's result. After each epoch it measures the loss on
games held out for validation, and it keeps the best model. The scale of the scores
is fitted for each file, so you can combine files of different engines. Example:

  gyre-train fit first.gyre second.gyre -o second.model -plot second.svg
  gyre-train fit first.gyre second.gyre -from second.model -net 32 -o net.model
  gyre-train export net.model -o net.weights
  gyre-train fit other.gyre -from net.weights -tune -rate 0.001 -o tuned.model

The second line fits a net over the crossings to what the patterns leave over. Its
epoch 0 is the patterns alone, scaled by rings removed. Fitting patterns drops the
net of -from. The last line improves a net with other samples.

The model is text; export converts it to weights for the engine. The same files and
flags produce the same model on one kind of processor, at any number of threads.
Positions are stored in temporary files, 32 bytes each. 50 million positions need
about 100 MiB of memory. Ctrl-C stops the fit and keeps the best model so far.
An existing model or plot is overwritten; other files are not.
`

// fitting holds the command line.
type fitting struct {
	names    []string // sample files
	path     string   // output file
	plot     string
	from     string
	options  fit.Options
	dataset  fit.DatasetOptions
	progress progress.Flags
	making   []string // flags that affect the model, with their values
}

// runFit runs the command.
func runFit(args []string, stdout, stderr io.Writer) error {
	f := &fitting{options: fit.Default, dataset: fit.DefaultDataset}
	flags := commandline.NewFlags("fit")
	flags.Float64Var(&f.options.Share, "share", f.options.Share, "`weight` of the game's result in the target, 0 to 1, and one half in the opening; the rest is the search's score")
	flags.Float64Var(&f.options.Scale, "scale", 0, "`centipawns` of the scores per logit; 0 to fit it to the results, for each phase and file")
	flags.Float64Var(&f.options.Unit, "unit", f.options.Unit, "`centipawns` of the model per logit")
	flags.IntVar(&f.options.Epochs, "epochs", 0, "number of `passes` over the positions; 0 for 5, or more for few positions")
	flags.IntVar(&f.options.Batch, "batch", f.options.Batch, "`positions` per step")
	flags.Float64Var(&f.options.Rate, "rate", f.options.Rate, "initial learning `rate`")
	flags.IntVar(&f.options.Patience, "patience", 0, "stop after this number of `epochs` without improvement; 0 for a third of all, at least 2")
	flags.Float64Var(&f.options.Ridge, "ridge", f.options.Ridge, "L2 `penalty` on the difference between a pattern index and its class")
	flags.Float64Var(&f.options.Even, "even", f.options.Even, "L2 `penalty` on the difference between the side to move and the other side")
	flags.Float64Var(&f.options.Apart, "apart", f.options.Apart, "L2 `penalty` on the difference between stages")
	flags.IntVar(&f.options.Units, "net", 0, "fit a net of this number of hidden `units` over the patterns of -from, which stay as they are; 0 to fit patterns")
	flags.BoolVar(&f.options.Tune, "tune", false, "improve the net of -from instead of fitting a new one; use a small -rate, such as 0.001")
	flags.Var(&f.options.Patterns, "patterns", "comma-separated `names` of the patterns to fit; the others get value 0")
	flags.Uint64Var(&f.dataset.Seed, "seed", f.dataset.Seed, "random `seed` for the order and the held-out games")
	flags.Float64Var(&f.dataset.Hold, "hold", f.dataset.Hold, "`share` of the games to hold out for validation")
	flags.Float64Var(&f.dataset.Keep, "keep", f.dataset.Keep, "`share` of the positions to use, chosen at random")
	var making []string // names of the flags so far, which affect the model
	flags.VisitAll(func(each *flag.Flag) { making = append(making, each.Name) })
	flags.StringVar(&f.path, "o", "", "output `FILE` for the model")
	flags.StringVar(&f.plot, "plot", "", "output `FILE` for a plot of the losses, in SVG")
	flags.StringVar(&f.from, "from", "", "initial model: `FILE` of a model or weights")
	flags.StringVar(&f.dataset.Folder, "temporary", "", "`FOLDER` for temporary files")
	flags.IntVar(&f.options.Threads, "threads", runtime.NumCPU(), "number of `threads`")
	f.progress.Add(flags)
	names, err := commandline.ParseMixed(flags, args, fitSynopsis, stdout)
	if err != nil {
		return err
	}
	f.names = names
	for _, name := range making {
		f.making = append(f.making, "-"+name, flags.Lookup(name).Value.String())
	}
	err = f.check()
	if err == nil && (f.options.Units > 0 || f.options.Tune) {
		given := commandline.Given(flags)
		for _, name := range []string{"ridge", "even", "apart", "patterns", "threads"} {
			if given[name] {
				err = fmt.Errorf("-%s has no effect with -net and -tune, which fit no patterns and use one thread; leave it out", name)
			}
		}
	}
	if err != nil {
		return &commandline.UsageError{Command: "fit", Err: err}
	}
	return f.run(stdout, stderr)
}

// check reports what is wrong with the command line, or nil.
func (f *fitting) check() error {
	switch {
	case len(f.names) == 0:
		return errors.New("no sample files given")
	case len(f.names) > fit.MaxSources:
		return fmt.Errorf("%d sample files: at most %d are allowed", len(f.names), fit.MaxSources)
	case f.path == "":
		return errors.New("no output file given; use -o MODEL")
	case f.plot != "" && strings.ToLower(filepath.Ext(f.plot)) != ".svg":
		return fmt.Errorf("-plot %s: plots are SVG, so the name must end in .svg", f.plot)
	case f.plot != "" && commandline.SameFile(f.plot, f.path):
		return fmt.Errorf("-o and -plot name the same file %s", f.path)
	case f.options.Units > 0 && f.options.Tune:
		return errors.New("-net fits a new net and -tune does not; use one of them")
	case f.options.Tune && f.from == "":
		return errors.New("-tune improves the net of a model: give it with -from")
	case f.options.Units > 0 && f.from == "":
		return errors.New("-net adds to the patterns of a model: give it with -from")
	case f.from != "" && commandline.SameFile(f.from, f.path):
		return fmt.Errorf("-o would overwrite -from %s; use another name", f.from)
	}
	return errors.Join(f.options.Check(), f.dataset.Check())
}

// run reads the samples and fits the model.
func (f *fitting) run(stdout, stderr io.Writer) (err error) {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	err = journal.MayWrite(f.path, model.Mark)
	if f.plot != "" {
		err = errors.Join(err, journal.MayWrite(f.plot, fit.PlotMark))
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
		if f.options.Tune && m.model.Net.Units() == 0 {
			return fmt.Errorf("%s has no net to tune; fit one with -net", m.path)
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

// fitRun is a running fit. It prints each epoch and saves the best model.
type fitRun struct {
	*fitting
	about  sample.About
	meter  *progress.Meter
	stdout io.Writer
	epochs []*fit.Epoch
	of     int // maximum number of epochs
	shown  int // the last epoch that was printed
	kept   bool
}

// maxShown is how many epochs are printed, at most, in addition to the first and the last.
const maxShown = 20

// run fits the model.
func (r *fitRun) run(ctx context.Context, dataset *fit.Dataset) error {
	batches, epochs := r.options.Steps(dataset)
	r.of = epochs
	r.options.Step = func() { r.meter.Step(func() string { return fmt.Sprintf("epoch %d", len(r.epochs)) }) }
	r.meter.MayEndSooner()
	r.meter.Begin(batches*epochs, 0)
	best, err := fit.Fit(ctx, dataset, r.options, r.ended)
	r.meter.End()
	if last := len(r.epochs) - 1; last > r.shown {
		err = errors.Join(err, r.show(r.epochs[last]))
	}
	err = errors.Join(err, r.draw())
	switch {
	case r.kept:
		_, failed := fmt.Fprintf(r.stdout, "%s: %s\n", r.path, r.fitted(best))
		err = errors.Join(err, failed)
	case err == nil:
		err = errors.New("no epoch predicts better than a constant: use more games, or a smaller -rate")
	}
	return err
}

// ended prints every epoch, or every nth if there are many, and saves the best model.
func (r *fitRun) ended(e *fit.Epoch) error {
	r.meter.End() // until the next step
	if every := (r.of + maxShown - 1) / maxShown; e.Number%max(1, every) == 0 {
		if err := r.show(e); err != nil {
			return err
		}
	}
	r.epochs = append(r.epochs, e)
	if !e.Best || e.Number == 0 && r.options.Start == nil {
		return nil
	}
	file := model.File{About: append(r.about[:len(r.about):len(r.about)], sample.Field{Name: "fitted", Value: r.fitted(e)}), Model: e.Model}
	err := journal.WriteFile(r.path, model.Mark, file.Write)
	r.kept = r.kept || err == nil
	return err
}

// show prints an epoch, and the scales and column heads before the first.
func (r *fitRun) show(e *fit.Epoch) error {
	r.shown = e.Number
	text := ""
	if e.Number == 0 {
		if scales := r.scales(e); len(scales) > 0 {
			text = "centipawns of the scores per logit: " + strings.Join(scales, "\n    ") + "\n"
		}
		text += "       mean loss per position       by removed rings\n" +
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
	_, err := fmt.Fprintln(r.stdout, text)
	return err
}

// loss formats a loss, or a dash if there is none.
func loss(mean float64) string {
	if math.IsNaN(mean) {
		return "       -"
	}
	return fmt.Sprintf("%8.6f", mean)
}

// fitted describes an epoch.
func (r *fitRun) fitted(e *fit.Epoch) string {
	held, _ := e.Held.Total()
	text := fmt.Sprintf("epoch %d of %d, loss held out %.6f", e.Number, r.of, held)
	if scales := r.scales(e); len(scales) > 0 {
		text += "; centipawns of the scores per logit: " + strings.Join(scales, "; ")
	}
	return text
}

// scales lists the scales of the scores. If there are several files, each with its own scales, it
// names the files.
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

// draw writes the plot, if requested.
func (r *fitRun) draw() error {
	if r.plot == "" || len(r.epochs) == 0 {
		return nil
	}
	if err := journal.WriteFile(r.plot, fit.PlotMark, func(out io.Writer) error { return fit.Plot(out, r.epochs) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.stdout, "wrote the curves of %d epochs to %s\n", len(r.epochs), r.plot)
	return err
}

// source is a sample file to learn from.
type source struct {
	path     string
	number   int // from 0
	size     int64
	about    sample.About
	checksum uint64 // xxh3 of the whole file
	heldOut  int    // number of held-out games
	counts   counts
	damages  int
}

// sources are the files of a fit.
type sources []*source

// readSamples reads sample files into a dataset. It reports damage and skips it. The caller must close
// the dataset.
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

// openSources reads the headers of files. It rejects files with the same header, because they contain
// the same games.
func openSources(paths []string) (all sources, err error) {
	for _, path := range paths {
		s := &source{path: path}
		if err := s.open(); err != nil {
			return nil, err
		}
		for _, other := range all {
			if len(s.about.Differences(other.about)) == 0 {
				return nil, fmt.Errorf("%s and %s were made by the same command and contain the same games; leave one out", other.path, path)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// open reads the header of the file.
func (s *source) open() error {
	file, err := commandline.OpenRegular(s.path)
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

// read adds the samples of the file to dataset.
func (s *source) read(ctx context.Context, dataset *fit.Dataset, o *fit.DatasetOptions, meter *progress.Meter) error {
	file, err := commandline.OpenRegular(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(file, hash))
	if err != nil {
		return err
	}
	shown := int64(0)
	err = r.Each(func(g *sample.Game) error {
		for ; shown < r.Offset()/mebibyte; shown++ {
			meter.Step(func() string { return s.path })
		}
		return errors.Join(s.add(g, dataset, o), context.Cause(ctx))
	}, func(d *sample.Damage) {
		if s.damages++; s.damages <= maxPlaces {
			meter.Print(s.path + ": " + d.Error())
		}
	})
	s.checksum = hash.Sum64()
	return err
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

// examples converts the samples of a game. If a proven score differs from the game's result, a random
// turn changed the result later; the sample and earlier ones then have no result. In the opening no
// search sees far enough, so the score is taken from the first sample leastLater to maxLater plies
// later, if the game has one.
func examples(g *sample.Game) (list []*fit.Example) {
	slipped := false
	for i := range slices.Backward(g.Samples) {
		one := &g.Samples[i]
		proven := one.Score == sample.MaxScore || one.Score == -sample.MaxScore
		if proven {
			slipped = int(one.Score) != sample.MaxScore*int(one.Result)
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

// How many plies later the score of an opening position is taken.
const leastLater, maxLater = 12, 16

// laterScore returns the score of the first sample, or in the opening the score of a later sample from
// the same point of view.
func laterScore(samples []sample.Sample) int {
	one := &samples[0]
	us := one.Position.SideToMove()
	if evaluation.StageOf(&one.Position, us) != evaluation.Opening {
		return int(one.Score)
	}
	for _, later := range samples {
		switch {
		case later.Ply > one.Ply+maxLater:
			return int(one.Score)
		case later.Ply >= one.Ply+leastLater && later.Position.SideToMove() == us:
			return int(later.Score)
		case later.Ply >= one.Ply+leastLater:
			return -int(later.Score)
		}
	}
	return int(one.Score)
}

// learnedFrom is the name of the field that counts the positions.
const learnedFrom = "learned from"

// about describes what was learned from.
func (all sources) about(dataset *fit.Dataset) (a sample.About) {
	games, heldOut := 0, 0
	for i, s := range all {
		games += s.counts.games
		heldOut += s.heldOut
		value := fmt.Sprintf("%s, xxh3 %016x: %d games, %v", filepath.Base(s.path), s.checksum, s.counts.games, &s.counts)
		if s.damages > 0 {
			value += ", damaged " + inPlaces(s.damages)
		}
		for _, f := range s.about {
			value += "; " + f.Name + ": " + f.Value
		}
		a = append(a, sample.Field{Name: fmt.Sprintf("samples %d", i+1), Value: value})
	}
	return append(a, sample.Field{Name: learnedFrom, Value: fmt.Sprintf("%d positions of %d games; held out: %d positions of %d games",
		dataset.Learned(), games-heldOut, dataset.Held(), heldOut)})
}

const exportSynopsis = `usage: gyre-train export FILE -o FILE [-about TEXT]

Converts a model to weights for the engine's option EvalFile, or weights to a model.
The type of the first file decides. For weights it also writes a text file about
their provenance, with .txt added to the name. A model is text that you can read and
edit. If you edit a model, the error about its checksum shows the new last line. The
same model produces the same weights on every machine. Existing weights or models
are overwritten; other files are not. Examples:

  gyre-train export second.model -o second.weights
  gyre-train export second.weights -o again.model
`

// runExport runs the command.
func runExport(args []string, stdout, _ io.Writer) error {
	flags := commandline.NewFlags("export")
	path := flags.String("o", "", "output `FILE`")
	about := flags.String("about", "", "one-line `TEXT` stored in the weights (default: what they were learned from)")
	names, err := commandline.ParseMixed(flags, args, exportSynopsis, stdout)
	if err == nil {
		err = checkExport(names, *path)
	}
	if err != nil {
		return err
	}
	from, err := readModel(names[0])
	if err != nil {
		return err
	}
	if from.weights != nil {
		if *about != "" {
			return &commandline.UsageError{Command: "export", Err: fmt.Errorf("-about has no effect because %s is converted to a model; leave it out", from.path)}
		}
		return exportModel(from, *path, stdout)
	}
	return exportWeights(from, *path, *about, stdout)
}

// checkExport reports what is wrong with the command line, or nil.
func checkExport(names []string, path string) error {
	var err error
	switch {
	case len(names) == 0:
		err = errors.New("no model or weights given")
	case len(names) > 1:
		err = fmt.Errorf("unexpected argument %q", names[1])
	case path == "":
		err = errors.New("no output file given; use -o FILE")
	default:
		return nil
	}
	return &commandline.UsageError{Command: "export", Err: err}
}

// exportModel converts weights to a model.
func exportModel(from *modelFile, path string, stdout io.Writer) error {
	file := &model.File{Model: from.model, About: sample.About{{Name: "made of", Value: "weights " + from.String()}}}
	if from.weights.About != "" {
		file.About = append(file.About, sample.Field{Name: "about them", Value: from.weights.About})
	}
	if err := journal.WriteFile(path, model.Mark, file.Write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s: model of the weights in %s\n", path, from.path)
	return err
}

// exportWeights converts a model to weights.
func exportWeights(from *modelFile, path, about string, stdout io.Writer) error {
	if about == "" {
		about = fmt.Sprintf("%s; learned from %s", from, from.about.Value(learnedFrom))
	}
	weights, err := from.model.Quantize(about)
	if err != nil {
		return fmt.Errorf("%s: %w", from.path, err)
	}
	var file bytes.Buffer
	if err := weights.Write(&file); err != nil {
		return err
	}
	origin := provenance(from, filepath.Base(path), about, xxh3.Hash(file.Bytes()))
	// Write the text first, so that weights never exist without it.
	if err := journal.MayWrite(path, evaluation.FileMark); err != nil {
		return err
	}
	if err := journal.WriteFile(path+".txt", originMark, func(out io.Writer) error { _, err := io.WriteString(out, origin); return err }); err != nil {
		return err
	}
	if err := journal.WriteFile(path, evaluation.FileMark, func(out io.Writer) error { _, err := out.Write(file.Bytes()); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d bytes, xxh3 %016x; their provenance is in %s.txt\n", path, file.Len(), xxh3.Hash(file.Bytes()), path)
	return err
}

// provenance returns the text about weights.
func provenance(from *modelFile, name, about string, checksum uint64) string {
	text := name + originMark + "\n"
	for _, f := range append(sample.About{
		{Name: "checksum", Value: fmt.Sprintf("xxh3 %016x", checksum)},
		{Name: "about", Value: about},
		{Name: "rounded", Value: model.Rounding()},
		{Name: "model", Value: from.String()},
	}, from.about...) {
		text += fmt.Sprintf("%s: %s\n", f.Name, f.Value)
	}
	return text
}
