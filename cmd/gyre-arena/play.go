package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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

// prepare checks all output files, and then builds engines that are given by their
// sources. It returns the files of the games.
func (c *matchConfig) prepare(m *match.Match, stdout io.Writer, outputs ...output) (match.Files, error) {
	files := c.files(time.Now())
	if err := c.checkOutputs(files, outputs...); err != nil {
		return files, err
	}
	return files, c.buildEngines(m, stdout)
}

// play prepares and plays a match, on the workers of -hub if it is given. It shows the
// progress with outline, calls write for the result, and prints the commands that repeat
// and resume the match.
func (c *matchConfig) play(m *match.Match, outline func(*match.Standing) string, write func(*match.Standing) error, stdout, stderr io.Writer, outputs ...output) error {
	files, err := c.prepare(m, stdout, outputs...)
	if err != nil {
		return err
	}
	disconnect, err := c.useHub(m, outline, stdout, stderr)
	if err != nil {
		return err
	}
	defer disconnect()
	ctx, release := commandline.UntilInterrupted()
	defer release()
	shown := c.observer(ctx, m, outline, stdout, stderr)
	shown.announce = func() error {
		_, err := fmt.Fprintf(stdout, "games go to %s; repeat with:\n  %s\n", named(files), c.repeat("out"))
		err = cmp.Or(err, writeForecast(stdout, m))
		c.warnRepeats(stderr, m)
		return err
	}
	closeTrace, err := c.openTrace(m)
	if err != nil {
		return err
	}
	standing, err := c.run(ctx, m, files, shown)
	err = errors.Join(err, closeTrace())
	if standing != nil {
		err = errors.Join(err, write(standing), c.writeRepeats(stdout, m, standing), c.load.write(stdout, standing))
	}
	if standing != nil && !standing.Over() {
		_, failed := fmt.Fprintf(stdout, "resume with:\n  %s\n", c.resume())
		if _, broken := errors.AsType[*match.BrokenError](err); broken && failed == nil {
			_, failed = fmt.Fprintln(stdout, "-again replays the games that an engine's fault decided; -recover continues the match after more of them")
		}
		err = errors.Join(err, failed)
	}
	return err
}

// observer returns the observer that shows the progress of a match, in one run or
// several.
func (c *matchConfig) observer(ctx context.Context, m *match.Match, outline func(*match.Standing) string, stdout, stderr io.Writer) *observer {
	shown := &observer{meter: c.progress.Meter("games", stdout, stderr), total: m.Schedule.Games(), outline: outline, publish: c.publish, faults: map[string]int{}, illegal: map[string]int{}, load: c.load}
	shown.meter.MayEndSooner()
	if deadline, limited := ctx.Deadline(); limited {
		shown.meter.EndsBy(deadline)
	}
	return shown
}

// run plays a match and shows its progress.
func (c *matchConfig) run(ctx context.Context, m *match.Match, files match.Files, shown *observer) (*match.Standing, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shown.cancel, m.Setup = cancel, c.setup()
	unwatch := c.load.begin(ctx, shown.Warn)
	standing, err := m.Run(ctx, files, shown)
	unwatch()
	shown.meter.End()
	return standing, err
}

// saveSummary writes the summary of a match to the file -json, if it is given. rating is that of
// the engine on the ladder; nil for other commands.
func (c *matchConfig) saveSummary(stdout io.Writer, s *ratedStanding, m *match.Match, rating *number) error {
	if c.json == "" || s == nil {
		return nil
	}
	out := newSummary(c.flags.Name(), s, m.Test)
	over := s.Over()
	out.Over, out.Rating = &over, rating
	return saveSummary(stdout, c.json, out)
}

// traceMark is the start of a trace. A file without it is not overwritten.
const traceMark = "# gyre-arena trace: "

