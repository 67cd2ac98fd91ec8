package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"gyre/position"
)

// Conditions are what holds for all games of a match. No time is negative.
type Conditions struct {
	// Margin is how much longer than its time a turn may take. It covers what
	// lies between the engine and the clock. An engine may have its own.
	Margin time.Duration
	// TurnPatience is how long a turn without a limit of real time may take before
	// its engine counts as stalled; 0 means a minute.
	TurnPatience time.Duration
	Adjudication Adjudication
	// TimeFactor multiplies all real times of limits, on a machine that is so many times
	// slower than the one that they are meant for; 0 means 1. Margins stay as they are.
	TimeFactor float64 `json:"-"`
	// Ponder has all engines with the option Ponder think in their opponent's time.
	// Without it those do that have the option set.
	Ponder bool `json:",omitzero"`
	// PV keeps the lines that engines expect, which changes no game.
	PV bool `json:"-"`
}

// Check returns what is wrong with the conditions, nil if nothing.
func (c Conditions) Check() error {
	switch {
	case c.Margin < 0:
		return fmt.Errorf("margin %v: negative", c.Margin)
	case c.TurnPatience < 0:
		return fmt.Errorf("patience %v for a turn: negative", c.TurnPatience)
	case c.TimeFactor < 0 || c.TimeFactor > mostTimeFactor:
		return fmt.Errorf("times multiplied by %v: not from 0 to %v", c.TimeFactor, mostTimeFactor)
	}
	return c.Adjudication.Check()
}

// mostTimeFactor bounds Conditions.TimeFactor.
const mostTimeFactor = 100

// defaultTurnPatience is the TurnPatience of conditions that have none.
const defaultTurnPatience = time.Minute

// Play plays a game from an opening between two players, by side, that are not
// the same. It always comes to an end: the engines have it within the time that
// they are given, or lose. An engine at fault has been ended when Play returns.
//
// An error says that no game was played: ctx is done, whose cause the error
// is then; the opening, the conditions or an engine's description is wrong, an
// option that the engine refuses included; or neither engine gets ready. When ctx
// is done both engines are ended.
func Play(ctx context.Context, players [2]*Player, opening Opening, conditions Conditions) (*Played, error) {
	begun := time.Now()
	start, err := opening.End()
	if err == nil {
		err = conditions.Check()
	}
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, func() {
		for _, p := range players {
			p.Kill()
		}
	})
	defer release()
	if conditions.TurnPatience == 0 {
		conditions.TurnPatience = defaultTurnPatience
	}
	g := &run{players: players, conditions: conditions,
		turns:  slices.Clone(opening.Turns),
		played: Played{Opening: opening, Final: start}, agreement: agreement{rules: conditions.Adjudication}}
	for side := range g.clocks {
		g.clocks[side] = newClock(players[side].Engine.Limits.scaled(conditions.TimeFactor))
	}
	err = g.prepare()
	for err == nil && g.played.Result == position.Ongoing {
		err = g.turn(ctx)
	}
	for side := range position.Side(2) {
		g.endPondering(side)
	}
	if ctx.Err() != nil {
		for _, p := range players { // what began to start as ctx ended
			p.Kill()
		}
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	g.played.Lasted = time.Since(begun)
	return &g.played, nil
}

// run is a game that is being played.
type run struct {
	players    [2]*Player
	clocks     [2]clock
	conditions Conditions
	agreement  agreement
	turns      []position.Turn // of the opening and since
	pondering  [2]*pondering   // by side; nil for none
	played     Played
}

// prepare gets both engines ready at the same time.
func (g *run) prepare() error {
	var failures [2]error
	var reasons [2]Reason
	var both sync.WaitGroup
	for side, p := range g.players {
		both.Go(func() {
			started, err := p.prepare(g.played.Opening, g.conditions)
			failures[side] = err
			reasons[side], _ = faultOf(err)
			if started && reasons[side] != Unfinished {
				reasons[side] = StartFailure
			}
		})
	}
	both.Wait()
	for side, err := range failures {
		if err != nil && !reasons[side].Fault() {
			return err
		}
	}
	if failures[position.White] != nil && failures[position.Black] != nil {
		for _, p := range g.players {
			p.Kill()
		}
		return fmt.Errorf("neither engine gets ready for a game: %w", errors.Join(failures[:]...))
	}
	for side, err := range failures {
		if err != nil {
			g.lose(position.Side(side), reasons[side], err)
		}
	}
	return nil
}

// lose ends the game for a fault of a side's engine, which is ended by force.
func (g *run) lose(side position.Side, reason Reason, why error) {
	g.players[side].Kill()
	g.played.Result, g.played.Reason = win(side.Opponent()), reason
	g.played.Detail = why.Error()
}
