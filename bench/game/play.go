// Package game plays single games between two engines. It keeps the rules
// itself, watches every wait, and says who won and why; only the side whose
// engine misbehaves loses by it.
//
//	player.go  Engine: how to start an engine; Player: one that runs, reused from game to game
//	limits.go  Limits: clock, time a turn, nodes, depth, and their text; the clock of a side
//	play.go    Play: one game, turn by turn, with thinking in the opponent's time
//	reason.go  Reason: why a game ended; ends by agreement of the engines' scores
//	played.go  Played: a game that has ended, as a record, and whether it can have come of Play
package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"gyre/position"
	"gyre/protocol"
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

// deadlineSlack is how much later than a turn's time is up the engine is told
// to stop, so that its answer, and not our alarm, says what it took.
const deadlineSlack = 5 * time.Millisecond

// turn has the side to move make a turn, and ends the game when it is over. An
// error is not the fault of an engine.
func (g *run) turn(ctx context.Context) error {
	side := g.played.Final.SideToMove()
	client := g.players[side].running()
	if client == nil { // only when ctx is done
		return context.Canceled
	}
	hit := g.expected(side)
	clock := &g.clocks[side]
	allowed, timed := clock.allowed()
	limit := allowed + g.players[side].Engine.margin(g.conditions)
	watched := timed && clock.limits.NodesTime == 0
	patience := g.conditions.TurnPatience
	if watched {
		patience = limit
	}
	waiting, cancel := context.WithTimeout(ctx, patience+deadlineSlack)
	answer, err := g.ask(waiting, client, side, hit)
	cancel()
	if timed && answer.Best != position.None && answer.Elapsed > allowed {
		g.played.Late = append(g.played.Late, answer.Elapsed-allowed)
	}
	switch {
	case answer.Best == position.None && err != nil:
		return g.blame(side, err)
	case !watched && err != nil: // it answered only when told to stop
		return g.blame(side, err)
	case timed && answer.Elapsed > limit:
		why := fmt.Errorf("%s took %v of %v", g.players[side].Engine.Name, answer.Elapsed, allowed)
		if !watched {
			why = fmt.Errorf("%w: %d nodes", why, answer.Last.Nodes)
		}
		g.lose(side, TimeForfeit, why)
		return nil
	}
	clock.spend(answer.Elapsed)
	g.play(side, answer)
	if g.players[side].ponders && g.played.Result == position.Ongoing {
		g.ponder(ctx, client, side, &answer)
	}
	return nil
}

// ask has the engine of the side to move search, or go on with the search that it
// ponders on, which is hit; its time counts from now on.
func (g *run) ask(ctx context.Context, client *protocol.Client, side position.Side, hit *protocol.Running) (protocol.Answer, error) {
	if hit != nil {
		if err := client.PonderHit(); err != nil {
			return protocol.Answer{}, err
		}
		return hit.Wait(ctx)
	}
	if err := client.TellPosition(g.played.Opening.Start, g.turns); err != nil {
		return protocol.Answer{}, err
	}
	return search(ctx, client, side, g.clocks)
}

// blame ends the game for what an engine did, or passes on an error that is not
// its doing.
func (g *run) blame(side position.Side, err error) error {
	reason, fault := faultOf(err)
	if !fault {
		return err
	}
	g.lose(side, reason, err)
	return nil
}

// play makes a turn, and ends the game by the rules or by agreement.
func (g *run) play(side position.Side, answer protocol.Answer) {
	ply := Ply{Turn: answer.Best, Score: answer.Last.Score, HasScore: answer.Last.HasScore,
		Depth: answer.Last.Depth, Nodes: answer.Last.Nodes, Time: answer.Elapsed, Illegal: answer.Illegal}
	if g.conditions.PV {
		ply.PV = answer.Last.PV
	}
	g.played.Plies = append(g.played.Plies, ply)
	g.turns = append(g.turns, answer.Best)
	var child position.Position
	g.played.Final.Play(&child, answer.Best)
	g.played.Final = child
	g.played.Result, g.played.Reason, g.played.Detail = g.agreement.after(&child, side, &ply, len(g.turns))
}

// endOf says by which rule a game is over.
func endOf(p *position.Position) Reason {
	for s := range position.Side(2) {
		if p.Removed(s) >= p.Rules().WinningRings() {
			return RingsRemoved
		}
	}
	if p.Pool() == 0 {
		return PoolEmpty
	}
	return Blocked
}

// pondering is a search in the opponent's time.
type pondering struct {
	turn    position.Turn // that the opponent is expected to make
	running *protocol.Running
}

// ponder has an engine go on with the turn that it expects, after its own: that which
// it named, or the second of its line. An engine that expects none does not ponder. What
// goes wrong shows when it is asked next.
func (g *run) ponder(ctx context.Context, client *protocol.Client, side position.Side, answer *protocol.Answer) {
	expected := answer.Ponder
	if pv := answer.Last.PV; expected == position.None && len(pv) > 1 && pv[0] == answer.Best {
		expected = pv[1]
	}
	if expected == position.None || !g.played.Final.Legal(expected) {
		return
	}
	var child position.Position
	if g.played.Final.Play(&child, expected); child.Over() {
		return
	}
	if client.TellPosition(g.played.Opening.Start, append(slices.Clip(g.turns), expected)) != nil {
		return
	}
	limits := ask(side, g.clocks)
	limits.Ponder = true
	if running, err := client.Begin(ctx, limits, nil); err == nil {
		g.pondering[side] = &pondering{expected, running}
	}
}

// expected returns the search of the side to move, if it ponders on the turn that was
// made. Any other is ended.
func (g *run) expected(side position.Side) *protocol.Running {
	p := g.pondering[side]
	if p == nil || p.turn != g.turns[len(g.turns)-1] {
		g.endPondering(side)
		return nil
	}
	g.pondering[side] = nil
	return p.running
}

// endPondering stops the pondering of a side and hears its answer, which is for nothing:
// only an engine that gives none any more is at fault, and is found out by that.
func (g *run) endPondering(side position.Side) {
	p := g.pondering[side]
	if p == nil {
		return
	}
	g.pondering[side] = nil
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, _ = p.running.Wait(stopped)
}
