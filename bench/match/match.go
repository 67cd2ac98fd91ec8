package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/protocol"
)

// Openings gives each round its opening. It is called from one goroutine.
type Openings interface {
	// Opening returns the opening of a round from 0, the same one each time it
	// is asked, also in another run.
	Opening(round int) (game.Opening, error)
}

// Match is what is played.
type Match struct {
	// ID tells this match from others: it is the same for the same engines,
	// openings and conditions, and is in every line. Rounds and test may change
	// when a match goes on.
	ID          string
	Engines     []game.Engine
	Schedule    Schedule
	Openings    Openings
	Conditions  game.Conditions
	Patience    protocol.Patience
	Concurrency int         // games at once, at least 1
	Test        *stats.SPRT // ends a match of two engines; nil for none
	// Processors, if not nil, are those that the engines of each of the games at
	// once are kept to: see protocol.Config.
	Processors [][]int
	// Recover goes on after a game in which an engine did not play, as
	// game.Reason.Broken has it, with the engine started anew; without it the
	// match stops there, with a *BrokenError.
	Recover bool
	// Again plays such games of the files again; the new game is the one that
	// stands.
	Again bool
	// OtherPrograms goes on although a program is another one than that which
	// played the games in the files.
	OtherPrograms bool
	// Crew plays the games; nil for workers of this process, Concurrency of them.
	Crew Crew
	// Trace, if not nil, is shown every line between an engine and us, from
	// several goroutines.
	Trace func(engine string, toEngine bool, line string)

	programs []string // by engine, as they were checked; nil before
	warnings []error  // of the checks, until they are told
}

// Files are where a match is kept. Records may be empty, for none.
type Files struct {
	Lines, Records string
	Unchecked      bool // lines without a checksum are taken: see ReadLines
}

// Observer hears how a match goes, one call at a time.
type Observer interface {
	// Resumed is called once, before the first game, with what was on disk.
	Resumed(*Standing)
	// Ended is called after each game, when it is on disk.
	Ended(*Line, *Standing)
	// Warn tells of what goes wrong and changes no result. It may come from any
	// goroutine.
	Warn(error)
}

// Check returns what is wrong with the match, nil if nothing.
func (m *Match) Check() error {
	names := map[string]bool{}
	for i := range m.Engines {
		e := &m.Engines[i]
		if err := e.Check(); err != nil {
			return err
		}
		if names[e.Name] {
			return fmt.Errorf("engine %s: two of that name", e.Name)
		}
		names[e.Name] = true
	}
	if err := m.Schedule.Check(len(m.Engines)); err != nil {
		return err
	}
	if m.Concurrency < 1 {
		return fmt.Errorf("concurrency %d: not at least 1", m.Concurrency)
	}
	if m.Processors != nil && len(m.Processors) != m.Concurrency {
		return fmt.Errorf("processors for %d games at once, not for %d", len(m.Processors), m.Concurrency)
	}
	for _, patience := range []time.Duration{m.Patience.Handshake, m.Patience.Answer, m.Patience.Stop, m.Patience.Quit} {
		if patience < 0 {
			return fmt.Errorf("patience %v: negative", patience)
		}
	}
	if m.Test != nil && len(m.Schedule.Pairings) != 1 {
		return errors.New("a sequential test is of two engines")
	}
	return m.Conditions.Check()
}

// names returns the engines' names.
func (m *Match) names() []string {
	var names []string
	for i := range m.Engines {
		names = append(names, m.Engines[i].Name)
	}
	return names
}

// Run plays the games that are not yet in the files, until all are or the test
// has its verdict. Games under way then, or when ctx is done, are broken off and
// not counted. Before the first game all engines are checked: when one fails, no
// game is played, and a match that has no files yet gets none.
//
// The standing comes also with an error, unless nothing could be begun; the error
// is ctx's cause when it is done before the end.
func (m *Match) Run(ctx context.Context, files Files, observer Observer) (*Standing, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	run := *m
	if run.programs == nil && size(files.Lines) == 0 {
		if err := run.CheckEngines(ctx); err != nil {
			return nil, err
		}
	}
	c, err := run.open(files)
	if err != nil {
		return nil, err
	}
	c.observer = observer
	observer.Resumed(c.standing)
	if !c.standing.Over() {
		if run.programs == nil {
			err = run.CheckEngines(ctx)
		}
		for _, warning := range run.warnings {
			observer.Warn(warning)
		}
		if err == nil {
			err = run.samePrograms(c.programs)
		}
		if err == nil {
			err = run.play(ctx, c)
		}
	}
	return c.standing, errors.Join(err, c.close())
}

// open opens the files and counts the games in them.
func (m *Match) open(files Files) (*collector, error) {
	c := &collector{standing: NewStanding(m.Schedule, m.names(), m.Test), recover: m.Recover, programs: make([]lastProgram, len(m.Engines))}
	var err error
	if files.Records != "" {
		if c.records, err = createRecords(files, m.ID); err != nil {
			return nil, err
		}
	}
	games := latest{visit: func(line *Line) error {
		if err := c.standing.Add(line); err != nil || c.records == nil {
			return err
		}
		return c.records.Add(line)
	}}
	c.log, err = openLog(files.Lines, files.Unchecked, func(line *Line) error {
		if line.Match != m.ID {
			return fmt.Errorf("game %d is of another match, with other engines, openings or conditions", line.Game)
		}
		c.notePrograms(line)
		return games.add(line)
	})
	if err == nil && !m.Again {
		err = games.rest()
	}
	if err == nil && c.records != nil {
		err = c.records.Publish()
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// play has the workers play the games that are missing.
func (m *Match) play(ctx context.Context, c *collector) error {
	games, stop := context.WithCancel(ctx)
	defer stop()
	jobs := make(chan Job)
	results := make(chan Result, m.Concurrency)
	failures := make(chan error, 1)
	go func() { failures <- m.handOut(games, c.missing(), jobs) }()
	crew := m.Crew
	if crew == nil {
		crew = local{}
	}
	go crew.Play(games, m, jobs, results, c.warn)
	err := c.collect(results, stop)
	stop()
	for range results { // those broken off
	}
	handing := <-failures
	switch {
	case err != nil:
		return err
	case handing != nil:
		return handing
	case ctx.Err() != nil && !c.standing.Over():
		return context.Cause(ctx)
	}
	return nil
}
