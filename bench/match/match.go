// Package match plays a match between two or more engines, several games at a time.
// Every finished game is on disk, so you can stop a match at any moment and resume
// it later.
//
// [Match.Run] plays the games missing from the files until all are played or the
// sequential test has its verdict. An [Executor] plays the games: the workers of
// this process, or those of other machines. [Standing] holds the results. [Pool]
// combines the games of several files.
//
//	match.go     Match: what is played, its Schedule, and Run
//	collector.go writes finished games to disk and counts them; retractions and confirmations
//	executor.go  Executor: plays the games; Worker: one game at a time; Match.Verify
//	standing.go  Standing: the results so far, by pairs; Pool: several files counted together
//	line.go      Line: a game as a line of JSON or as a record; reading files of lines
//
// Before the first game, every engine must start, accept its options, and make a
// turn. The match stops if an engine fails in a game: if it crashes, hangs, cannot
// start, or breaks the rules. With Match.ContinueOnFault the match continues, and
// the engine is restarted. Either way the pair of such a game is excluded from the
// test and from Elo: the game says something about the program, not about its
// strength. It can be replayed. A loss on time counts, because time is part of the
// game: an engine must not profit from its slowest games being excluded.
//
// Each game has a number in the schedule. Two consecutive numbers, the first of
// them even, are a pair: the same opening with colors reversed. Resuming plays the
// numbers missing from disk, so an interrupted match ends with the same games as an
// uninterrupted one. The sequential test sees pairs in the order of their numbers,
// not in the order in which they finish. Short games therefore do not count first,
// and the verdict does not depend on the number of workers.
//
// # From a result to the verdict
//
// An Executor sends each [Result] to Run, which writes it to disk as a [Line] and
// passes it to [Standing.Add]. When a pair and all pairs before it are complete,
// Standing adds the pair to its [PairingResult] and asks the sequential test (package
// stats) whether the pairs so far decide it. The answer is Standing.State. When the
// test has decided, Run aborts the games in progress and returns.
package match

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

// Openings provides the opening of each round. It is called from one goroutine.
type Openings interface {
	// Opening returns the opening of a round, counted from 0. It returns the same
	// opening each time, also in another run.
	Opening(round int) (game.Opening, error)
}

// Learner is Openings that need a search for each opening, but none for one that a game of the match begins with.
type Learner interface {
	Openings
	// Learn has the turns of the opening of a round.
	Learn(round int, turns []string)
}

// Match describes what is played.
type Match struct {
	// ID identifies the match: its engines, openings and conditions. It is in every
	// line. Rounds and Test may change when a match is resumed.
	ID          string
	Engines     []game.Engine
	Schedule    Schedule
	Openings    Openings // a Learner gets those of the games on disk
	Conditions  game.Conditions
	Patience    protocol.Patience
	Concurrency int         // games at a time, at least 1
	Test        *stats.SPRT // ends a match of two engines; nil for none
	// Processors, if not nil, are the processors that the engines of each concurrent
	// game are bound to: see protocol.Config.
	Processors [][]int
	// ContinueOnFault continues after a game in which an engine failed (see
	// game.Reason.Broken), and restarts the engine. Without it the match stops there
	// with a *BrokenError.
	ContinueOnFault bool
	// ReplayFaults replays such games of the files. The new game replaces the old one.
	ReplayFaults bool
	// OtherPrograms allows resuming with a program other than the one that played the
	// games in the files, and keeping the result of one.
	OtherPrograms bool
	// Setup, if not nil, goes into the first line that Run writes. If the files belong to
	// another match, the error says how its setup differs.
	Setup *Setup
	// Fixed says that the programs and the test cannot have changed since an earlier run, so that games of any run may be
	// checked. Otherwise only those of this run are; see Checker.
	Fixed bool
	// Executor plays the games; nil for Local.
	Executor Executor
	// Trace, if not nil, is called with every line to and from an engine, from several
	// goroutines.
	Trace func(engine string, toEngine bool, line string)

	programs []string // by engine, from CheckEngines; nil before
	notes    *notes   // of the files, from open
	warnings []error  // from CheckEngines, not yet reported
}

