package tune

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
)

// Openings gives each round its opening, from one goroutine at a time.
type Openings interface {
	Opening(round int) (game.Opening, error)
}

// Games is the [Player] that plays pairs of games between an engine and itself.
type Games struct {
	Engine     game.Engine
	Parameters []Parameter // options of the engine
	Openings   Openings
	Conditions game.Conditions
	Patience   protocol.Patience
	Processors [][]int // of the engines by slot; nil for all
	Warn       func(error)

	mu      sync.Mutex // of openings and players
	players map[int]*[2]*game.Player
}

// The sides of a pair by index: in its first game plus is White.
const (
	plusSide = iota
	minusSide
)

// settings returns the options that have these values.
func settings(parameters []Parameter, values []int) (settings []game.Setting) {
	for i, p := range parameters {
		settings = append(settings, game.Setting{Name: p.Name, Value: strconv.Itoa(values[i])})
	}
	return settings
}

// Check has the engine show that it can play with each parameter at both its bounds, and
// returns which program it is.
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
func (g *Games) Play(ctx context.Context, slot, k int, plus, minus []int) (Result, error) {
	opening, players, err := g.seat(slot, k)
	if err != nil {
		return Result{}, err
	}
	players[plusSide].Set(settings(g.Parameters, plus))
	players[minusSide].Set(settings(g.Parameters, minus))
	var result Result
	for first := range 2 {
		sides := [2]*game.Player{players[first], players[1-first]}
		played, err := game.Play(ctx, sides, opening, g.Conditions)
		if err != nil {
			return Result{}, err
		}
		if played.Reason.Broken() {
			return Result{}, fmt.Errorf("iteration %d, with %v against %v: %v: %v: %s", k, settings(g.Parameters, plus), settings(g.Parameters, minus), played.Result, played.Reason, played.Detail)
		}
		result.count(first, played.Result)
	}
	return result, nil
}

// count counts the first or second game of a pair by its result.
func (r *Result) count(game int, result position.Result) {
	switch result {
	case position.WhiteWins + position.Result(game):
		r.Wins++
	case position.Draw:
		r.Draws++
	default:
		r.Losses++
	}
}

// seat returns the opening of an iteration and the players of a slot.
func (g *Games) seat(slot, k int) (game.Opening, *[2]*game.Player, error) {
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

// Close ends the engines.
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
