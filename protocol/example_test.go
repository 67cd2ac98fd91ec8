package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// first is the smallest possible engine: it plays the first legal turn.
type first struct {
	hash int // MiB; not used
}

func (f *first) ID() (name, author, version string) { return "First", "a newcomer", "1.0" }

func (f *first) Options() []protocol.Option {
	return []protocol.Option{protocol.Spin("Hash", 16, 1, 1024, func(n int) error { f.hash = n; return nil })}
}

func (f *first) NewGame() {}

func (f *first) Search(_ context.Context, root position.Position, _ search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	turns := root.Turns(nil)
	if len(turns) == 0 {
		return position.None, position.None
	}
	report(protocol.Info{Depth: 1, Nodes: uint64(len(turns)), HasScore: true, PV: turns[:1]})
	return turns[0], position.None
}

func (f *first) Evaluate(*position.Position) string { return "0" }

func (f *first) Bench(context.Context, []string, io.Writer) error {
	return errors.New("there is nothing to measure")
}

// A server turns an engine into a program: it reads commands and answers them.
func ExampleServer() {
	input := strings.NewReader("ugi\nsetoption name Hash value 64\nposition startpos moves f6\ngo depth 1\n")
	if err := protocol.NewServer(&first{}, input, os.Stdout).Serve(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// id name First 1.0
	// id author a newcomer
	// option name Rules type combo default standard var standard var blitz
	// option name Ponder type check default false
	// option name Hash type spin default 16 min 1 max 1024
	// ugiok
	// info depth 1 score cp 0 nodes 84 time 0 pv a2
	// bestmove a2
}

// A client drives an engine, here one inside this program. With protocol.Program it would run
// as a process.
func ExampleClient() {
	engine, err := protocol.Local(func() protocol.Engine { return &first{} }).Start(protocol.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Kill()
	p := position.Start(position.Standard)
	if err := engine.SetPosition(p, nil); err != nil {
		fmt.Println(err)
		return
	}
	answer, err := engine.Go(context.Background(), search.Limits{Depth: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(engine.Name(), "plays", answer.Best)
	fmt.Println(engine.Quit())
	// Output:
	// First 1.0 plays a2
	// <nil>
}
