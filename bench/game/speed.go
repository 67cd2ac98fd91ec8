package game

import (
	"context"
	"errors"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// How long an engine searches each of the positions that its speed is measured by: the
// time is for those that are slow.
const (
	speedNodes = 100_000
	speedTime  = 250 * time.Millisecond
)

// Speed starts the engine as for a game, has it search each of the positions for 100,000
// nodes or a quarter of a second, and ends it. It returns the nodes that its last reports
// told of, and the time that it took for them. The error says what it cannot do, or is
// ctx's cause.
func (p *Player) Speed(ctx context.Context, positions []position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	release := context.AfterFunc(ctx, p.Kill)
	defer release()
	defer func() { _ = p.Close() }() // as after a check
	for i := range positions {
		told, used, err := p.searchFor(positions[i], conditions)
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		if err != nil {
			return 0, 0, err
		}
		nodes += told
		took += used
	}
	if nodes == 0 || took <= 0 {
		return 0, 0, errors.New("it tells no nodes before its turn, so its speed cannot be measured")
	}
	return nodes, took, nil
}

// searchFor has the engine search a position of a new game.
func (p *Player) searchFor(at position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	if _, err := p.prepare(Opening{Start: at}, conditions); err != nil {
		return 0, 0, err
	}
	client := p.running()
	if client == nil {
		return 0, 0, context.Canceled
	}
	// As in firstTurn the answer to stop counts as well, of an engine that has to be told.
	ctx, stop := context.WithCancel(context.Background())
	defer time.AfterFunc(checkWait, stop).Stop()
	defer stop()
	limits := protocol.Limits{Nodes: speedNodes, HasNodes: true, MoveTime: speedTime, HasMoveTime: true}
	answer, err := client.Go(ctx, limits, func(i protocol.Info) {
		if i.Nodes > 0 {
			nodes = i.Nodes
		}
	})
	return nodes, answer.Elapsed, err
}
