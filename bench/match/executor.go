package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"gyre/bench/game"
)

// Job is a game to play.
type Job struct {
	Game    Game
	Opening game.Opening
	// Settings are options of engines in this game alone, by index.
	Settings map[int][]game.Setting
}

// Result is a game that was played, or why it was not.
type Result struct {
	Line *Line
	Err  error
	// Kept, if not nil, is called when the line is on disk for good.
	Kept func()
}

// Crew plays the games of a match: the workers of this process, or those of other
// machines. What holds for all of them:
//
//   - Play returns and closes results when jobs is closed and all its games were played,
//     or ctx is done; then nothing of it runs any more.
//   - Each job has one result with a line at most. Games come in any order.
//   - Results are taken until they are closed, also after ctx is done. After an error
//     among them nothing more is wanted of Play.
//   - warn may be called from any goroutine until Play returns.
type Crew interface {
	Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error))
}

// local is the crew of this process: Match.Concurrency workers.
type local struct{}

// Play has all workers take jobs until there are no more.
func (local) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) {
	var all sync.WaitGroup
	for i := range m.Concurrency {
		w := m.NewWorker(warn)
		if m.Processors != nil {
			w.processors = m.Processors[i]
		}
		all.Go(func() {
			defer w.Close()
			for j := range jobs {
				line, err := w.Play(ctx, j)
				results <- Result{Line: line, Err: err}
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	close(results)
}

// Worker plays games of a match one after the other, with engines of its own. Its
// methods are for one goroutine.
type Worker struct {
	match   *Match
	players map[int]*game.Player // by engine
	warn    func(error)

	processors []int // of its engines, all if empty
}

// NewWorker returns a worker of a match whose engines CheckEngines has checked. warn is
// told of engines that have to be forced to end.
func (m *Match) NewWorker(warn func(error)) *Worker {
	return &Worker{match: m, players: map[int]*game.Player{}, warn: warn}
}

// Play plays a game. An error says that no game was played: see game.Play.
func (w *Worker) Play(ctx context.Context, j Job) (*Line, error) {
	w.keepOnly(j.Game.Sides)
	players := [2]*game.Player{w.player(j.Game.Sides[0]), w.player(j.Game.Sides[1])}
	for side, engine := range j.Game.Sides {
		if settings := j.Settings[engine]; len(settings) > 0 {
			players[side].Set(settings)
		}
	}
	began := time.Now()
	played, err := game.Play(ctx, players, j.Opening, w.match.Conditions)
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

// player returns the player of an engine.
func (w *Worker) player(engine int) *game.Player {
	p := w.players[engine]
	if p == nil {
		e := &w.match.Engines[engine]
		p = game.NewPlayer(e, w.match.Patience, w.trace(e.Name))
		p.Processors = w.processors
		w.players[engine] = p
	}
	return p
}

// trace returns the trace of one engine, nil for none.
func (w *Worker) trace(name string) func(bool, string) {
	all := w.match.Trace
	if all == nil {
		return nil
	}
	return func(toEngine bool, line string) { all(name, toEngine, line) }
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

// end ends an engine, and warns when it had to be forced.
func (w *Worker) end(p *game.Player) {
	if err := p.Close(); err != nil && !errors.Is(err, context.Canceled) {
		w.warn(err)
	}
}

// Verify returns why a line cannot be the game of a job, played by the engines as they
// were checked, nil if it can. The game is replayed: see game.Played.Verify. What real times
// are multiplied by is taken from the line, as told.
func (m *Match) Verify(j Job, line *Line) error {
	played, err := line.Played()
	if err != nil {
		return err
	}
	played.Opening = j.Opening
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

// Same returns how two lines of the same game differ, nil if they do not: in anything but
// real times and who played it.
func Same(one, other *Line) error {
	a, b := untimed(one), untimed(other)
	for i := range min(len(a.Turns), len(b.Turns)) {
		first, err := json.Marshal(a.Turns[i])
		if err != nil {
			return err
		}
		second, err := json.Marshal(b.Turns[i])
		if err != nil {
			return err
		}
		if !bytes.Equal(first, second) {
			return fmt.Errorf("turn %d is %.150s and %.150s", len(a.Opening)+i+1, first, second)
		}
	}
	if err := sameMembers(b, a); err != nil {
		return fmt.Errorf("of two lines of the game %w", err)
	}
	return nil
}

// untimed returns a line without its real times.
func untimed(l *Line) *Line {
	u := *l
	u.Began, u.Seconds, u.Worker = time.Time{}, 0, ""
	u.Turns = slices.Clone(l.Turns)
	for i := range u.Turns {
		u.Turns[i].MS = 0
	}
	return &u
}

// sameMembers returns an error that names the first member of a line that is not as it
// has to be. The worker's name is not compared.
func sameMembers(got, want *Line) error {
	named := *got
	named.Worker = ""
	var members [2]map[string]json.RawMessage
	for i, line := range []*Line{&named, want} {
		text, err := json.Marshal(line)
		if err == nil {
			err = json.Unmarshal(text, &members[i])
		}
		if err != nil {
			return err
		}
	}
	all := maps.Clone(members[0])
	maps.Copy(all, members[1])
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if is, has := members[0][name], members[1][name]; !bytes.Equal(is, has) {
			return fmt.Errorf("its %q is %.100s, and has to be %.100s", name, is, has)
		}
	}
	return nil
}
