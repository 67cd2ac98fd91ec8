//go:build js

// Command wasm is the board for WebAssembly: what the page without a server runs in
// its Workers. It has two roles, by its argument, each in Workers of its own:
//
//	session  answers the page, as the server does, and starts engines
//	engine   the engine on a pipe, by the text protocol
//
//	main.go     the roles
//	port.go     a MessagePort as a connection
//	engines.go  engines in Workers
//
// Who starts it sets globalThis.gyre before: port, a MessagePort to who asks, and for a
// session startEngine, a function that starts a Worker with the other role and returns
// its port and how to end it, and processors, how many there are. A message is a string; null is the end.
package main

import (
	"context"
	"fmt"
	"os"
	"syscall/js"
	"time"

	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

func main() {
	if err := run(os.Args[1:], js.Global().Get("gyre")); err != nil {
		fmt.Fprintln(os.Stderr, "gyre:", err)
		os.Exit(1)
	}
}

// run has the role that the arguments name, until the other side ends it.
func run(args []string, host js.Value) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments, want a role", len(args))
	}
	switch args[0] {
	case "session":
		serveSession(host)
		return nil
	case "engine":
		return serveEngine(host)
	}
	return fmt.Errorf("there is no role %q", args[0])
}

// How many engines review a game, and analyse a position, however many processors there
// are: each has memory of its own, and those that analyse stay.
const (
	mostReviewers = 8
	mostAnalysts  = 4
)

// patience is how long engines are waited for. They are this program, and whether one has
// ended is known: what is waited for is a slow machine.
var patience = session.Patience{
	Engine: protocol.Patience{Handshake: 2 * time.Minute, Answer: 2 * time.Minute, Stop: 30 * time.Second, Quit: time.Second},
	Grace:  30 * time.Second,
}

// serveSession answers the page at the host's port.
func serveSession(host js.Value) {
	page := newPort(host.Get("port"))
	defer page.end()
	bounds := session.DefaultBounds
	bounds.Sessions = 1
	processors := host.Get("processors").Int()
	bounds.Reviewers, bounds.Analysts = min(processors, mostReviewers), min(processors, mostAnalysts)
	engines := []session.Engine{{Name: "Gyre", Start: func(config protocol.Config) (*protocol.Client, error) {
		worker, err := startEngine(host)
		if err != nil {
			return nil, err
		}
		return protocol.Connect(worker, config)
	}}}
	hub := session.NewHub(engine.Version, engines, bounds, patience)
	hub.Serve(context.Background(), messages{page})
}

// serveEngine serves the engine at the host's port.
func serveEngine(host js.Value) error {
	client := newPort(host.Get("port"))
	defer client.end()
	return protocol.NewServer(engine.New(), client, client).Serve()
}
