package match

import (
	"context"
	"errors"
	"sync"
	"time"

	"gyre/bench/game"
)

// work has all workers take jobs until there are no more, and closes results
// when the last of them is done and no engine runs any more.
func (m *Match) work(ctx context.Context, jobs <-chan job, results chan<- result, warn func(error)) {
	var all sync.WaitGroup
	for i := range m.Concurrency {
		w := &worker{match: m, players: map[int]*game.Player{}, warn: warn}
		if m.Processors != nil {
			w.processors = m.Processors[i]
		}
		all.Go(func() {
			defer w.close()
			for j := range jobs {
				line, err := w.play(ctx, j)
				results <- result{line, err}
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	close(results)
}

// worker plays games one after the other.
type worker struct {
	match   *Match
	players map[int]*game.Player // by engine
	warn    func(error)

	processors []int // of its engines, all if empty
}

// play plays a game.
func (w *worker) play(ctx context.Context, j job) (*Line, error) {
	w.keepOnly(j.game.Sides)
	players := [2]*game.Player{w.player(j.game.Sides[0]), w.player(j.game.Sides[1])}
	began := time.Now()
	played, err := game.Play(ctx, players, j.opening, w.match.Conditions)
	for _, p := range players {
		if p.Engine.Restart {
			w.end(p)
		}
	}
	if err != nil {
		return nil, err
	}
	return newLine(w.match, j.game, played, began), nil
}

// player returns the player of an engine.
func (w *worker) player(engine int) *game.Player {
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
func (w *worker) trace(name string) func(bool, string) {
	all := w.match.Trace
	if all == nil {
		return nil
	}
	return func(toEngine bool, line string) { all(name, toEngine, line) }
}

// keepOnly ends the engines that the next game does not need.
func (w *worker) keepOnly(sides [2]int) {
	for engine, p := range w.players {
		if engine != sides[0] && engine != sides[1] {
			w.end(p)
			delete(w.players, engine)
		}
	}
}

// close ends all engines.
func (w *worker) close() {
	var all sync.WaitGroup
	for _, p := range w.players {
		all.Go(func() { w.end(p) })
	}
	all.Wait()
}

// end ends an engine, and warns when it had to be forced.
func (w *worker) end(p *game.Player) {
	if err := p.Close(); err != nil && !errors.Is(err, context.Canceled) {
		w.warn(err)
	}
}
