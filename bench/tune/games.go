package tune

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/protocol"
)

// Games is a [Player] that plays pairs of games between an engine and itself.
type Games struct {
	Engine     game.Engine
	Parameters []Parameter    // options of the engine
	Openings   match.Openings // not called concurrently
	Conditions game.Conditions
	Patience   protocol.Patience
	Processors [][]int // for the engines, by slot; nil for all processors
	Warn       func(error)

	mu      sync.Mutex // guards openings and players
	players map[int]*[2]*game.Player
}

// Indexes of the sides. In the first game of a pair, plus is White.
const (
	plusSide = iota
	minusSide
)

// settings returns options with the given values.
func settings(parameters []Parameter, values []int) (settings []game.Setting) {
	for i, p := range parameters {
		settings = append(settings, game.Setting{Name: p.Name, Value: strconv.Itoa(values[i])})
	}
	return settings
}

// Check starts the engine with each parameter at both its bounds and verifies that it can
// play. It returns the identity of the program.
func (g *Games) Check(ctx context.Context) (program string, err error) {
	opening, err := g.Openings.Opening(0)
	if err != nil {
		return "", err
	}
	for _, bound := range []func(Parameter) int{func(p Parameter) int { return p.Min }, func(p Parameter) int { return p.Max }} {
		var values []int
		for _, p := range g.Parameters {
			values = append(values, bound(p))
		}
		player := game.NewPlayer(&g.Engine, g.Patience, nil)
		player.Set(settings(g.Parameters, values))
		checked, err := player.Check(ctx, opening, g.Conditions)
		if err != nil {
			return "", fmt.Errorf("engine %s cannot play: %w", g.Engine.Name, err)
		}
		program = checked.Program
	}
	return program, nil
}

// Play plays the pair of games of an iteration. See [Player].
func (g *Games) Play(ctx context.Context, slot, k int, plus, minus []int) (stats.Games, error) {
	opening, players, err := g.setUp(slot, k)
	if err != nil {
		return stats.Games{}, err
	}
	players[plusSide].Set(settings(g.Parameters, plus))
	players[minusSide].Set(settings(g.Parameters, minus))
	var pair match.Pair // plus is White in the first game
	for first := range pair {
		sides := [2]*game.Player{players[first], players[1-first]}
		played, err := game.Play(ctx, sides, opening, g.Conditions)
		if err != nil {
			return stats.Games{}, err
		}
		if played.Reason.Broken() {
			return stats.Games{}, fmt.Errorf("iteration %d, with %v against %v: %v: %v: %s", k, settings(g.Parameters, plus), settings(g.Parameters, minus), played.Result, played.Reason, played.Detail)
		}
		pair[first].Result = played.Result
	}
	return total(pair), nil
}

// total returns the games of a pair from the view of plus.
func total(pair match.Pair) stats.Games {
	games := pair.Games()
	return games[0].Plus(games[1])
}

// setUp returns the opening of an iteration and the players of a slot.
func (g *Games) setUp(slot, k int) (game.Opening, *[2]*game.Player, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	opening, err := g.Openings.Opening(k - 1)
	if err != nil {
		return opening, nil, fmt.Errorf("opening of iteration %d: %w", k, err)
	}
	players := g.players[slot]
	if players == nil {
		players = &[2]*game.Player{}
		for i := range players {
			players[i] = game.NewPlayer(&g.Engine, g.Patience, nil)
			if g.Processors != nil {
				players[i].Processors = g.Processors[slot]
			}
		}
		if g.players == nil {
			g.players = map[int]*[2]*game.Player{}
		}
		g.players[slot] = players
	}
	return opening, players, nil
}

// Close stops the engines.
func (g *Games) Close() {
	var all sync.WaitGroup
	for _, players := range g.players {
		for _, p := range players {
			all.Go(func() {
				if err := p.Close(); err != nil && !errors.Is(err, context.Canceled) && g.Warn != nil {
					g.Warn(err)
				}
			})
		}
	}
	all.Wait()
	g.players = nil
}

