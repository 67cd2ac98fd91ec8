package main

import (
	"fmt"
	"io"
	"sync/atomic"

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

func (firstTurn) Search(root position.Position, _ protocol.Limits, _ *protocol.Signals, _ func(protocol.Info)) (best, ponder position.Turn) {
	return root.Turns(nil)[0], 0
}

func (firstTurn) Evaluate(*position.Position) string { return "no evaluation" }

func (firstTurn) Bench(_ []string, out io.Writer, _ *atomic.Bool) error {
	_, err := fmt.Fprintln(out, "0 nodes 0 nps")
	return err
}