// Files are the files of a match. Records may be empty for none.
type Files struct {
	Lines, Records string
	Unchecked      bool // accept lines without a checksum: see ReadLines
	// Turns, if not nil, are those in which the lines are read.
	Turns journal.Turns
}

// Observer follows a match. Its methods are called one at a time.
type Observer interface {
	// Resumed is called before the first game, with the results on disk, and again after
	// games were retracted: see Retraction.
	Resumed(*Standing)
	// Ended is called after each game, once it is on disk.
	Ended(*Line, *Standing)
	// Warn reports problems that change no result. It may be called from any goroutine.
	Warn(error)
}

// Check returns an error if the match is invalid.
func (m *Match) Check() error {
	names := map[string]bool{}
	for i := range m.Engines {
		e := &m.Engines[i]
		if err := e.Check(); err != nil {
			return err
		}
		if names[e.Name] {
			return fmt.Errorf("engine %s: two engines have this name", e.Name)
		}
		names[e.Name] = true
	}
	if err := m.Schedule.Check(len(m.Engines)); err != nil {
		return err
	}
	if m.Concurrency < 1 {
		return fmt.Errorf("concurrency %d: must be at least 1", m.Concurrency)
	}
	if m.Processors != nil && len(m.Processors) != m.Concurrency {
		return fmt.Errorf("processors for %d concurrent games, need them for %d", len(m.Processors), m.Concurrency)
	}
	if err := m.Patience.Check(); err != nil {
		return err
	}
	if m.Test != nil && len(m.Schedule.Pairings) != 1 {
		return errors.New("a sequential test needs exactly two engines")
	}
	if err := m.checkLength(); err != nil {
		return err
	}
	return m.Conditions.Check()
}

// checkLength returns an error if the texts that all games have in common leave too little of a line for the turns.
func (m *Match) checkLength() error {
	texts := []any{m.ID, m.Setup}
	for i := range m.Engines {
		texts = append(texts, m.Engines[i].Name, m.Engines[i].Program)
	}
	text, err := json.Marshal(texts)
	if err == nil && len(text) > journal.LongestLine/2 {
		err = fmt.Errorf("the names, programs and options of the engines have %d bytes, and may have half of a line: %w", len(text), journal.ErrLongLine)
	}
	return err
}

// Names returns the engines' names.
func (m *Match) Names() []string {
	var names []string
	for i := range m.Engines {
		names = append(names, m.Engines[i].Name)
	}
	return names
}

// RealTime reports whether an engine has a limit of real time.
func (m *Match) RealTime() bool {
	return slices.ContainsFunc(m.Engines, func(e game.Engine) bool { return e.Limits.RealTime() })
}

