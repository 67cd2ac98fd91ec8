package protocol

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// errEnded tells that the engine's output has ended.
var errEnded = errors.New("the output has ended")

// mostOutgoing is how many sends may be on their way to an engine that does not
// read.
const mostOutgoing = 16

// wire carries lines to an engine and back. What the engine says is read at
// once and always, so that an engine never blocks on a client that is writing,
// and nothing is stored: a line goes to the hope of the moment, or is overheard.
type wire struct {
	conn     io.ReadWriteCloser
	trace    func(toEngine bool, line string)
	overhear func(line string) // gets each line that is not the answer waited for
	outgoing chan string
	ended    chan struct{} // closed when the output has ended
	closing  chan struct{}
	once     sync.Once

	mu   sync.Mutex
	hope *hope
}

// hope is an answer that somebody waits for. take looks at each line and
// reports whether it is the answer; it runs in the reading goroutine.
type hope struct {
	take func(line string, at time.Time) bool
	done chan struct{}
}

// newWire begins to carry lines. overhear runs in the reading goroutine; trace
// may be nil.
func newWire(conn io.ReadWriteCloser, trace func(bool, string), overhear func(string)) *wire {
	if trace == nil {
		trace = func(bool, string) {}
	}
	w := &wire{conn: conn, trace: trace, overhear: overhear, outgoing: make(chan string, mostOutgoing),
		ended: make(chan struct{}), closing: make(chan struct{})}
	go w.read()
	go w.write()
	return w
}

// read hands the lines out until the output ends.
func (w *wire) read() {
	defer close(w.ended)
	lines := NewLineReader(w.conn)
	for {
		line, _, err := lines.Next()
		if err != nil {
			return
		}
		w.deliver(line, time.Now())
	}
}

// deliver shows a line to the hope of the moment.
func (w *wire) deliver(line string, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace(false, line)
	if h := w.hope; h != nil && h.take(line, at) {
		w.hope = nil
		close(h.done)
		return
	}
	w.overhear(line)
}

// write writes lines until the wire is closed. An engine that reads no more
// shows by its output or its silence.
func (w *wire) write() {
	var err error
	for {
		select {
		case lines := <-w.outgoing:
			if err == nil {
				_, err = io.WriteString(w.conn, lines)
			}
		case <-w.closing:
			return
		}
	}
}

// expect makes take the hope of the moment.
func (w *wire) expect(take func(line string, at time.Time) bool) *hope {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hope = &hope{take: take, done: make(chan struct{})}
	return w.hope
}

// giveUp ends a hope; its take is not called any more.
func (w *wire) giveUp(h *hope) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hope == h {
		w.hope = nil
	}
}

// send puts lines on their way, which reach the engine at once.
func (w *wire) send(ctx context.Context, lines ...string) error {
	text := strings.Join(lines, "\n") + "\n"
	select {
	case w.outgoing <- text: // also when ctx is just done: then the lines are sent
	default:
		select {
		case w.outgoing <- text:
		case <-w.ended:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, line := range lines {
		w.trace(true, line)
	}
	return nil
}

// wait waits for the answer to a hope, which stays alive when ctx is done first.
func (w *wire) wait(ctx context.Context, h *hope) error {
	var err error
	select {
	case <-h.done:
		return nil
	case <-w.ended:
		err = errEnded
	case <-ctx.Done():
		err = ctx.Err()
	}
	// An answer that has come as well counts.
	select {
	case <-h.done:
		return nil
	default:
		return err
	}
}

// close ends both directions.
func (w *wire) close() {
	w.once.Do(func() {
		close(w.closing)
		// The engine is being ended: what its pipes say to that changes nothing.
		_ = w.conn.Close()
	})
}

// Local is an engine of this program: each call makes one of its own. One that
// is an io.Closer is closed when its client has ended.
type Local func() Engine

// Start makes an engine, serves it in a goroutine and connects a client to it,
// by way of the same protocol.
func (l Local) Start(config Config) (*Client, error) {
	engine := l()
	name, _, _ := engine.ID()
	config.Name = cmp.Or(config.Name, name)
	return Connect(localConn(engine), config)
}

// pipes is the client's end of two pipes to a server in this program.
type pipes struct {
	io.Reader
	io.WriteCloser
	server *Server
	reader *io.PipeReader
}

// localConn serves engine at the other end of the connection that it returns.
func localConn(engine Engine) io.ReadWriteCloser {
	commands, toServer := io.Pipe()
	answers, fromServer := io.Pipe()
	server := NewServer(engine, commands, fromServer)
	go func() {
		err := server.Serve()
		if closer, ok := engine.(io.Closer); ok {
			_ = closer.Close() // nobody is left to be told
		}
		_ = commands.Close() // a pipe's Close never fails
		_ = fromServer.CloseWithError(cmp.Or(err, io.EOF))
	}()
	return &pipes{Reader: answers, WriteCloser: toServer, server: server, reader: answers}
}

// Close ends the server, stopping what it runs.
func (p *pipes) Close() error {
	p.server.Interrupt()
	err := p.WriteCloser.Close()
	if reading := p.reader.Close(); err == nil {
		err = reading
	}
	return err
}
