package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
)

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

// Check starts the first engine of a match with each parameter at both its bounds and verifies
// that it can play. It returns the identity of the program.
func Check(ctx context.Context, m *match.Match, parameters []Parameter) (program string, err error) {
	for _, bound := range []func(Parameter) int{func(p Parameter) int { return p.Min }, func(p Parameter) int { return p.Max }} {
		var values []int
		for _, p := range parameters {
			values = append(values, bound(p))
		}
		one := *m
		one.Engines = slices.Clone(m.Engines[:1])
		one.Engines[0].Settings = game.Merge(one.Engines[0].Settings, settings(parameters, values))
		if err := one.CheckEngines(ctx); err != nil {
			return "", err
		}
		program = one.Programs()[0]
	}
	return program, nil
}

// Games is a [Player] that plays games between an engine and itself through an executor: on this
// machine, or on others. Call Begin before and End after using it.
type Games struct {
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
func (g *Games) Begin(ctx context.Context) {
	ctx, g.stop = context.WithCancel(ctx)
	g.jobs, g.over = make(chan match.Job), make(chan struct{})
	g.waiting = map[int]chan *match.Line{}
	results := make(chan match.Result)
	ended := make(chan error, 1)
	go func() { ended <- g.Executor.Play(ctx, g.Match, g.jobs, results, g.Warn) }()
	go func() {
		defer close(g.over)
		for r := range results {
			g.received(r)
		}
		if g.err = <-ended; g.err == nil {
			g.err = errOver
		}
	}()
}

// received passes a result to the waiting iteration.
func (g *Games) received(r match.Result) {
	if r.Retraction != nil {
		g.Warn(fmt.Errorf("earlier results of worker %s may be wrong, too, and the tuning has learned from them: %s", r.Retraction.Worker, r.Retraction.Why))
		return
	}
	if r.Line == nil { // games are confirmed
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if waits := g.waiting[r.Line.Game/2]; waits != nil {
		waits <- r.Line // has room for both games
	}
	if r.Kept != nil {
		r.Kept() // if the result does not reach the disk, the pair is replayed
	}
}

// End stops the executor.
func (g *Games) End() {
	g.stop()
	<-g.over
}

// Play plays the pair of games of an iteration. See [Player].
func (g *Games) Play(ctx context.Context, k int, plus, minus []int, begun func()) (stats.Games, error) {
	games, err := g.dispatch(ctx, k, plus, minus)
	if err != nil {
		return stats.Games{}, err
	}
	begun() // the executor has both games
	var pair match.Pair
	for range pair {
		select {
		case line := <-games:
			if line.Reason.Broken() {
				return stats.Games{}, fmt.Errorf("iteration %d, with %v as plus and %v as minus: %s: %v: %s", k,
					settings(g.Parameters, plus), settings(g.Parameters, minus), line.Result, line.Reason, line.Detail)
			}
			pair[line.Game%2].Result = line.Outcome()
		case <-g.over:
			return stats.Games{}, g.err
		case <-ctx.Done():
			return stats.Games{}, context.Cause(ctx)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.waiting, k-1)
	both := pair.Games()
	return both[0].Plus(both[1]), nil
}

// dispatch passes both games of an iteration to the executor.
func (g *Games) dispatch(ctx context.Context, k int, plus, minus []int) (<-chan *match.Line, error) {
	g.dispatching.Lock()
	defer g.dispatching.Unlock()
	opening, err := g.Match.Openings.Opening(k - 1)
	if err != nil {
		return nil, fmt.Errorf("opening of iteration %d: %w", k, err)
	}
	games := make(chan *match.Line, 2)
	g.mu.Lock()
	g.waiting[k-1] = games
	g.mu.Unlock()
	both := map[int][]game.Setting{plusSide: settings(g.Parameters, plus), minusSide: settings(g.Parameters, minus)}
	for number := 2 * (k - 1); number < 2*k; number++ {
		j := match.Job{Game: g.Match.Schedule.Game(number), Opening: opening, Settings: both}
		select {
		case g.jobs <- j:
		case <-g.over:
			return nil, g.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return games, nil
}