// openTrace writes all lines to and from the engines of a match to the file -trace, after those of
// earlier runs, until finish is called. The trace has a lock of its own, because the engines are
// checked before the file of games is locked.
func (c *matchConfig) openTrace(m *match.Match) (finish func() error, err error) {
	if c.trace == "" {
		return func() error { return nil }, nil
	}
	file, err := journal.Extend(c.trace, traceMark)
	if err != nil {
		return nil, fmt.Errorf("-trace: %w", err)
	}
	began := time.Now()
	_, err = fmt.Fprintf(file, "%sseconds, engine, < from the engine or > to it, line; started %s\n", traceMark, began.Format(time.RFC3339))
	if err = errors.Join(err, file.Flush()); err != nil {
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
		// Close reports errors.
		_, _ = fmt.Fprintf(file, "%.3f %s %s %s\n", time.Since(began).Seconds(), engine, arrow, line)
	}
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		return file.Close()
	}, nil
}

// observer shows the progress of a match. It is a match.Observer and safe for
// concurrent use.
type observer struct {
	mu      sync.Mutex // protects all that follows
	meter   *progress.Meter
	total   int                          // games of the schedule
	outline func(*match.Standing) string // the score in a line
	publish func(*match.Standing)        // reports the score to a hub; nil without one
	faults  map[string]int               // warnings of faults so far, by engine
	illegal map[string]int               // games so far with illegal lines, by engine
	load    *machineLoad
	// announce says where the games go. It is called when the files are open. If it fails, cancel
	// ends the match.
	announce func() error
	cancel   context.CancelCauseFunc
	begun    bool
	games    int // of the last standing
}

// maxFaultLines is the number of faults of an engine that are reported one by one.
const maxFaultLines = 5

// Resumed implements match.Observer.
func (o *observer) Resumed(s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.games
	o.games = s.Games
	if o.begun { // a later part of the match
		if s.Games < before { // after a retraction
			o.meter.Begin(o.total, s.Games)
		}
		return
	}
	o.begun = true
	if err := o.announce(); err != nil {
		o.cancel(err)
	}
	o.report(s)
	if s.Games > 0 {
		o.meter.Say(fmt.Sprintf("resumed after %d games", s.Games))
	}
	o.meter.Begin(o.total, s.Games)
}

// Ended implements match.Observer.
func (o *observer) Ended(line *match.Line, s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.games = s.Games
	if line.Reason.Fault() {
		o.fault(line)
	}
	o.load.ended(line)
	o.lines(line)
	o.report(s)
	o.meter.Step(func() string { return o.outline(s) })
}

// report reports the score to the hub, if there is one.
func (o *observer) report(s *match.Standing) {
	if o.publish != nil {
		o.publish(s)
	}
}

// fault reports a fault, for the first few of each engine.
func (o *observer) fault(line *match.Line) {
	loser := line.Loser()
	o.faults[loser]++
	switch n := o.faults[loser]; {
	case n <= maxFaultLines:
		o.meter.Print(fmt.Sprintf("game %d: %s loses: %s: %s", line.Game+1, loser, line.Reason, line.Detail))
	case n == maxFaultLines+1:
		o.meter.Print(fmt.Sprintf("further faults of %s are counted, not shown", loser))
	}
}

// lines reports illegal turns in the lines that engines expected: the first of each
// side of a game, in the first few games of each engine.
func (o *observer) lines(line *match.Line) {
	var reported [2]bool
	for i := range line.Turns {
		illegal := line.Turns[i].Illegal
		if illegal == "" {
			continue
		}
		side := line.SideOf(i)
		if reported[side] {
			continue
		}
		reported[side] = true
		name := [2]string{line.White, line.Black}[side]
		o.illegal[name]++
		if o.illegal[name] <= maxFaultLines {
			o.meter.Print(fmt.Sprintf("warning: game %d: %s expects %q at turn %d, which is illegal there", line.Game+1, name, illegal, len(line.Opening)+i+1))
		}
	}
}

// Warn implements match.Observer.
func (o *observer) Warn(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.meter.Print("warning: " + err.Error())
}

// machineLoad measures whether the machine kept up with a match. It is nil for a match
// without limits of real time, which the load does not affect.
type machineLoad struct {
	watch   *load.Watch   // nil if other machines play
	answers load.Lateness // of answers after their turn's time
	factors [2]float64    // smallest and largest factor of times; 0 for none
}

