package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/report"
	"gyre/bench/tune"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
	"gyre/search"
)

const tuneSynopsis = `usage: gyre-arena tune -engine SPEC -param NAME=START,MIN,MAX,STEP ...
                       -iterations N LIMIT [FLAGS]

Tunes an engine's options with SPSA, in games of the engine against itself. For
example, the search of gyre has its parameters as options with -tune:

  gyre-arena tune -engine 'cmd="./gyre -tune" option.Hash=16' -nodes 10000 \
      -iterations 20000 -param FutilityPerTurn=40,0,120,6 \
      -param ReductionRate=160,100,250,12 -out tune.jsonl -o tune.html

Each iteration plays a pair of games. All values are moved up or down at random
for one side, and the opposite way for the other side; then they move towards
the better side. STEP is the size of these moves at the end, and should be
worth a few Elo. Tuning takes thousands of iterations; check the result with a
match.

Ctrl-C stops the run; the same command with the same -out resumes it. The
result does not depend on -concurrency. With -hub the workers of a hub play the
games of a -batch at the same time. With -detach the hub tunes by itself. See
cmd/gyre-hub/README.md.
`

// tuner is the command tune.
type tuner struct {
	*matchConfig
	parameters []tune.Parameter
	iterations int
	batch      int
	rate       float64
	page       string
}

// newTuner returns the command with its flags.
func newTuner() *tuner {
	t := &tuner{batch: 8, rate: 0.002}
	t.matchConfig = newMatchConfig("tune",
		matchFlag{"param", "Engines", played, &textFlag{many: true, set: t.addParameter}, "an option to tune, a whole number: `NAME=START,MIN,MAX,STEP`; give it once for each option"},
		matchFlag{"iterations", "When to stop", played, &t.iterations, "`number` of pairs of games"},
		matchFlag{"batch", "Tuning", played, &t.batch, "`number` of iterations that start from the same values; it changes the result"},
		matchFlag{"rate", "Tuning", played, &t.rate, "change of a value in the last iteration for each game won, in `steps`"},
		matchFlag{"o", "Output", local, &t.page, "`FILE` for an HTML page with charts of the values"})
	t.records = "none"
	return t
}

// addParameter adds a parameter of -param.
func (t *tuner) addParameter(text string) error {
	p, err := tune.ParseParameter(text)
	if err != nil {
		return err
	}
	t.parameters = append(t.parameters, p)
	return nil
}

// runTune tunes options of an engine.
func runTune(args []string, stdout, stderr io.Writer) error {
	t := newTuner()
	if err := t.parse(args, tuneSynopsis, stdout); err != nil {
		return err
	}
	var m *match.Match
	tuning, err := t.tuning()
	if err == nil {
		m, err = t.bothSides()
	}
	if err != nil {
		return &commandline.UsageError{Command: "tune", Err: err}
	}
	tuning.ID = m.ID
	if !t.work.Detach {
		if err := t.checkOutputs(t.files(time.Now()), output{"-o", t.page, report.TuningMark}); err != nil {
			return err
		}
	}
	tuning.Setup = t.setup()
	if err := t.buildEngines(m, stdout); err != nil {
		return err
	}
	m.Engines[1].Start, m.Engines[1].Build = m.Engines[0].Start, m.Engines[0].Build // one program plays both sides
	if t.work.Detach {
		return t.detached(tuning, m, stdout, stderr)
	}
	return t.run(tuning, m, stdout, stderr)
}

// detached hands the tuning to the hub.
func (t *tuner) detached(tuning *tune.Tuning, m *match.Match, stdout, stderr io.Writer) error {
	ctx, release := commandline.UntilInterrupted()
	defer release()
	var err error
	if tuning.Program, err = tune.Check(ctx, m, tuning.Parameters); err != nil {
		return err
	}
	tuning.Concurrency, m.ID = tuning.Batch, tuning.Identity()
	return t.matchConfig.detached(m, tuning, stdout, stderr)
}

// tuning returns the tuning that the flags describe.
func (t *tuner) tuning() (*tune.Tuning, error) {
	if len(t.specs.texts) != 1 {
		return nil, errors.New("the engine to tune is missing; give one -engine")
	}
	if t.iterations < 1 {
		return nil, errors.New("the number of pairs is missing; give -iterations")
	}
	tuning := &tune.Tuning{
		SPSA:        tune.SPSA{Parameters: t.parameters, Iterations: t.iterations, Rate: t.rate, Seed: t.recipe.Seed},
		Concurrency: t.concurrency, Batch: t.batch, OtherPrograms: t.otherPrograms,
	}
	return tuning, tuning.Check()
}

// bothSides returns the match of the engine against itself, with the openings and
// conditions.
func (t *tuner) bothSides() (*match.Match, error) {
	engines, err := t.engines()
	if err != nil {
		return nil, err
	}
	given := t.specs
	defer func() { t.specs = given }() // for the command that repeats the run
	words, err := commandline.SplitWords(given.texts[0], commandline.LocalBackslash())
	if err != nil {
		return nil, err
	}
	unnamed := commandline.JoinWords(slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, "name=") }))
	t.specs.texts = []string{unnamed + " name=plus", unnamed + " name=minus"}
	t.pairs = t.iterations
	m, err := t.match(match.RoundRobin)
	if err == nil && absent(m) != nil {
		err = errors.New("the engine to tune is only offered by workers; give its cmd too, because its options are checked on this machine")
	}
	if err == nil {
		m.Engines[0].Name, t.described = engines[0].name, engines
	}
	return m, err
}

