// Package match plays many games between two engines or more, several at once,
// and keeps every game that has ended on disk, so that a match can be stopped
// at any moment and go on later.
//
//	match.go     Match: what is played, its Schedule, and Run; the one goroutine through
//	             which all games go to disk
//	executor.go  Crew: who plays the games, here the workers of this process; whether a
//	             line from elsewhere can be the game that was to be played
//	standing.go  Standing: the results so far, in the order of the schedule, by pairs
//	pool.go      Pool: games of several matches or files, to be counted together
//	line.go      Line: a game as a line of JSON, the file of lines, and that of records
//
// Before the first game every engine has to start, take its options, and make a
// turn. A match stops when an engine does not play in a game: when it dies, hangs,
// cannot start or breaks the rules. With Match.Recover it goes on, that engine
// started anew. Either way the pair of such a game counts for nothing, neither for
// a test nor for Elo: the game tells of the program, not of its strength, and a
// test that counted it would accept what is only broken. It can be played again.
// A game lost on time counts: time is what is played with, and an engine must not
// gain by its slowest games being left out.
//
// A game is known by its number in the schedule. Numbers two by two are pairs:
// the same opening with colours reversed. Resuming plays the numbers that are
// not on disk, so a match that was interrupted ends with the same games as one
// that was not. A sequential test looks at pairs in the order of their numbers,
// not in that in which they happen to end: so short games do not count first,
// and the verdict is the same for any number of workers.
package match

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
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

