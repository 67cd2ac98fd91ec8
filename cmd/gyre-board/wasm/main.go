//go:build js

// Command wasm is the board's program for WebAssembly. The exported page, which has no
// server, runs it in Web Workers. Its argument selects one of two roles, each in a Worker of
// its own:
//
//	session  answers the page as the server does, and starts engines
//	engine   speaks the text protocol on standard input and output
//
// For the role session, JavaScript must set globalThis.gyre before starting the program. It has
// the fields port, a MessagePort to the page; startEngine, a function that starts a Worker with
// the role engine and returns its port and a function that ends it; and processors, the number
// of processors. A message is a string; null means end of file.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
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

// run executes a role until the other side ends it.
func run(args []string, host js.Value) error {
	if len(args) != 1 {
		return fmt.Errorf("expected one argument, session or engine, but got %d", len(args))
	}
	switch args[0] {
	case "session":
		serveSession(host)
		return nil
	case "engine":
		return serveEngine(os.Stdin, os.Stdout)
	}
	return fmt.Errorf("unknown role %q; use session or engine", args[0])
}

// Limits on the engines of a review and of an analysis: each has its own memory, and engines of
// an analysis stay.
const (
	maxReviewers = 8
	maxAnalysts  = 4
)

// patience is generous. The engines are part of this program, and the end of one is noticed at
// once, so only a slow machine makes the session wait.
var patience = session.Patience{
	Engine: protocol.Patience{Handshake: 2 * time.Minute, Answer: 2 * time.Minute, Stop: 30 * time.Second, Quit: time.Second},
	Grace:  30 * time.Second,
}

// serveSession serves the page at the host's port.
func serveSession(host js.Value) {
	page := newPort(host.Get("port"))
	defer page.end()
	bounds := session.DefaultBounds
	bounds.Sessions = 1
	processors := host.Get("processors").Int()
	bounds.Reviewers, bounds.Analysts = min(processors, maxReviewers), min(processors, maxAnalysts)
	engines := []session.Engine{{Name: "Gyre", Start: func(config protocol.Config) (*protocol.Client, error) {
		worker, err := startEngine(host)
		if err != nil {
			return nil, err
		}
		return protocol.Connect(worker, config)
	}}}
	hub := session.NewHub(engine.Version, engines, bounds, patience)
	hub.Serve(context.Background(), messages{page}, nil)
}

// serveEngine serves the engine until the client quits.
func serveEngine(in io.Reader, out io.Writer) error {
	return protocol.NewServer(engine.New(), in, out).Serve()
}

// worker is the client's end of a pipe to an engine in a Worker.
type worker struct {
	*port
	terminate js.Value
	once      sync.Once
}

// startEngine starts the engine in a Worker.
func startEngine(host js.Value) (*worker, error) {
	started := host.Call("startEngine")
	if !started.Truthy() {
		return nil, errors.New("the browser did not start a Worker")
	}
	return &worker{port: newPort(started.Get("port")), terminate: started.Get("terminate")}, nil
}

// Close terminates the Worker.
func (w *worker) Close() error {
	w.once.Do(func() {
		w.terminate.Invoke()
		w.close()
		w.heard.Release()
	})
	return nil
}

// port is a MessagePort as a stream: the concatenation of its messages. A message that is not a
// string ends the stream.
type port struct {
	value js.Value
	heard js.Func

	mu      sync.Mutex
	waiting []string
	changed chan struct{} // has an element if a message or the end has arrived
	ended   bool
	rest    []byte // unread part of the current message, for Read
}

// newPort starts to receive the messages of a MessagePort.
func newPort(value js.Value) *port {
	p := &port{value: value, changed: make(chan struct{}, 1)}
	p.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("data"); data.Type() == js.TypeString {
			p.take(data.String())
		} else {
			p.stop()
		}
		return nil
	})
	value.Set("onmessage", p.heard)
	return p
}

// take adds a message to the queue.
func (p *port) take(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, message)
	p.tell()
}

// stop ends the stream after the queued messages.
func (p *port) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.tell()
}

// tell wakes the reader. The caller holds mu.
func (p *port) tell() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// next waits for the next message, or returns io.EOF after the last.
func (p *port) next(ctx context.Context) (string, error) {
	for {
		if message, err, found := p.poll(); found {
			return message, err
		}
		select {
		case <-p.changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// poll returns the next message or io.EOF, and reports whether there is either.
func (p *port) poll() (message string, err error, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) > 0 {
		message, p.waiting = p.waiting[0], p.waiting[1:]
		return message, nil, true
	}
	return "", io.EOF, p.ended
}

// Read reads messages as a stream. Only one goroutine may call it.
func (p *port) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		message, err := p.next(context.Background())
		if err != nil {
			return 0, err
		}
		p.rest = []byte(message)
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Write sends a message. It does not block.
func (p *port) Write(b []byte) (int, error) {
	p.value.Call("postMessage", string(b))
	return len(b), nil
}

// end sends the end of file, and closes the port.
func (p *port) end() {
	p.value.Call("postMessage", js.Null())
	p.close()
}

// close stops receiving messages, and ends the stream.
func (p *port) close() {
	p.value.Set("onmessage", js.Null())
	p.stop()
}

// messages is a port as a session's connection.
type messages struct{ *port }

func (m messages) Read(ctx context.Context) ([]byte, error) {
	message, err := m.next(ctx)
	return []byte(message), err
}

func (m messages) Write(_ context.Context, message []byte) error {
	_, err := m.port.Write(message)
	return err
}
