package protocol

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// errEnded reports the end of the engine's output.
var errEnded = errors.New("the output has ended")

// maxOutgoing is how many sends can be pending if the engine does not read.
const maxOutgoing = 16

// wire carries lines to an engine and back. It always reads the engine's output at
// once, so that the engine never blocks while the client writes. It stores no lines:
// each goes to the current waiter first, and to unsolicited if the waiter is missing
// or does not accept it as its answer.
type wire struct {
	conn        io.ReadWriteCloser
	trace       func(toEngine bool, line string)
	unsolicited func(line string)
	outgoing    chan []string
	ended       chan struct{} // closed when the output has ended
	closing     chan struct{}
	once        sync.Once

	mu     sync.Mutex
	waiter *waiter
}

// waiter waits for an answer. accept is called with each line and reports whether the
// line is the answer; it runs in the reading goroutine.
type waiter struct {
	accept func(line string, at time.Time) bool
	done   chan struct{}
}

// newWire starts to carry lines. unsolicited runs in the reading goroutine. trace may
// be nil.
func newWire(conn io.ReadWriteCloser, trace func(bool, string), unsolicited func(string)) *wire {
	if trace == nil {
		trace = func(bool, string) {}
	}
	w := &wire{conn: conn, trace: trace, unsolicited: unsolicited, outgoing: make(chan []string, maxOutgoing),
		ended: make(chan struct{}), closing: make(chan struct{})}
	go w.read()
	go w.write()
	return w
}

// read delivers lines until the output ends. It wakes a waiter up once all lines that came
// with its answer are delivered. Otherwise, the second of two answers could be taken for
// the answer to the next command.
func (w *wire) read() {
	defer close(w.ended)
	lines := NewLineReader(w.conn)
	var answered []*waiter
	for {
		line, _, err := lines.Next()
		if err != nil {
			return
		}
		if waiting := w.deliver(line, time.Now()); waiting != nil {
			answered = append(answered, waiting)
		}
		if len(answered) > 0 && !lines.buffered() {
			for _, waiting := range answered {
				close(waiting.done)
			}
			answered = nil
		}
	}
}

// deliver passes a line to the waiter or to unsolicited. It returns the waiter if the line
// is its answer.
func (w *wire) deliver(line string, at time.Time) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace(false, line)
	if waiting := w.waiter; waiting != nil && waiting.accept(line, at) {
		w.waiter = nil
		return waiting
	}
	w.unsolicited(line)
	return nil
}

// write writes the lines of each send with one Write, until the wire is closed. They are in
// the trace before their answers. write ignores errors: if the engine does not read, its output
// ends or no answer comes.
func (w *wire) write() {
	var err error
	for {
		select {
		case lines := <-w.outgoing:
			for _, line := range lines {
				w.trace(true, line)
			}
			if err == nil {
				_, err = io.WriteString(w.conn, strings.Join(lines, "\n")+"\n")
			}
		case <-w.closing:
			return
		}
	}
}

// expect installs a new waiter.
func (w *wire) expect(accept func(line string, at time.Time) bool) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiter = &waiter{accept: accept, done: make(chan struct{})}
	return w.waiter
}

// cancel removes a waiter. Its accept is not called again.
func (w *wire) cancel(waiting *waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiter == waiting {
		w.waiter = nil
	}
}

// send queues lines to write.
func (w *wire) send(ctx context.Context, lines ...string) error {
	select {
	case w.outgoing <- lines: // even if ctx is done
		return nil
	default:
	}
	select {
	case w.outgoing <- lines:
		return nil
	case <-w.ended:
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait waits for a waiter's answer. If ctx is done first, the waiter stays installed.
func (w *wire) wait(ctx context.Context, waiting *waiter) error {
	var err error
	select {
	case <-waiting.done:
		return nil
	case <-w.ended:
		err = errEnded
	case <-ctx.Done():
		err = ctx.Err()
	}
	// If the answer has come as well, it counts.
	select {
	case <-waiting.done:
		return nil
	default:
		return err
	}
}

// close ends both directions.
func (w *wire) close() {
	w.once.Do(func() {
		close(w.closing)
		// The engine is being ended: errors of its pipes do not matter.
		_ = w.conn.Close()
	})
}

// WithPatience returns a copy of parent that is done with [context.DeadlineExceeded] once this
// program has run for the time d. Unlike with [context.WithTimeout], time in which the program is
// stopped (for example by Ctrl-Z) or the machine sleeps counts as a twentieth of d at most, so an
// engine that was stopped, too, still has time to answer. Call cancel to release it.
func WithPatience(parent context.Context, d time.Duration) (waiting context.Context, cancel context.CancelFunc) {
	p := &awake{Context: parent, done: make(chan struct{})}
	ticker := time.NewTicker(max(d/patienceTicks, 1))
	go func() {
		defer ticker.Stop()
		p.wait(ticker.C)
	}()
	return p, func() { p.end(context.Canceled) }
}

// patienceTicks is how many ticks of a ticker make up the time of WithPatience. A ticker keeps one
// tick of a time in which nobody receives them.
const patienceTicks = 20

// awake is a context of WithPatience. Its parent has the values.
type awake struct {
	context.Context
	done chan struct{}

	mu  sync.Mutex
	err error
}

// wait ends the context after patienceTicks ticks, or with its parent.
func (p *awake) wait(ticks <-chan time.Time) {
	for range patienceTicks {
		select {
		case <-ticks:
		case <-p.Context.Done():
			p.end(p.Context.Err())
			return
		case <-p.done:
			return
		}
	}
	p.end(context.DeadlineExceeded)
}

// end ends the context with an error, unless it has ended.
func (p *awake) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
		close(p.done)
	}
}