// CheckEngines starts every engine, up to Concurrency at a time, asks it for one turn, and
// notes its program: see [game.Player.Check]. It skips engines that are not on this machine. Run
// calls CheckEngines unless you did. The error lists all engines that cannot play, or is
// ctx's cause.
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
		if e.Start == nil { // checked where it plays
			checked[i].Program = e.Program
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			player := game.NewPlayer(e, m.Patience, m.trace(e.Name))
			checked[i], failures[i] = player.Check(ctx, opening, m.Conditions)
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	programs := make([]string, len(m.Engines))
	for i := range m.Engines {
		if failure, failed := errors.AsType[*protocol.Failure](failures[i]); failed {
			it := *failure
			it.Engine = "it" // the error begins with the name
			failures[i] = &it
		}
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

// Programs returns the program of each engine, as noted by CheckEngines.
func (m *Match) Programs() []string { return m.programs }

// Excluded returns the workers that play no more of a match, also when it is resumed, for an Executor: Run knows them from
// its files and from earlier executions.
func (m *Match) Excluded() map[string]bool {
	if m.notes == nil {
		return map[string]bool{}
	}
	return maps.Clone(m.notes.excluded)
}

// checkPrograms checks the engines, unless CheckEngines did, and that they are the programs that
// played the games on disk: a common result would describe neither. A match that is over needs no
// engines, so one that cannot start is only a warning there.
func (m *Match) checkPrograms(ctx context.Context, c *collector) error {
	over := c.standing.Over()
	if over && m.OtherPrograms {
		return nil
	}
	if m.programs == nil {
		err := m.CheckEngines(ctx)
		if over && err != nil {
			if ctx.Err() == nil {
				c.warn(fmt.Errorf("the match is over, but its engines may have changed since: %w", err))
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	if !over { // the warnings are about games to come
		for _, warning := range m.warnings {
			c.warn(warning)
		}
		m.warnings = nil
	}
	if m.OtherPrograms {
		return nil
	}
	for i, last := range c.programs {
		if last.program != "" && last.program != m.programs[i] {
			return &ChangedError{Engine: m.Engines[i].Name, Program: m.programs[i], Played: last.program, Game: last.game, Over: over}
		}
	}
	return nil
}

// ChangedError is the error for a match whose games on disk were played by another program under
// the same command.
type ChangedError struct {
	Engine  string // its name
	Program string // that the command starts now
	Played  string // the program of its last game
	Game    int    // the number of that game
	Over    bool   // whether the match is over
}

// Error names both programs and what to do.
func (e *ChangedError) Error() string {
	old := "resume this one"
	if e.Over {
		old = "keep the result of the old program"
	}
	return fmt.Sprintf("engine %s has changed: its command starts %q, but game %d was played by %q; "+
		"start another match with a new -out, or %s with -other-programs", e.Engine, e.Program, e.Game+1, e.Played, old)
}

// Run plays the games missing from the files until all are played or the test has its
// verdict. Games in progress at that moment, or when ctx is done, are aborted and not
// counted. Before the first game Run checks all engines. If one fails, no game is
// played, and a new match gets no files. If an engine is another program than the one that
// played the games in the files, the error is a *ChangedError, also if the match is over.
//
// A nil error means that the match is over: see Standing.Over. If ctx is done first,
// the error is its cause. Run returns the standing also with an error, unless the
// match could not start.
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
	var recorded gameSet // in this run
	for {
		c, err := run.open(files)
		if err != nil {
			return nil, err
		}
		c.observer, c.recorded = observer, &recorded
		observer.Resumed(c.standing)
		err = run.checkPrograms(ctx, c)
		if err == nil && !c.standing.Over() {
			missing, doubted := c.missing(), maps.Clone(c.notes.doubted)
			err = run.play(ctx, c, func(games context.Context, jobs chan<- Job) error {
				return run.handOut(games, missing, doubted, c.retracted, jobs)
			})
		}
		if err == nil {
			err = run.check(ctx, c, files)
		}
		closed := c.close()
		if errors.Is(err, errRetracted) && closed == nil {
			continue // the files have the games that are left
		}
		c.standing.Disputed = slices.Sorted(maps.Keys(c.notes.disputed))
		if why := c.standing.DisputedError(); why != nil {
			c.warn(why)
		}
		return c.standing, errors.Join(err, closed)
	}
}

// CheckFile returns an error if a file has games, but those of another match or more pairs than
// this one has: a *journal.OtherRunError or a *MorePairsError. A missing file has none.
func (m *Match) CheckFile(path string, unchecked bool) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close() // only read
	same := sameMatch{match: m, path: path}
	_, err = ReadLines(file, path, unchecked, func(line *Line) error {
		_, err := same.check(line)
		return err
	})
	return cmp.Or(err, same.err())
}

// sameMatch checks whether the lines of a file are games of a match.
type sameMatch struct {
	match  *Match
	path   string
	before *Setup // the last of the file so far
	pairs  int    // of each pairing, if the file has more than the match; 0 otherwise
}

// check checks a line. counts is false for a game beyond the schedule, which err reports at the end.
func (s *sameMatch) check(line *Line) (counts bool, err error) {
	s.before = cmp.Or(line.Setup, s.before)
	if line.Match != s.match.ID {
		return false, &journal.OtherRunError{Flag: "-out", Differences: s.before.Differences(s.match.Setup)}
	}
	if line.Game >= s.match.Schedule.Games() {
		s.pairs = max(s.pairs, line.Round+1)
		return false, nil
	}
	return true, nil
}

// err returns the error for all lines together.
func (s *sameMatch) err() error {
	if s.pairs == 0 {
		return nil
	}
	return &MorePairsError{Path: s.path, Pairs: s.pairs, Rounds: s.match.Schedule.Rounds}
}

// MorePairsError is the error for a file that has more games than the match that resumes it. The
// file is unchanged.
type MorePairsError struct {
	Path   string
	Pairs  int // of each pairing, in the file
	Rounds int // the pairs of each pairing in the match
}

// Error names both numbers and what to do.
func (e *MorePairsError) Error() string {
	return fmt.Sprintf("%s has games of %d pairs, but the match has only %d; give -pairs %d or more, or name another file with -out",
		e.Path, e.Pairs, e.Rounds, e.Pairs)
}

// maxBatch is how many results may wait while earlier ones are written to disk.
const maxBatch = 256

// check has other workers play again some pairs of each remote worker, drawn at random, and those that are disputed, before
// the match is over. The verdict of a test may need few games, so that those that are checked meanwhile may be none of a
// worker that decides it. The error is errRetracted if the match has games left after that.
func (m *Match) check(ctx context.Context, c *collector, files Files) error {
	checker, ok := m.Executor.(Checker)
	if !ok || m.programs == nil || !checker.Checks(m) { // without programs, it was over before this run
		return nil
	}
	pairs := c.workers.toCheck(func(game int) bool { return m.Fixed || c.recorded.has(game) }, c.notes.disputed)
	if len(pairs) == 0 {
		return nil
	}
	err := m.play(ctx, c, func(games context.Context, jobs chan<- Job) error { return m.handOutAgain(games, pairs, files, jobs) })
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// handOutAgain sends the games of finished pairs to the executor, each with its result.
func (m *Match) handOutAgain(ctx context.Context, pairs map[int]bool, files Files, jobs chan<- Job) error {
	defer close(jobs)
	file, err := os.Open(files.Lines)
	if err != nil {
		return err
	}
	defer file.Close() // only read
	in, endTurn := journal.InTurns(file, files.Turns)
	defer endTurn()
	first := map[int]*Line{} // of pairs whose other game follows
	err = ReadGames(in, files.Lines, files.Unchecked, func(line *Line) error {
		pair := line.Game / 2
		if line.Match != m.ID || !pairs[pair] {
			return nil
		}
		other := first[pair]
		if other == nil {
			first[pair] = line
			return nil
		}
		delete(first, pair)
		endTurn()
		both := []*Line{other, line}
		slices.SortFunc(both, func(a, b *Line) int { return cmp.Compare(a.Game, b.Game) })
		for _, earlier := range both {
			g := m.Schedule.Game(earlier.Game)
			opening, err := m.Openings.Opening(g.Round)
			if err != nil {
				return fmt.Errorf("opening of round %d: %w", g.Round+1, err)
			}
			select {
			case jobs <- Job{Game: g, Opening: opening, Earlier: earlier}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// play passes the jobs that handOut sends to the executor. It returns nil only if the match is
// over.
func (m *Match) play(ctx context.Context, c *collector, handOut func(ctx context.Context, jobs chan<- Job) error) error {
	games, stop := context.WithCancel(ctx)
	defer stop()
	jobs := make(chan Job)
	results := make(chan Result, max(m.Concurrency, maxBatch))
	handedOut := make(chan error, 1)
	go func() { handedOut <- handOut(games, jobs) }()
	executor := m.Executor
	if executor == nil {
		executor = Local{}
	}
	failures := make(chan error, 1)
	go func() { failures <- executor.Play(games, m, jobs, results, c.warn) }()
	over := stop
	if c.standing.Over() { // and is checked
		over = func() {}
	}
	err := c.collect(results, over)
	if err != nil {
		stop()
	}
	for range results { // that cannot be written
	}
	failure := <-failures
	stop() // if the executor failed, jobs are left
	noJobs := <-handedOut
	switch over := c.standing.Over(); {
	case err != nil:
		return err
	case noJobs != nil:
		return noJobs
	case over && failure != nil:
		c.warn(failure) // all games are on disk
		return nil
	case over:
		return nil
	case failure != nil:
		return failure
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("the match ended after %d of its %d games; resume it with the same command", c.standing.Games, m.Schedule.Games())
}

// handOut sends the games of the given numbers to the executor, in order. When retracted is closed,
// it completes a pair of games and returns.
func (m *Match) handOut(ctx context.Context, missing []numbers, doubted map[int]time.Time, retracted <-chan struct{}, jobs chan<- Job) error {
	defer close(jobs)
	for _, n := range missing {
		for number := n.first; number < n.end; number++ {
			end := retracted
			if number > n.first && (number-1)/2 == number/2 {
				end = nil
			}
			g := m.Schedule.Game(number)
			opening, err := m.Openings.Opening(g.Round)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return fmt.Errorf("opening of round %d: %w", g.Round+1, err)
			}
			select {
			case jobs <- Job{Game: g, Opening: opening, Doubted: doubted[g.Pair]}:
			case <-end:
				return nil
			case <-ctx.Done():
				return nil
			}
		}
	}
	return nil
}

// Schedule numbers the games of a match. A round is one pair of games of each
// pairing, all from the same opening. The rounds of all pairings may be followed by
// additional rounds of some pairings.
type Schedule struct {
	Pairings [][2]int // engines by index; the first has white in the first game of a pair
	Rounds   int      // of all pairings
	// Extended are the pairings, by index, that have Extra additional rounds.
	Extended []int `json:"Some"`
	Extra    int   `json:"More"`
}

// Game is a game of a schedule.
type Game struct {
	Number  int
	Pair    int    // Number / 2
	Pairing int    // index in the schedule's pairings
	Round   int    // from 0; also the number of the opening
	Sides   [2]int // engines by side
}

// RoundRobin returns the schedule in which each engine meets each other engine. A
// match of two engines is a round robin.
func RoundRobin(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for i := range engines {
		for j := i + 1; j < engines; j++ {
			s.Pairings = append(s.Pairings, [2]int{i, j})
		}
	}
	return s
}

// Gauntlet returns the schedule in which the first engine meets each other engine.
func Gauntlet(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for j := 1; j < engines; j++ {
		s.Pairings = append(s.Pairings, [2]int{0, j})
	}
	return s
}

// maxGames is the maximum size of a schedule; a larger one is a typing error.
const maxGames = 10_000_000

// Check returns an error if the schedule is invalid for a number of engines.
func (s Schedule) Check(engines int) error {
	if len(s.Pairings) == 0 || s.Rounds < 1 {
		return errors.New("no games to play")
	}
	if s.Extra < 0 {
		return fmt.Errorf("%d additional rounds: negative", s.Extra)
	}
	if s.Rounds > maxGames/len(s.Pairings)/2 || len(s.Extended) > 0 && s.Extra > maxGames/len(s.Extended)/2 || s.Games() > maxGames {
		return fmt.Errorf("more than %d games", maxGames)
	}
	for _, p := range s.Pairings {
		if p[0] == p[1] || min(p[0], p[1]) < 0 || max(p[0], p[1]) >= engines {
			return fmt.Errorf("pairing %v: must be two of the %d engines", p, engines)
		}
	}
	for _, i := range s.Extended {
		if i < 0 || i >= len(s.Pairings) {
			return fmt.Errorf("pairing %d: there are %d pairings", i, len(s.Pairings))
		}
	}
	return nil
}

// Games returns the number of games.
func (s Schedule) Games() int { return 2 * (s.Rounds*len(s.Pairings) + s.Extra*len(s.Extended)) }

// Game returns the game of a number, counted from 0 and less than Games.
func (s Schedule) Game(number int) Game {
	pair := number / 2
	g := Game{Number: number, Pair: pair, Pairing: pair % len(s.Pairings), Round: pair / len(s.Pairings)}
	if further := pair - s.Rounds*len(s.Pairings); further >= 0 {
		g.Pairing, g.Round = s.Extended[further%len(s.Extended)], s.Rounds+further/len(s.Extended)
	}
	p := s.Pairings[g.Pairing]
	g.Sides = [2]int{position.White: p[number%2], position.Black: p[1-number%2]}
	return g
}

// BrokenError is the error of a match that stopped because an engine failed in a game.
type BrokenError struct {
	Line *Line // the game, which is on disk
}

// Error names the game, the engine and its fault.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("stopped after game %d: %s loses: %s: %s", e.Line.Game+1, e.Line.Loser(), e.Line.Reason, e.Line.Detail)
}