// Remote is a [Player] whose games are played by an executor, for example on other machines.
// Call Begin before and End after using it.
type Remote struct {
	// Match is a match of the engine against itself. Its engines are plus and minus.
	Match      *match.Match
	Parameters []Parameter // options of the engine
	Executor   match.Executor
	Warn       func(error)

	jobs chan match.Job
	stop context.CancelFunc
	over chan struct{} // closed when the executor has stopped
	err  error         // set before over is closed

	dispatching sync.Mutex // keeps the two games of a pair together
	mu          sync.Mutex
	waiting     map[int]chan *match.Line // by pair
}

// errOver is the error of games requested after the executor has stopped.
var errOver = errors.New("the tuning has ended")

// Begin starts the executor.
func (a *Remote) Begin(ctx context.Context) {
	ctx, a.stop = context.WithCancel(ctx)
	a.jobs, a.over = make(chan match.Job), make(chan struct{})
	a.waiting = map[int]chan *match.Line{}
	results := make(chan match.Result)
	ended := make(chan error, 1)
	go func() {
		_, err := a.Executor.Play(ctx, a.Match, a.jobs, results, a.Warn)
		ended <- err
	}()
	go func() {
		defer close(a.over)
		for r := range results {
			a.received(r)
		}
		if a.err = <-ended; a.err == nil {
			a.err = errOver
		}
	}()
}

// received passes a result to the waiting iteration.
func (a *Remote) received(r match.Result) {
	if r.Retraction != nil {
		a.Warn(fmt.Errorf("earlier results of worker %s may be wrong, too, and the tuning has learned from them: %s", r.Retraction.Worker, r.Retraction.Why))
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if waits := a.waiting[r.Line.Game/2]; waits != nil {
		waits <- r.Line // has room for both games
	}
	if r.Kept != nil {
		r.Kept() // if the result does not reach the disk, the pair is replayed
	}
}

// End stops the executor.
func (a *Remote) End() {
	a.stop()
	<-a.over
}

// Play plays the pair of games of an iteration. See [Player].
func (a *Remote) Play(ctx context.Context, _, k int, plus, minus []int) (stats.Games, error) {
	games, err := a.dispatch(ctx, k, plus, minus)
	if err != nil {
		return stats.Games{}, err
	}
	var pair match.Pair
	for range pair {
		select {
		case line := <-games:
			if line.Reason.Broken() {
				return stats.Games{}, fmt.Errorf("iteration %d, with %v as plus and %v as minus: %s: %v: %s", k,
					settings(a.Parameters, plus), settings(a.Parameters, minus), line.Result, line.Reason, line.Detail)
			}
			pair[line.Game%2].Result = line.Outcome()
		case <-a.over:
			return stats.Games{}, a.err
		case <-ctx.Done():
			return stats.Games{}, context.Cause(ctx)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, k-1)
	return total(pair), nil
}

// dispatch passes both games of an iteration to the executor.
func (a *Remote) dispatch(ctx context.Context, k int, plus, minus []int) (<-chan *match.Line, error) {
	a.dispatching.Lock()
	defer a.dispatching.Unlock()
	opening, err := a.Match.Openings.Opening(k - 1)
	if err != nil {
		return nil, fmt.Errorf("opening of iteration %d: %w", k, err)
	}
	games := make(chan *match.Line, 2)
	a.mu.Lock()
	a.waiting[k-1] = games
	a.mu.Unlock()
	for number := 2 * (k - 1); number < 2*k; number++ {
		j := match.Job{Game: a.Match.Schedule.Game(number), Opening: opening,
			Settings: map[int][]game.Setting{plusSide: settings(a.Parameters, plus), minusSide: settings(a.Parameters, minus)}}
		select {
		case a.jobs <- j:
		case <-a.over:
			return nil, a.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return games, nil
}