// run tunes, and shows the progress and the result.
func (t *tuner) run(tuning *tune.Tuning, m *match.Match, stdout, stderr io.Writer) error {
	shown := &tuneObserver{meter: t.progress.Meter("pairs", stdout, stderr), tuning: tuning}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	warn := func(err error) { shown.meter.Print("warning: " + err.Error()) }
	var err error
	if tuning.Program, err = tune.Check(ctx, m, tuning.Parameters); err != nil {
		return err
	}
	m.ID = tuning.Identity() // so that results of other tunings are rejected
	if err := m.CheckEngines(ctx); err != nil {
		return err
	}
	player := &tune.Games{Match: m, Parameters: tuning.Parameters, Executor: match.Local{}, Warn: warn}
	if t.hub.URL != "" {
		executor, err := t.remote(m, shown, stdout, stderr)
		if err != nil {
			return err
		}
		defer executor.Hub.Close()
		player.Executor = executor                     // plays all games of a batch at the same time
		tuning.Concurrency, t.load = tuning.Batch, nil // this machine's load does not matter
	}
	player.Begin(ctx)
	defer player.End()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shown.announce = func() {
		if _, err := fmt.Fprintf(stdout, "pairs go to %s; repeat with:\n  %s\n", t.out, t.repeat("out")); err != nil {
			cancel(err)
		}
		t.warnRepeats(stderr, m)
	}
	unwatch := t.load.begin(ctx, warn)
	reached, err := tuning.Run(ctx, t.out, player, shown)
	unwatch()
	shown.meter.End()
	if reached == nil {
		return err
	}
	err = errors.Join(err, t.writeResult(stdout, tuning, reached))
	if t.page != "" && len(reached.Path) > 1 {
		err = errors.Join(err, save(stdout, t.page, report.TuningMark, "a report", func(w io.Writer) error { return report.WriteTuning(w, tuning, reached) }))
	}
	if reached.Played < tuning.Iterations {
		_, failed := fmt.Fprintf(stdout, "resume with:\n  %s\n", t.resume())
		err = errors.Join(err, failed)
	}
	return err
}

// writeResult writes the current values: as a table, as options, and for parameters of
// the search as lines of their table in package search.
func (t *tuner) writeResult(w io.Writer, tuning *tune.Tuning, reached *tune.Progress) error {
	var text, options, lines strings.Builder
	fmt.Fprintf(&text, "after %d of %d pairs; the plus sides won %d games, drew %d and lost %d:\n",
		reached.Played, tuning.Iterations, reached.Total.Wins, reached.Total.Draws, reached.Total.Losses)
	for i, p := range tuning.Parameters {
		value := tune.Round(reached.Values()[i])
		fmt.Fprintf(&text, "  %-24s %6d -> %8.2f  (%d to %d)\n", p.Name, p.Value, reached.Values()[i], p.Min, p.Max)
		fmt.Fprintf(&options, " option.%s=%d", p.Name, value)
		if known, ok := search.ParameterOf(p.Name); ok {
			low, high := known.Bounds()
			fmt.Fprintf(&lines, "  %s: {%q, %d, %d, %d},\n", known, known, value, low, high)
		}
	}
	text.WriteString("as options:\n" + wrapped(" "+options.String(), 2))
	if lines.Len() > 0 {
		fmt.Fprintf(&text, "as lines of search/parameters.go:\n%s", lines.String())
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// remote returns the executor of -hub.
func (t *tuner) remote(m *match.Match, shown *tuneObserver, stdout, stderr io.Writer) (*hub.Executor, error) {
	programs, err := t.sentPrograms(m)
	if err != nil {
		return nil, &commandline.UsageError{Command: "tune", Err: err}
	}
	programs[1] = programs[0] // one engine plays both sides
	return t.hubExecutor(m, programs, func() hub.Progress {
		text, _ := shown.brief.Load().(string)
		return hub.Progress{Score: text}
	}, stdout, stderr)
}

// tuneObserver shows the progress of a tuning.
type tuneObserver struct {
	meter  *progress.Meter
	tuning *tune.Tuning
	// announce says where the pairs go. It is called when the file is open.
	announce func()
	brief    atomic.Value // the current values in one line; nil before the first iteration
}

// Resumed implements tune.Observer.
func (o *tuneObserver) Resumed(p *tune.Progress) {
	o.announce()
	if p.Played > 0 {
		o.meter.Say(fmt.Sprintf("resumed after %d pairs", p.Played))
	}
	o.meter.Begin(o.tuning.Iterations, p.Played)
}

// Ended implements tune.Observer.
func (o *tuneObserver) Ended(p *tune.Progress) {
	text := o.tuning.Brief(p)
	o.brief.Store(text)
	o.meter.Step(func() string { return text })
}
