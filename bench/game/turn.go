package game

import (
	"context"
	"fmt"
	"time"

	"gyre/position"
	"gyre/protocol"
)

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