// newMachineLoad returns the load of a match, or nil.
func newMachineLoad(m *match.Match) *machineLoad {
	if !m.RealTime() {
		return nil
	}
	return &machineLoad{watch: load.NewWatch(m.Conditions.Margin)}
}

// begin watches the machine until end is called. warn is called from another goroutine.
func (l *machineLoad) begin(ctx context.Context, warn func(error)) (end func()) {
	if l == nil || l.watch == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		l.watch.Run(ctx, func(why string) {
			warn(fmt.Errorf("the machine is overloaded, %s; engines may lose on time because of it", why))
		})
	})
	return func() { stop(); watching.Wait() }
}

// ended counts the late answers of a game, and the factor of its times.
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

// write writes how many games were lost on time, and how late answers and the arena's
// timers were.
func (l *machineLoad) write(w io.Writer, s *match.Standing) error {
	if l == nil {
		return nil
	}
	text := fmt.Sprintf("  time    %d of %d games lost on time; ", s.Ends[game.TimeForfeit], s.Games)
	if n := l.answers.Total(); n > 0 {
		text += fmt.Sprintf("%d answers late, median %v, worst %v; ", n, shortLate(l.answers.Median()), shortLate(l.answers.Worst()))
	} else {
		text += "no late answers; "
	}
	if l.watch == nil {
		text = strings.TrimSuffix(text, "; ")
		if l.factors[1] > 0 {
			text += fmt.Sprintf("; times multiplied by %v to %v on the workers", l.factors[0], l.factors[1])
		}
		_, err := io.WriteString(w, wrapped(text, 10))
		return err
	}
	if timers := &l.watch.Lateness; timers.Total() > 0 {
		text += fmt.Sprintf("the arena's timers late by %v, worst %v", shortLate(timers.Median()), shortLate(timers.Worst()))
	} else {
		text += "no timers measured"
	}
	if threads, processors, known := l.watch.Threads(); known {
		text += fmt.Sprintf("; %.1f threads for %d processors", threads, processors)
	}
	text = wrapped(text, 10)
	if why := l.watch.Overloaded(); why != "" {
		text += wrapped("  load    the machine was overloaded, which may have caused losses on time: "+why, 10)
	}
	_, err := io.WriteString(w, text)
	return err
}

// shortLate formats a time to a tenth of a millisecond.
func shortLate(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }

// named names the files of the games.
func named(files match.Files) string {
	if files.Records == "" {
		return files.Lines
	}
	return files.Lines + ", and as records to " + files.Records
}

// output is a file that a run writes, and the flag that names it.
type output struct {
	flag, path string
	mark       string // the start of such a file; see journal.WriteFile. Empty if opening the file checks it.
}

// checkOutputs rejects a file that is named for two purposes, one of them output, and
// files that cannot be written or that must not be overwritten.
func (c *matchConfig) checkOutputs(files match.Files, more ...output) error {
	records := "-records"
	if c.records == "" {
		records = "the records of -out, which -records renames or, with none, disables"
	}
	outputs := append([]output{{flag: "-out", path: files.Lines}, {flag: records, path: files.Records}, {flag: "-trace", path: c.trace},
		{"-json", c.json, summaryFormat}}, more...)
	all := append(slices.Clip(outputs), output{flag: "-openings", path: c.book}, output{flag: "-config", path: c.config})
	for i, one := range outputs {
		for _, other := range all[i+1:] {
			if commandline.SameFile(one.path, other.path) {
				return &commandline.UsageError{Command: c.flags.Name(), Err: fmt.Errorf("%s is named twice, by %s and by %s", one.path, one.flag, other.flag)}
			}
		}
	}
	for _, o := range outputs {
		if o.path == "" || o.mark == "" {
			continue
		}
		if err := journal.MayWrite(o.path, o.mark); err != nil {
			return fmt.Errorf("%s: %w", o.flag, err)
		}
	}
	return nil
}
