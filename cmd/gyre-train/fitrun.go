package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/gyre-train/internal/model"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/progress"
)

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