// Deadline implements context.Context. When the program will have run long enough is unknown.
func (p *awake) Deadline() (at time.Time, known bool) { return time.Time{}, false }

// Done implements context.Context.
func (p *awake) Done() <-chan struct{} { return p.done }

// Err implements context.Context.
func (p *awake) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Local makes an engine that runs inside this program. If the engine is an io.Closer,
// it is closed after its client has ended.
type Local func() Engine

// Start makes an engine, serves it in a goroutine, and connects a client to it over the
// same text protocol.
func (l Local) Start(config Config) (*Client, error) {
	engine := l()
	name, _, _ := engine.ID()
	config.Name = cmp.Or(config.Name, name)
	return Connect(localConn(engine), config)
}

// pipes is the client's end of two pipes to a server inside this program.
type pipes struct {
	*io.PipeReader
	*io.PipeWriter
	server *Server
	exited chan struct{} // closed when the server has returned and its engine is closed
}

// localConn serves engine, and returns a connection to it.
func localConn(engine Engine) io.ReadWriteCloser {
	commands, toServer := io.Pipe()
	answers, fromServer := io.Pipe()
	server := NewServer(engine, commands, fromServer)
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		err := server.Serve()
		if closer, ok := engine.(io.Closer); ok {
			_ = closer.Close() // nobody is left to report an error to
		}
		_ = commands.Close() // a pipe's Close never fails
		_ = fromServer.CloseWithError(cmp.Or(err, io.EOF))
	}()
	return &pipes{answers, toServer, server, exited}
}

// Exited is closed when the engine uses neither a processor nor memory anymore.
func (p *pipes) Exited() <-chan struct{} { return p.exited }

// Close stops the server and its running job. It does not wait for them.
func (p *pipes) Close() error {
	p.server.Interrupt()
	return errors.Join(p.PipeWriter.Close(), p.PipeReader.Close())
}

// MaxLine is the longest line, in bytes without its end, that either end accepts. The
// turns of the longest game take some two thousand bytes, and all the turns of a
// crowded position of a game some ten thousand.
const MaxLine = 1 << 20

// MaxTurns is the largest number of legal turns that `query moves` lists: they fit in a line.
// A position that somebody has set up can have more than a million.
const MaxTurns = 20_000

// byteOrderMark begins a text of some programs and editors. It is not part of a line.
const byteOrderMark = "\ufeff"

// fields splits a line at its blanks, which are those of ASCII. Other bytes, such as NUL or a
// space of Unicode, are parts of words.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' })
}

// LineReader splits a stream into lines. It holds one line at a time, and little memory while
// lines are short.
type LineReader struct {
	in *bufio.Reader
}

// NewLineReader returns a reader of the lines of a stream.
func NewLineReader(in io.Reader) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(in, 16<<10)}
}

// Next returns the next line without its end and without a byte-order mark before it. If
// the line is longer than MaxLine, Next returns the beginning, with cut set, and discards
// the rest. A last line without an end counts; the error of the stream follows it.
func (r *LineReader) Next() (line string, cut bool, err error) {
	text, err := r.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		text = bytes.Clone(text)
	}
	for err == bufio.ErrBufferFull && len(text) < MaxLine+len("\r\n") {
		var more []byte
		more, err = r.in.ReadSlice('\n')
		text = append(text, more...)
	}
	line = string(bytes.TrimPrefix(bytes.TrimRight(text, "\r\n"), []byte(byteOrderMark)))
	if len(line) > MaxLine {
		line, cut = line[:MaxLine], true
	}
	for err == bufio.ErrBufferFull {
		cut = true
		_, err = r.in.ReadSlice('\n')
	}
	if line != "" || cut {
		return line, cut, nil // an error comes again with the next call
	}
	return "", false, err
}

// buffered reports whether the next line has been read from the stream.
func (r *LineReader) buffered() bool {
	text, _ := r.in.Peek(r.in.Buffered()) // what is buffered can always be peeked
	return bytes.IndexByte(text, '\n') >= 0
}

// lineWriter writes whole lines, from any goroutine. After the first error, which becomes
// the cause of failed, it discards everything.
type lineWriter struct {
	mu     sync.Mutex
	out    io.Writer
	failed context.Context
	fail   context.CancelCauseFunc
}

func newLineWriter(out io.Writer) *lineWriter {
	w := &lineWriter{out: out}
	w.failed, w.fail = context.WithCancelCause(context.Background())
	return w
}

// line writes text and a line end with one Write. It ignores empty text.
func (w *lineWriter) line(text string) {
	if text == "" {
		return
	}
	// w.failed keeps the error.
	_, _ = w.Write([]byte(strings.TrimSuffix(text, "\n") + "\n"))
}

func (w *lineWriter) linef(format string, args ...any) { w.line(fmt.Sprintf(format, args...)) }

// fault reports an error to the client.
func (w *lineWriter) fault(err error) { w.line("info string error " + printable(err.Error())) }

// note writes an `info string`.
func (w *lineWriter) note(text string) { w.line("info string " + printable(text)) }

// Write writes p unchanged.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := context.Cause(w.failed); err != nil {
		return 0, err
	}
	n, err := w.out.Write(p)
	if err != nil {
		w.fail(err)
	}
	return n, err
}
