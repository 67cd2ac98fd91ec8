package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"gyre/bench/game"
)

// Executor plays the games of a match: the workers of this process, or those of other
// machines.
type Executor interface {
	// Play plays the jobs and sends their results. It returns an error only if it cannot
	// continue, and nil if ctx is done.
	//
	//   - Play returns when jobs is closed and all its games are played, when ctx is done,
	//     or when it cannot continue. It closes results before, and leaves nothing running.
	//   - Each job has at most one result. Games finish in any order.
	//   - Results are received until they are closed, also after ctx is done.
	//   - warn may be called from any goroutine until Play returns.
	Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) error
}

// Job is a game to play.
type Job struct {
	Game    Game
	Opening game.Opening
	// Settings are options of engines, by index. They stay set in later games of the same worker:
	// if one job of a match has settings, all have, of the same options.
	Settings map[int][]game.Setting
	// Earlier, if not nil, is the game as a remote worker played it. Then another worker plays it to compare the two;
	// see Checker.
	Earlier *Line
	// Doubted is when its pair was doubted first in an earlier execution; zero for never. See Result.
	Doubted time.Time
}

// Checker is an Executor whose workers may be wrong. Before a match is over, another worker plays again some pairs of
// each of them, as jobs with an Earlier game. They have no results: the executor confirms the pair, or retracts the
// games of the worker that was wrong, or does neither if nobody can decide or none has time. It says for how long it waits.
type Checker interface {
	Executor
	// Checks reports whether it compares the games of a match. Others may differ each time.
	Checks(m *Match) bool
}

// Result is a game that was played, or what is known now of earlier ones.
type Result struct {
	Line *Line
	// Kept, if not nil, is called when the line is on disk.
	Kept func()
	// The others are for results without a Line. Confirmed are pairs of which another worker played both games with the same
	// results. Disputed are those that it played with other results: they are checked before the match is over, and they
	// stay disputed until they are confirmed or retracted. Doubted are unfinished pairs of which a worker reported a fault that
	// would end the match.
	Confirmed, Disputed, Doubted []int
	Retraction                   *Retraction // if not nil, retracts games
}

// Retraction takes all games of a remote worker out of a match that were not confirmed, because it was found to send
// wrong ones. A line of the journal records it, and the match plays these games again.
type Retraction struct {
	Worker   string
	Why      string
	Excludes bool // the worker plays no more of the match; see Match.Excluded
}

// Local is the executor of this process: Match.Concurrency workers.
type Local struct{}

