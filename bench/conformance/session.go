package conformance

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// How much an engine may say that nobody waits for, or before it says what is waited
// for.
const (
	mostUnheard      = 1 << 17 // lines
	mostUnheardBytes = 64 << 20
)

// heardLine is a line from the engine.
type heardLine struct {
	text string
	at   time.Time
}

// session is a running engine that checks talk to by hand. What the engine says is
// read at once and always, and kept within bounds until somebody waits for it.
type session struct {
	ctx     context.Context
	subject *Subject
	known   *known // of the engine, whichever process it is
	process *protocol.Process

	outgoing chan func() // what the writing goroutine does next
	heard    chan heardLine
	unheard  atomic.Int64 // bytes in heard
	flooded  atomic.Bool  // whether it said more than is kept
	closing  chan struct{}

	record    record            // what was said since the check began
	strays    int               // lines of no meaning since then
	answers   int               // bestmoves in all
	said      []string          // lines since the last forget
	saidBytes int               // their length
	root      position.Position // as the engine was told last
	remark    string            // what else is told of a check that passes
}

// start starts the engine and says nothing to it.
func start(ctx context.Context, subject *Subject, known *known) (*session, error) {
	process, err := subject.Program.Run()
	if err != nil {
		return nil, fmt.Errorf("the engine cannot be started: %w", err)
	}
	s := &session{ctx: ctx, subject: subject, known: known, process: process, outgoing: make(chan func()),
		heard: make(chan heardLine, mostUnheard), closing: make(chan struct{}), root: position.Start(position.Standard)}
	go s.read()
	go s.write()
	return s, nil
}

// read takes lines until the output ends. An engine that says far too much is ended.
func (s *session) read() {
	defer close(s.heard)
	in := bufio.NewReaderSize(s.process, protocol.MaxLine)
	for {
		text, err := in.ReadSlice('\n')
		line := strings.TrimRight(string(text), "\r\n")
		for err == bufio.ErrBufferFull { // the rest of a line that is too long
			_, err = in.ReadSlice('\n')
		}
		if line != "" {
			select {
			case s.heard <- heardLine{line, time.Now()}:
			default:
				s.flooded.Store(true)
			}
			if s.unheard.Add(int64(len(line))) > mostUnheardBytes {
				s.flooded.Store(true)
			}
		}
		if err != nil {
			return
		}
		if s.flooded.Load() {
			s.process.Kill()
			_, _ = io.Copy(io.Discard, s.process) // until the pipe ends, which is all that it can say
			return
		}
	}
}

// write does what is to be done with the engine's input, one after the other.
func (s *session) write() {
	for {
		select {
		case act := <-s.outgoing:
			act()
		case <-s.closing:
			return
		}
	}
}

// do has act done as the next with the engine's input. It waits for what is done
// before.
func (s *session) do(act func()) error {
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	select {
	case s.outgoing <- act:
		return nil
	case <-timer.C:
		return faultf("it has not read its input for %v", s.subject.Patience)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// send sends bytes as they are.
func (s *session) send(text string) error {
	for line := range strings.Lines(text) {
		s.record.add("> ", strings.TrimRight(line, "\n"))
	}
	// An engine that has ended shows by its output.
	return s.do(func() { _, _ = io.WriteString(s.process, text) })
}

// say sends lines.
func (s *session) say(lines ...string) error { return s.send(strings.Join(lines, "\n") + "\n") }

// closeInput ends the engine's input.
func (s *session) closeInput() error {
	s.record.add("> ", "(the end of input)")
	return s.do(func() { _ = s.process.CloseInput() })
}

// close ends the engine.
func (s *session) close() {
	s.process.Kill()
	close(s.closing)
	_ = s.process.Close() // it has ended
}
