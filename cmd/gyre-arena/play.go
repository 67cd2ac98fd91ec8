package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
)

// play plays a match and shows how it goes; write then writes its result. The
// commands that repeat it and go on with it are printed too.
func (c *contest) play(m *match.Match, outline func(*match.Standing) string, write func(*match.Standing) error, stdout, stderr io.Writer) error {
	files := c.files(time.Now())
	if err := c.checkNames(files); err != nil {
		return &commandline.UsageError{Command: c.flags.Name(), Err: err}
	}
	if _, err := fmt.Fprintf(stdout, "games go to %s; to repeat:\n  %s\n", files.Lines, c.repeat("out")); err != nil {
		return err
	}
	if err := writeForecast(stdout, m); err != nil {
		return err
	}
	c.warnRepeats(stderr, m)
	ctx, release := commandline.UntilInterrupted()
	defer release()
	standing, err := c.traced(m, func() (*match.Standing, error) {
		return c.run(ctx, m, files, c.observer(ctx, m, outline, stdout, stderr))
	})
	if standing != nil {
		err = errors.Join(err, write(standing), c.writeRepeats(stdout, m, standing), c.load.write(stdout, standing))
	}
	if standing != nil && !standing.Over() {
		_, failed := fmt.Fprintf(stdout, "to go on:\n  %s\n", c.goOn())
		if _, broken := errors.AsType[*match.BrokenError](err); broken && failed == nil {
			_, failed = fmt.Fprintln(stdout, "with -again the games that an engine's fault decided are played again; with -recover the match goes on after more of them")
		}
		err = errors.Join(err, failed)
	}
	return err
}

// observer returns what shows how a match goes, one run of it or several.
func (c *contest) observer(ctx context.Context, m *match.Match, outline func(*match.Standing) string, stdout, stderr io.Writer) *observer {
	shown := &observer{meter: c.progress.Meter("games", stdout, stderr), total: m.Schedule.Games(), outline: outline, tell: c.tell, faults: map[string]int{}, illegal: map[string]int{}, load: c.load}
	shown.meter.MayEndSooner()
	if deadline, limited := ctx.Deadline(); limited {
		shown.meter.EndsBy(deadline)
	}
	return shown
}

// run plays a match and shows how it goes.
func (c *contest) run(ctx context.Context, m *match.Match, files match.Files, shown *observer) (*match.Standing, error) {
	standing, err := c.load.watched(ctx, shown.Warn, func() (*match.Standing, error) { return m.Run(ctx, files, shown) })
	shown.meter.End()
	return standing, err
}

// traced plays and has all lines between the engines and us go to the file -trace.
func (c *contest) traced(m *match.Match, play func() (*match.Standing, error)) (*match.Standing, error) {
	closeTrace, err := c.openTrace(m)
	if err != nil {
		return nil, err
	}
	standing, err := play()
	return standing, errors.Join(err, closeTrace())
}

// traceMark is what a trace begins with that may be written over.
const traceMark = "# gyre-arena trace: "

// openTrace begins the file -trace, which finish ends.
func (c *contest) openTrace(m *match.Match) (finish func() error, err error) {
	if c.trace == "" {
		return func() error { return nil }, nil
	}
	file, err := journal.Replace(c.trace, traceMark)
	if err != nil {
		return nil, fmt.Errorf("-trace: %w", err)
	}
	began := time.Now()
	_, err = fmt.Fprintf(file, "%sseconds, engine, < from it or > to it, line; begun %s\n", traceMark, began.Format(time.RFC3339))
	if err = errors.Join(err, file.Publish()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	var mu sync.Mutex
	m.Trace = func(engine string, toEngine bool, line string) {
		arrow := "<"
		if toEngine {
			arrow = ">"
		}
		mu.Lock()
		defer mu.Unlock()
		// What went wrong comes with Close.
		_, _ = fmt.Fprintf(file, "%.3f %s %s %s\n", time.Since(began).Seconds(), engine, arrow, line)
	}
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		return file.Close()
	}, nil
}