// CheckEngines has every engine show that it can play, as many at once as games
// are played, and notes which program each is; but not those that are not on this
// machine. Run does it unless it was done. The
// error tells all engines that cannot play, or is ctx's cause.
func (m *Match) CheckEngines(ctx context.Context) error {
	opening, err := m.Openings.Opening(0)
	if err != nil {
		return fmt.Errorf("opening of round 1: %w", err)
	}
	checked := make([]game.Checked, len(m.Engines))
	failures := make([]error, len(m.Engines))
	slots := make(chan struct{}, m.Concurrency)
	var all sync.WaitGroup
	for i := range m.Engines {
		e := &m.Engines[i]
		if e.Start == nil { // those who play with it check it
			checked[i].Program = e.Program
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			w := &Worker{match: m}
			player := game.NewPlayer(e, m.Patience, w.trace(e.Name))
			checked[i], failures[i] = player.Check(ctx, opening, m.Conditions)
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	programs := make([]string, len(m.Engines))
	for i := range m.Engines {
		if failures[i] != nil {
			failures[i] = fmt.Errorf("engine %s cannot play: %w", m.Engines[i].Name, failures[i])
		}
		programs[i] = checked[i].Program
		if warning := checked[i].Warning; warning != nil {
			m.warnings = append(m.warnings, warning)
		}
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	m.programs = programs
	return nil
}

// Programs returns which program each engine is, as CheckEngines has noted it.
func (m *Match) Programs() []string { return m.programs }

// samePrograms returns an error when an engine that was checked is another program
// than the one that played the games on disk: their result would be of neither.
func (m *Match) samePrograms(played []lastProgram) error {
	for i, last := range played {
		if last.program != "" && last.program != m.programs[i] && !m.OtherPrograms {
			return fmt.Errorf("engine %s has changed: its command starts %q, but game %d was played by %q; "+
				"begin another match with a new -out, or go on all the same with -other-programs",
				m.Engines[i].Name, m.programs[i], last.game+1, last.program)
		}
	}
	return nil
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

// handOut gives the games of the numbers to the crew, in their order.
func (m *Match) handOut(ctx context.Context, numbers []int, jobs chan<- Job) error {
	defer close(jobs)
	for _, number := range numbers {
		g := m.Schedule.Game(number)
		opening, err := m.Openings.Opening(g.Round)
		if err != nil {
			return fmt.Errorf("opening of round %d: %w", g.Round+1, err)
		}
		select {
		case jobs <- Job{Game: g, Opening: opening}:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// Schedule numbers the games of a match. A round is a pair of games of each
// pairing, all from the same opening. After the rounds of all pairings may come
// further ones of some.
type Schedule struct {
	Pairings [][2]int // engines by index; the first has white in the first game of a pair
	Rounds   int      // of all pairings
	Some     []int    // pairings by index
	More     int      // rounds of these
}

// Game is a game to play.
type Game struct {
	Number  int
	Pair    int    // Number / 2
	Pairing int    // index in the schedule's pairings
	Round   int    // from 0; also the number of the opening
	Sides   [2]int // engines by side
}

// RoundRobin is the schedule in which each engine meets each other one. A match
// of two is one of these.
func RoundRobin(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for i := range engines {
		for j := i + 1; j < engines; j++ {
			s.Pairings = append(s.Pairings, [2]int{i, j})
		}
	}
	return s
}

// Gauntlet is the schedule in which the first engine meets each of the others.
func Gauntlet(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for j := 1; j < engines; j++ {
		s.Pairings = append(s.Pairings, [2]int{0, j})
	}
	return s
}

// mostGames bounds a schedule; more is a slip of the pen.
const mostGames = 10_000_000

// Check returns what is wrong with a schedule for a number of engines, nil if
// nothing.
func (s Schedule) Check(engines int) error {
	if len(s.Pairings) == 0 || s.Rounds < 1 {
		return errors.New("no games to play")
	}
	if s.Rounds > mostGames/len(s.Pairings)/2 || len(s.Some) > 0 && s.More > mostGames/len(s.Some)/2 {
		return fmt.Errorf("more than %d games", mostGames)
	}
	for _, p := range s.Pairings {
		if p[0] == p[1] || min(p[0], p[1]) < 0 || max(p[0], p[1]) >= engines {
			return fmt.Errorf("pairing %v: not two of the %d engines", p, engines)
		}
	}
	for _, i := range s.Some {
		if i < 0 || i >= len(s.Pairings) {
			return fmt.Errorf("pairing %d: not one of the %d", i, len(s.Pairings))
		}
	}
	return nil
}

// Games is the number of games.
func (s Schedule) Games() int { return 2 * (s.Rounds*len(s.Pairings) + s.More*len(s.Some)) }

// Game returns the game of a number from 0 and below Games.
func (s Schedule) Game(number int) Game {
	pair := number / 2
	g := Game{Number: number, Pair: pair, Pairing: pair % len(s.Pairings), Round: pair / len(s.Pairings)}
	if further := pair - s.Rounds*len(s.Pairings); further >= 0 {
		g.Pairing, g.Round = s.Some[further%len(s.Some)], s.Rounds+further/len(s.Some)
	}
	p := s.Pairings[g.Pairing]
	g.Sides = [2]int{position.White: p[number%2], position.Black: p[1-number%2]}
	return g
}

// BrokenError tells that a match has stopped because an engine did not play.
type BrokenError struct {
	Line *Line // the game, which is on disk
}

// Error tells the game, the engine, and what was wrong with it.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("stopped after game %d: %s loses: %s: %s", e.Line.Game+1, e.Line.Loser(), e.Line.Reason, e.Line.Detail)
}

// lastProgram is the program that played as an engine in a file's last game of it.
type lastProgram struct {
	program string // empty for none
	game    int
}

// notePrograms remembers who played a game of the file.
func (c *collector) notePrograms(line *Line) {
	if line.Game >= c.standing.schedule.Games() {
		return // an error elsewhere
	}
	for side, engine := range c.standing.schedule.Game(line.Game).Sides {
		if program := line.Programs[position.Side(side)]; program != "" {
			c.programs[engine] = lastProgram{program, line.Game}
		}
	}
}

// collector takes the games that have ended to disk and counts them.
type collector struct {
	log      *journal.Journal
	records  *recordFile // nil for none
	standing *Standing
	recover  bool          // whether to go on after an engine did not play
	programs []lastProgram // by engine, of the games that were on disk

	mu       sync.Mutex // of observer
	observer Observer
}

// missing returns the numbers of the games that have not ended, in order.
func (c *collector) missing() []int {
	var numbers []int
	for number := range c.standing.ends {
		if !c.standing.Ended(number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// collect takes results until there are no more, or until nothing more is
// wanted: when the match is over, a game could not be played, an engine did not
// play in one, or the disk is full. Games that end while others go to disk go there together next.
func (c *collector) collect(results <-chan Result, stop func()) error {
	for first := range results {
		batch := []Result{first}
		for more := true; more; {
			select {
			case r, open := <-results:
				if more = open; open {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		if err := c.keep(batch); err != nil {
			if errors.Is(err, context.Canceled) {
				continue // broken off
			}
			return err
		}
		if c.standing.Over() {
			stop()
		}
	}
	return nil
}

// keep takes games to disk, then counts them, then tells of them. The error is
// that of a game that could not be played, or that of the disk, or a *BrokenError.
func (c *collector) keep(batch []Result) error {
	var text []byte
	var failed error
	for _, r := range batch {
		if r.Err != nil {
			failed = errors.Join(failed, r.Err)
			continue
		}
		var err error
		if text, err = r.Line.Append(text); err != nil {
			return err
		}
	}
	if len(text) > 0 {
		if err := c.log.Append(text); err != nil {
			return err
		}
	}
	for _, r := range batch {
		if r.Err != nil {
			continue
		}
		if r.Kept != nil {
			r.Kept()
		}
		if err := c.count(r.Line); err != nil {
			return err
		}
		if r.Line.Reason.Broken() && !c.recover && failed == nil {
			failed = &BrokenError{Line: r.Line}
		}
	}
	return failed
}

// count counts a game that is on disk.
func (c *collector) count(line *Line) error {
	if err := c.standing.Add(line); err != nil {
		return err
	}
	if c.records != nil {
		if err := errors.Join(c.records.Add(line), c.records.Flush()); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Ended(line, c.standing)
	return nil
}

// warn tells the observer, from any goroutine.
func (c *collector) warn(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Warn(err)
}

// close closes the files.
func (c *collector) close() error {
	var errs []error
	if c.log != nil {
		errs = append(errs, c.log.Close())
	}
	if c.records != nil {
		errs = append(errs, c.records.Close())
	}
	return errors.Join(errs...)
}
