package match

import (
	"context"
	"errors"
	"sync"
	"time"

	"gyre/bench/game"
)

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
