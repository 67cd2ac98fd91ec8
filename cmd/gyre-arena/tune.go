package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

const tuneSynopsis = `usage: gyre-arena tune -engine SPEC -param NAME=VALUE,MIN,MAX,STEP ... -iterations N LIMIT [FLAGS]

Finds better values of an engine's options by games of the engine against itself,
with SPSA: in each iteration a pair of games is played with all values moved a
little up or down by chance, for one side so and for the other the other way, and
then they move towards the side that did better. STEP is by how much a value is
moved at the end: so much that it costs or gains some Elo. Thousands of iterations
are needed, and a match afterwards shows whether the values are better.

Ctrl-C ends it at any moment; the same command with the same -out goes on. The
same command comes to the same values for any -concurrency, and with -hub, which has the
workers of a hub play the games of a -batch at once: see HUB.md.

The search of Gyre itself has its numbers for options as gyre -tune:

  gyre-arena tune -engine 'cmd="./gyre -tune" option.Hash=16' -nodes 10000 -iterations 20000 \
      -param FutilityPerTurn=40,0,120,6 -param ReductionRate=160,100,250,12 -out tune.jsonl -o tune.html
`

// parameterList is the flag -param.
type parameterList struct {
	all []tune.Parameter
}

func (l *parameterList) String() string { return strings.Join(l.words(), "; ") }

// Set takes one more.
func (l *parameterList) Set(text string) error {
	p, err := tune.ParseParameter(text)
	l.all = append(l.all, p)
	return err
}

func (l *parameterList) words() (texts []string) {
	for _, p := range l.all {
		texts = append(texts, p.String())
	}
	return texts
}

// tuner is the command tune.
type tuner struct {
	*contest
	parameters parameterList
	iterations int
	batch      int
	rate       float64
	page       string
}

// newTuner returns the command with its flags: those of a match but for what only a match
// has.
func newTuner() *tuner {
	t := &tuner{contest: newContest("tune")}
	t.addHub()
	t.leaveOut("pairs", "games", "records", "json", "pv", "recover", "again", "unchecked", "trace")
	f := t.flags
	f.Var(&t.parameters, "param", "`NAME=VALUE,MIN,MAX,STEP` of an option to tune, which is a whole number: where it begins, between what it stays, and by how much it is moved at the end; again for each")
	f.IntVar(&t.iterations, "iterations", 0, "`number` of pairs of games")
	f.IntVar(&t.batch, "batch", 8, "`number` of iterations that start from the same values, among which -concurrency shares the processors; other numbers, other values in the end")
	f.Float64Var(&t.rate, "rate", 0.002, "how far a value goes in the last iteration for each game won, in `steps`")
	f.StringVar(&t.page, "o", "", "`FILE` for a page of HTML that shows how the values went")
	return t
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
	if t.out == "" {
		t.out = "tune" + time.Now().Format("-20060102-150405") + ".jsonl"
	}
	if err := t.checkNames(match.Files{Lines: t.out}); err != nil {
		return &commandline.UsageError{Command: "tune", Err: err}
	}
	if err := t.buildEngines(m, stdout); err != nil {
		return err
	}
	m.Engines[1].Start, m.Engines[1].Build = m.Engines[0].Start, m.Engines[0].Build // one program plays both sides
	return t.run(tuning, m, stdout, stderr)
}

// tuning returns what the flags ask for.
func (t *tuner) tuning() (*tune.Tuning, error) {
	if len(t.specs.texts) != 1 {
		return nil, errors.New("which engine is to be tuned? Give one -engine")
	}
	if t.iterations < 1 {
		return nil, errors.New("how many pairs of games? Give -iterations")
	}
	tuning := &tune.Tuning{
		SPSA:        tune.SPSA{Parameters: t.parameters.all, Iterations: t.iterations, Rate: t.rate, Seed: t.seed},
		Concurrency: t.concurrency, Batch: t.batch, OtherPrograms: t.otherPrograms,
	}
	return tuning, tuning.Check()
}

// bothSides returns the match of the engine against itself, which has the openings and all
// conditions.
func (t *tuner) bothSides() (*match.Match, error) {
	engines, err := t.engines()
	if err != nil {
		return nil, err
	}
	given := t.specs
	defer func() { t.specs = given }() // for the command that repeats it
	t.specs.texts = []string{given.texts[0] + " name=plus", given.texts[0] + " name=minus"}
	t.pairs = t.iterations
	m, err := t.match(match.RoundRobin)
	if err == nil && absent(m) != nil {
		err = errors.New("the engine that is tuned has to be on this machine too, where its options are looked at, and not offered by workers alone")
	}
	if err == nil {
		m.Engines[0].Name = engines[0].name
	}
	return m, err
}

