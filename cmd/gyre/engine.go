package main

import (
	"context"
	"fmt"
	"io"

	"gyre/position"
	"gyre/protocol"
)

// newEngine returns the engine that is served.
func newEngine() protocol.Engine { return firstTurn{} }

// firstTurn plays the first legal turn.
type firstTurn struct{}

func (firstTurn) ID() (name, author, version string) { return "Gyre", "the Gyre authors", "0.1" }

func (firstTurn) Options() []protocol.Option { return nil }

func (firstTurn) NewGame() {}

func (firstTurn) Search(_ context.Context, root position.Position, _ protocol.Limits, _ <-chan struct{}, _ func(protocol.Info)) (best, ponder position.Turn) {
	return root.Turns(nil)[0], position.None
}

func (firstTurn) Evaluate(*position.Position) string { return "no evaluation" }

func (firstTurn) Bench(_ context.Context, _ []string, out io.Writer) error {
	_, err := fmt.Fprintln(out, "0 nodes 0 nps")
	return err
}
