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

// course is how a fit goes: it shows each epoch and keeps the best model.
type course struct {
	*fitting
	about  sample.About
	meter  *progress.Meter
	stdout io.Writer
	epochs []*fit.Epoch
	of     int // epochs at most
	kept   bool
}

// run fits the model.
func (c *course) run(ctx context.Context, deck *fit.Deck) error {
	batches, epochs := c.options.Steps(deck)
	c.of = epochs
	c.options.Step = func() { c.meter.Step(func() string { return fmt.Sprintf("epoch %d", len(c.epochs)) }) }
	c.meter.MayEndSooner()
	c.meter.Begin(batches*epochs, 0)
	best, err := fit.Fit(ctx, deck, c.options, c.ended)
	c.meter.End()
	err = errors.Join(err, c.draw())
	switch {
	case c.kept:
		_, failed := fmt.Fprintf(c.stdout, "%s: %s\n", c.path, c.fitted(best))
		err = errors.Join(err, failed)
	case err == nil:
		err = errors.New("no epoch foretold more than nothing does: the samples say nothing, or -rate is too high")
	}
	return err
}

// ended shows an epoch, and keeps its model if it is the best.
func (c *course) ended(e *fit.Epoch) error {
	c.meter.End() // until the next step
	text := ""
	if e.Number == 0 {
		if e.Scale > 0 {
			text = fmt.Sprintf("the scores have %.1f centipawns to a logit\n", e.Scale)
		}
		text += "       loss in the mean             by rings removed\n" +
			"epoch  learned   held out          0        1        2        3        4\n"
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
	if _, err := fmt.Fprintln(c.stdout, text); err != nil {
		return err
	}
	c.epochs = append(c.epochs, e)
	if !e.Best || e.Number == 0 && c.options.Start == nil {
		return nil
	}
	file := model.File{About: append(c.about[:len(c.about):len(c.about)], sample.Field{Name: "fitted", Value: c.fitted(e)}), Model: *e.Model}
	c.kept = true
	return writeFile(c.path, file.Write)
}

// loss writes a loss, if there is one.
func loss(mean float64) string {
	if math.IsNaN(mean) {
		return "       -"
	}
	return fmt.Sprintf("%8.6f", mean)
}

// fitted tells how good an epoch is.
func (c *course) fitted(e *fit.Epoch) string {
	held, _ := e.Held.Total()
	text := fmt.Sprintf("epoch %d of %d, loss held out %.6f", e.Number, c.of, held)
	if e.Scale > 0 {
		text += fmt.Sprintf(", %.1f centipawns of the scores to a logit", e.Scale)
	}
	return text
}

// draw draws the losses, if they are wanted.
func (c *course) draw() error {
	if c.plot == "" || len(c.epochs) == 0 {
		return nil
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(c.plot), "."))
	return writeFile(c.plot, func(out io.Writer) error { return fit.Plot(out, c.epochs, format) })
}
