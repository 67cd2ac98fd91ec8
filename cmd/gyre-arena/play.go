package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/load"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
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

// observer shows how the games go. It is a match.Observer, for several goroutines.
type observer struct {
	mu      sync.Mutex // of all that follows
	meter   *progress.Meter
	total   int                          // games of the schedule
	outline func(*match.Standing) string // the score in a line
	tell    func(*match.Standing)        // a hub, of the score; nil without one
	faults  map[string]int               // warnings of faults so far, by engine
	illegal map[string]int               // games so far with illegal lines, by engine
	load    *machineLoad
	begun   bool
}

// mostFaultLines is how many faults of an engine are told one by one.
const mostFaultLines = 5

// Resumed begins, once.
func (o *observer) Resumed(s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun { // a further part of the match
		return
	}
	o.begun = true
	o.told(s)
	if s.Games > 0 {
		o.meter.Say(fmt.Sprintf("going on after %d games", s.Games))
	}
	o.meter.Begin(o.total, s.Games)
}

// Ended shows a game that has ended.
func (o *observer) Ended(line *match.Line, s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if line.Reason.Fault() {
		o.fault(line)
	}
	o.load.ended(line)
	o.lines(line)
	o.told(s)
	o.meter.Step(func() string { return o.outline(s) })
}

// told tells the hub, if there is one.
func (o *observer) told(s *match.Standing) {
	if o.tell != nil {
		o.tell(s)
	}
}

// fault tells of a fault, the first few of each engine.
func (o *observer) fault(line *match.Line) {
	loser := line.Loser()
	o.faults[loser]++
	switch n := o.faults[loser]; {
	case n <= mostFaultLines:
		o.meter.Tell(fmt.Sprintf("game %d: %s loses: %s: %s", line.Game+1, loser, line.Reason, line.Detail))
	case n == mostFaultLines+1:
		o.meter.Tell(fmt.Sprintf("more faults of %s are only counted", loser))
	}
}

// lines tells of turns that are not legal in the lines that engines told: the first of a
// game, and of the first few games of each engine.
func (o *observer) lines(line *match.Line) {
	var told [2]bool
	for i := range line.Turns {
		illegal := line.Turns[i].Illegal
		if illegal == "" {
			continue
		}
		side := line.SideOf(i)
		if told[side] {
			continue
		}
		told[side] = true
		name := [2]string{line.White, line.Black}[side]
		o.illegal[name]++
		if o.illegal[name] <= mostFaultLines {
			o.meter.Tell(fmt.Sprintf("warning: game %d: %s tells a line with %q at turn %d, which is not legal there", line.Game+1, name, illegal, len(line.Opening)+i+1))
		}
	}
}

// Warn tells of what changes no result.
func (o *observer) Warn(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.meter.Tell("warning: " + err.Error())
}

// machineLoad is how the machine kept up with a match. It is nil for a match
// without limits of real time, which it does no harm.
type machineLoad struct {
	watch   *load.Watch   // nil where others play
	answers load.Lateness // beyond their turn's time, of those that were
	factors [2]float64    // the least and the most that times were multiplied by; 0 where none were
}

// newMachineLoad returns that of a match.
func newMachineLoad(m *match.Match) *machineLoad {
	for i := range m.Engines {
		if m.Engines[i].Limits.RealTime() {
			return &machineLoad{watch: load.NewWatch(m.Conditions.Margin)}
		}
	}
	return nil
}

// elsewhere returns that of a match that other machines play.
func (l *machineLoad) elsewhere() *machineLoad {
	if l == nil {
		return nil
	}
	return &machineLoad{}
}

// watched plays and watches the machine meanwhile. warn is called from another
// goroutine.
func (l *machineLoad) watched(ctx context.Context, warn func(error), play func() (*match.Standing, error)) (*match.Standing, error) {
	if l == nil || l.watch == nil {
		return play()
	}
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		l.watch.Run(ctx, func(why string) {
			warn(fmt.Errorf("the machine is overloaded, %s: engines may lose on time by its doing", why))
		})
	})
	defer watching.Wait()
	defer stop()
	return play()
}