// Play implements Executor. If one worker fails the others stop.
func (Local) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) error {
	defer close(results)
	working, stop := context.WithCancel(ctx)
	defer stop()
	failures := make([]error, m.Concurrency) // by worker
	var all sync.WaitGroup
	for i := range m.Concurrency {
		w := m.NewWorker(warn)
		if m.Processors != nil {
			w.processors = m.Processors[i]
		}
		all.Go(func() {
			defer w.Close()
			for {
				select {
				case j, open := <-jobs:
					if !open {
						return
					}
					line, err := w.Play(working, j)
					if err != nil {
						if working.Err() == nil {
							failures[i] = err
							stop()
						}
						return
					}
					results <- Result{Line: line}
				case <-working.Done():
					return
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// Worker plays games of a match one after the other, with its own engines. Its methods
// must be called from one goroutine.
type Worker struct {
	match   *Match
	players map[int]*game.Player // by engine
	warn    func(error)

	processors []int // of its engines; empty for all
}

// NewWorker returns a worker of a match after CheckEngines. It calls warn for engines
// that had to be killed.
func (m *Match) NewWorker(warn func(error)) *Worker {
	return &Worker{match: m, players: map[int]*game.Player{}, warn: warn}
}

// Play plays a game. An error means that no game was played: see game.Play.
func (w *Worker) Play(ctx context.Context, j Job) (*Line, error) {
	w.keepOnly(j.Game.Sides)
	players := [2]*game.Player{w.player(j.Game.Sides[0]), w.player(j.Game.Sides[1])}
	for side, engine := range j.Game.Sides {
		if settings := j.Settings[engine]; len(settings) > 0 {
			players[side].Set(settings)
		}
	}
	played, began, err := w.playFairly(ctx, players, j)
	for _, p := range players {
		if p.Engine.Restart {
			w.end(p)
		}
	}
	if err != nil {
		return nil, err
	}
	return newLine(w.match, j.Game, played, began), nil
}

// maxReplays is how often a game is replayed because this process was late. Then it counts: on an
// overloaded machine it would never end.
const maxReplays = 5

// playFairly plays a game, and again if a clock ran while this process did not. It
// returns when the game began.
func (w *Worker) playFairly(ctx context.Context, players [2]*game.Player, j Job) (*game.Played, time.Time, error) {
	for replays := 0; ; replays++ {
		began := time.Now()
		played, err := game.Play(ctx, players, j.Opening, w.match.Conditions)
		late, wasLate := errors.AsType[*game.LateError](err)
		if !wasLate {
			return played, began, err
		}
		if replays == maxReplays {
			return late.Played, began, late.Err
		}
		w.warn(fmt.Errorf("game %d is played again: %w", j.Game.Number+1, late))
	}
}

func (w *Worker) player(engine int) *game.Player {
	p := w.players[engine]
	if p == nil {
		e := &w.match.Engines[engine]
		p = game.NewPlayer(e, w.match.Patience, w.match.trace(e.Name))
		p.Processors = w.processors
		w.players[engine] = p
	}
	return p
}

// trace returns the trace function of one engine, nil for none.
func (m *Match) trace(name string) func(bool, string) {
	if m.Trace == nil {
		return nil
	}
	return func(toEngine bool, line string) { m.Trace(name, toEngine, line) }
}

// keepOnly ends the engines that the next game does not need.
func (w *Worker) keepOnly(sides [2]int) {
	for engine, p := range w.players {
		if engine != sides[0] && engine != sides[1] {
			w.end(p)
			delete(w.players, engine)
		}
	}
}

// Close ends all engines.
func (w *Worker) Close() {
	var all sync.WaitGroup
	for _, p := range w.players {
		all.Go(func() { w.end(p) })
	}
	all.Wait()
}

// end ends an engine, and warns if it had to be killed.
func (w *Worker) end(p *game.Player) {
	if err := p.Close(); err != nil && !errors.Is(err, context.Canceled) {
		w.warn(err)
	}
}

// Verify returns an error if a line cannot be the game of a job, played by the engines
// that CheckEngines found. It replays the game: see game.Played.Verify. The factor for
// real times is taken from the line unchecked.
func (m *Match) Verify(j Job, line *Line) error {
	var asked Line
	asked.setOpening(j.Opening)
	if line.Rules != asked.Rules || line.Start != asked.Start || !slices.Equal(line.Opening, asked.Opening) {
		return fmt.Errorf("its rules, start and opening are %.20q, %.100q and %.100q, but must be %q, %q and %.100q",
			line.Rules, line.Start, line.Opening, asked.Rules, asked.Start, asked.Opening)
	}
	played, err := line.after(j.Opening) // its turns are legal
	if err != nil {
		return err
	}
	engines := [2]*game.Engine{&m.Engines[j.Game.Sides[0]], &m.Engines[j.Game.Sides[1]]}
	there := *m
	there.Conditions.TimeFactor = line.Factor
	if err := there.Conditions.Check(); err != nil {
		return err
	}
	if err := played.Verify(engines, there.Conditions); err != nil {
		return err
	}
	if line.Seconds < 0 || line.Began.IsZero() {
		return fmt.Errorf("it began at %v and lasted %v s", line.Began.Format(time.RFC3339), line.Seconds)
	}
	return sameMembers(line, newLine(&there, j.Game, played, line.Began))
}

// Same returns an error that describes the first difference between two lines of the same
// game, nil if there is none. It ignores real times and workers.
func Same(one, other *Line) error {
	a, b := untimed(one), untimed(other)
	for i := range min(len(a.Turns), len(b.Turns)) {
		if a.Turns[i].equal(b.Turns[i]) {
			continue
		}
		first, err := json.Marshal(a.Turns[i])
		if err != nil {
			return err
		}
		second, err := json.Marshal(b.Turns[i])
		if err != nil {
			return err
		}
		return fmt.Errorf("turn %d is %.150s and %.150s", len(a.Opening)+i+1, first, second)
	}
	if err := sameMembers(b, a); err != nil {
		return fmt.Errorf("of two lines of the game %w", err)
	}
	return nil
}

// untimed returns a line without what may differ of the same game: its real times, its worker, and the setup, which only
// the first line of a run has.
func untimed(l *Line) *Line {
	u := *l
	u.Began, u.Seconds, u.Worker, u.Setup = time.Time{}, 0, "", nil
	u.Turns = slices.Clone(l.Turns)
	for i := range u.Turns {
		u.Turns[i].MS = 0
	}
	return &u
}

// sameMembers returns an error that names the first JSON member that differs between two
// lines.
func sameMembers(got, want *Line) error {
	if slices.EqualFunc(got.Turns, want.Turns, TurnLine.equal) { // the usual case, without the cost of JSON
		one, other := *got, *want
		one.Turns, other.Turns = one.Turns[:0], other.Turns[:0] // null differs from none
		if reflect.DeepEqual(&one, &other) {
			return nil
		}
	}
	var texts [2][]byte
	for i, line := range []*Line{got, want} {
		var err error
		if texts[i], err = json.Marshal(line); err != nil {
			return err
		}
	}
	var members [2]map[string]json.RawMessage
	for i, text := range texts {
		if err := json.Unmarshal(text, &members[i]); err != nil {
			return err
		}
	}
	all := maps.Clone(members[0])
	maps.Copy(all, members[1])
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if got, want := members[0][name], members[1][name]; !bytes.Equal(got, want) {
			return fmt.Errorf("its %q is %.100s, but must be %.100s", name, got, want)
		}
	}
	return nil
}