// run tunes, and shows how it goes and what it came to.
func (t *tuner) run(tuning *tune.Tuning, m *match.Match, stdout, stderr io.Writer) error {
	shown := &tuneObserver{meter: t.progress.Meter("pairs", stdout, stderr), tuning: tuning}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	warn := func(err error) { shown.meter.Tell("warning: " + err.Error()) }
	games := &tune.Games{Engine: m.Engines[0], Parameters: tuning.Parameters, Openings: m.Openings,
		Conditions: m.Conditions, Patience: m.Patience, Processors: m.Processors, Warn: warn}
	defer games.Close()
	var err error
	if tuning.Program, err = games.Check(ctx); err != nil {
		return err
	}
	var player tune.Player = games
	if t.hub.url != "" {
		away, leave, err := t.away(ctx, tuning, m, shown, stdout)
		if err != nil {
			return err
		}
		defer leave()
		player = away
	}
	if _, err := fmt.Fprintf(stdout, "pairs go to %s; to repeat:\n  %s\n", t.out, t.repeat("out")); err != nil {
		return err
	}
	t.warnRepeats(stderr, m)
	var reached *tune.Progress
	_, err = t.load.watched(ctx, warn, func() (*match.Standing, error) {
		reached, err = tuning.Run(ctx, t.out, player, shown)
		return nil, err
	})
	shown.meter.End()
	if reached == nil {
		return err
	}
	err = errors.Join(err, t.writeResult(stdout, tuning, reached))
	if t.page != "" && len(reached.Path) > 1 {
		err = errors.Join(err, replaceFile(t.page, report.TuningMark, func(w io.Writer) error { return report.WriteTuning(w, tuning, reached) }))
	}
	if reached.Played < tuning.Iterations {
		_, failed := fmt.Fprintf(stdout, "to go on:\n  %s\n", t.goOn())
		err = errors.Join(err, failed)
	}
	return err
}

// writeResult writes the values as they stand: for a person, as options, and as lines of
// the table of parameters in package search for those that are in it.
func (t *tuner) writeResult(w io.Writer, tuning *tune.Tuning, reached *tune.Progress) error {
	var text, options, lines strings.Builder
	fmt.Fprintf(&text, "after %d of %d pairs, %d games won, %d drawn, %d lost by the sides that are called plus:\n",
		reached.Played, tuning.Iterations, reached.Total.Wins, reached.Total.Draws, reached.Total.Losses)
	for i, p := range tuning.Parameters {
		value := tune.Round(reached.Values()[i])
		fmt.Fprintf(&text, "  %-24s %6d -> %8.2f  (%d to %d)\n", p.Name, p.Value, reached.Values()[i], p.Min, p.Max)
		fmt.Fprintf(&options, " option.%s=%d", p.Name, value)
		if known, ok := search.ParameterOf(p.Name); ok {
			least, most := known.Bounds()
			fmt.Fprintf(&lines, "  %s: {%q, %d, %d, %d},\n", known, known, value, least, most)
		}
	}
	fmt.Fprintf(&text, "as options:\n %s\n", options.String())
	if lines.Len() > 0 {
		fmt.Fprintf(&text, "as lines of search/parameters.go:\n%s", lines.String())
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// away returns the player whose games the workers of -hub play, all of a batch at once. In
// the end call leave.
func (t *tuner) away(ctx context.Context, tuning *tune.Tuning, m *match.Match, shown *tuneObserver, stdout io.Writer) (player *tune.Away, leave func(), err error) {
	programs, err := t.sentPrograms(m)
	if err != nil {
		return nil, nil, &commandline.UsageError{Command: "tune", Err: err}
	}
	programs[1] = programs[0] // one engine plays both sides
	m.ID = tuning.Identity()  // results of another tuning are none of this one
	if err := m.CheckEngines(ctx); err != nil {
		return nil, nil, err
	}
	crew, err := t.crew(m, programs, func() hub.Progress {
		text, _ := shown.brief.Load().(string)
		return hub.Progress{Score: text}
	}, stdout)
	if err != nil {
		return nil, nil, err
	}
	tuning.Concurrency, t.load = tuning.Batch, nil // the load of this machine does no harm
	player = &tune.Away{Match: m, Parameters: tuning.Parameters, Executor: crew, Warn: func(err error) { shown.meter.Tell("warning: " + err.Error()) }}
	player.Begin(ctx)
	return player, func() { player.End(); crew.Hub.Close() }, nil
}

// tuneObserver shows how a tuning goes.
type tuneObserver struct {
	meter  *progress.Meter
	tuning *tune.Tuning
	brief  atomic.Value // how it stands, in a line, once there is something to tell
}

// Resumed begins.
func (o *tuneObserver) Resumed(p *tune.Progress) {
	if p.Played > 0 {
		o.meter.Say(fmt.Sprintf("going on after %d pairs", p.Played))
	}
	o.meter.Begin(o.tuning.Iterations, p.Played)
}

// Ended shows the values.
func (o *tuneObserver) Ended(p *tune.Progress) {
	var words []string
	for i, parameter := range o.tuning.Parameters {
		words = append(words, fmt.Sprintf("%s %.1f", parameter.Name, p.Values()[i]))
	}
	text := strings.Join(words, ", ")
	o.brief.Store(text)
	o.meter.Step(func() string { return text })
}