// ended counts the late answers of a game, and what its times were multiplied by.
func (l *machineLoad) ended(line *match.Line) {
	if l == nil {
		return
	}
	for _, ms := range line.Late {
		l.answers.Add(time.Duration(ms * float64(time.Millisecond)))
	}
	if f := line.Factor; f > 0 {
		l.factors[0] = min(cmp.Or(l.factors[0], f), f)
		l.factors[1] = max(l.factors[1], f)
	}
}

// write writes how many games ended by time, and how late answers and the arena's
// own timers came.
func (l *machineLoad) write(w io.Writer, s *match.Standing) error {
	if l == nil {
		return nil
	}
	text := fmt.Sprintf("  time    %d of %d games lost by it; ", s.Ends[game.TimeForfeit], s.Games)
	if n := l.answers.Total(); n > 0 {
		text += fmt.Sprintf("%d answers late, median %v, worst %v; ", n, shortLate(l.answers.Median()), shortLate(l.answers.Worst()))
	} else {
		text += "no answer late; "
	}
	if l.watch == nil {
		text = strings.TrimSuffix(text, "; ")
		if l.factors[1] > 0 {
			text += fmt.Sprintf("; times multiplied by %v to %v on the workers", l.factors[0], l.factors[1])
		}
		_, err := fmt.Fprintln(w, text)
		return err
	}
	if timers := &l.watch.Lateness; timers.Total() > 0 {
		text += fmt.Sprintf("the arena's own timers late by %v, worst %v", shortLate(timers.Median()), shortLate(timers.Worst()))
	} else {
		text += "no timer measured"
	}
	if threads, processors, known := l.watch.Threads(); known {
		text += fmt.Sprintf("; %.1f threads for %d processors", threads, processors)
	}
	if why := l.watch.Overloaded(); why != "" {
		text += "\n  load    the machine was overloaded, so losses on time may be its doing: " + why
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// shortLate writes a time to a tenth of a millisecond.
func shortLate(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }

// replaceFile writes a file that comes about whole or not at all. A file that is
// there and does not begin with the mark is somebody else's and stays.
func replaceFile(path, mark string, write func(io.Writer) error) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Publish(), file.Close())
}

// mayReplace returns why replaceFile would refuse a file, and leaves it as it is.
func mayReplace(path, mark string) error {
	file, err := journal.Replace(path, mark)
	if err != nil {
		return err
	}
	return file.Close()
}

// namedFile is a file with the flag that it is named by.
type namedFile struct{ flag, path string }

// checkNames refuses one file for two purposes, of which one is to write to it.
func (c *contest) checkNames(files match.Files) error {
	records := "-records"
	if c.records == "" {
		records = "the records of -out (-records gives them another name, or none)"
	}
	outputs := []namedFile{{"-out", files.Lines}, {records, files.Records}, {"-trace", c.trace}, {"-json", c.json}}
	if o := c.flags.Lookup("o"); o != nil {
		outputs = append(outputs, namedFile{"-o", o.Value.String()})
	}
	if o := c.flags.Lookup("outside"); o != nil {
		outputs = append(outputs, namedFile{"-outside", o.Value.String()})
	}
	inputs := []namedFile{{"-openings", c.book}, {"-config", c.config}}
	for i, output := range outputs {
		for _, other := range append(outputs[i+1:len(outputs):len(outputs)], inputs...) {
			if sameFile(output.path, other.path) {
				return fmt.Errorf("%s is named twice, for %s and for %s", output.path, output.flag, other.flag)
			}
		}
	}
	return nil
}

// sameFile tells whether two names are of one file, which may not be there yet.
// Devices may be named as often as one likes.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	a, err1 = filepath.Abs(a)
	b, err2 = filepath.Abs(b)
	return err1 == nil && err2 == nil && a == b
}
