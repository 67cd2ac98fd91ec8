package ladder

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gyre/position"
	"gyre/protocol"
)

// served is a player behind the protocol. It knows no limits but its own.
type served struct {
	player  Player
	chooser chooser
}

// ID returns who it is.
func (s *served) ID() (name, author, version string) { return s.player.Name, "the Gyre authors", "1" }

// Options returns none.
func (s *served) Options() []protocol.Option { return nil }

// NewGame has nothing to forget.
func (s *served) NewGame() {}

// Search picks a turn.
func (s *served) Search(ctx context.Context, root position.Position, _ protocol.Limits, _ <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	if root.Over() {
		return position.None, position.None
	}
	c := s.chooser.choose(&root, func() bool { return ctx.Err() != nil })
	report(protocol.Info{Depth: c.depth, Nodes: c.nodes, HasScore: c.known, Score: protocol.Score{Value: c.score}, PV: []position.Turn{c.turn}})
	return c.turn, position.None
}

// Evaluate tells the judgement.
func (s *served) Evaluate(p *position.Position) string {
	return fmt.Sprintf("judgement %d for the side to move", judge(p))
}

// Bench is not for players.
func (s *served) Bench(context.Context, []string, io.Writer) error {
	return errors.New("a reference player has no benchmark")
}
