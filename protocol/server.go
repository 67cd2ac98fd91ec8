package protocol

import (
	"io"
	"os"
	"strings"
	"sync"

	"gyre/position"
)

// Version is the version of the protocol that PROTOCOL.md describes.
const Version = "1.0"

// Server serves one engine to one client. Everything but Interrupt belongs to
// the goroutine that runs Serve or RunCommand; reading, and whatever takes
// time, have goroutines of their own.
type Server struct {
	engine  Engine
	in      io.Reader
	out     *lineWriter
	options []Option

	dialect Dialect
	ponder  bool // the option Ponder: bestmove tells the reply expected
	rules   position.Rules
	current position.Position

	running *job  // what takes time now; nil when nothing does
	waiting queue // what came meanwhile and needs the engine

	ending   bool  // return as soon as nothing runs or waits
	closed   bool  // nobody is left to say stop: do not wait for it
	quitting bool  // begin no search any more: one that waits has no turn to tell
	refused  error // the first error told to the client

	interrupt     chan struct{}
	interruptOnce sync.Once
}

// NewServer returns a server of engine that reads lines from in and answers on
// out. It stands at the start of a game.
func NewServer(engine Engine, in io.Reader, out io.Writer) *Server {
	s := &Server{engine: engine, in: in, out: newLineWriter(out), interrupt: make(chan struct{})}
	s.current = position.Start(s.rules)
	s.options = s.joinOptions(engine.Options())
	return s
}

// Serve answers lines until `quit`, the end of input, Interrupt, or an error of
// a stream, which it returns. At the end of input whatever ends by itself is
// let finish, and an infinite or pondering search is stopped and answers. The
// goroutine that reads stays behind while its Read blocks.
func (s *Server) Serve() error {
	s.greet()
	done := make(chan struct{})
	defer close(done)
	inputs := make(chan input)
	failed := make(chan error, 1)
	go func() {
		failed <- readInputs(s.in, inputs, done)
		close(inputs)
	}()
	s.loop(inputs)
	if err := s.out.failure(); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// RunCommand runs one command, given as its words, and returns when it is
// done. A search that does not end by itself goes on until Interrupt. The error
// is what the client was told to be wrong, or an error of the output.
func (s *Server) RunCommand(words []string) error {
	in := parseInput(strings.Join(words, " "), false)
	s.take(in)
	if in.command == nil {
		s.fault(refuse("line", in.skipped.First, "no command in it"))
	}
	s.ending = true
	s.loop(nil)
	if err := s.out.failure(); err != nil {
		return err
	}
	return s.refused
}

// Interrupt makes Serve and RunCommand stop what runs, let it answer, and
// return, as `quit` does. It may be called from any goroutine, and often.
func (s *Server) Interrupt() { s.interruptOnce.Do(func() { close(s.interrupt) }) }

// greet tells a person at a terminal what this is.
func (s *Server) greet() {
	file, ok := s.in.(*os.File)
	if !ok {
		return
	}
	if stat, err := file.Stat(); err != nil || stat.Mode()&os.ModeCharDevice == 0 {
		return
	}
	name, _, version := s.engine.ID()
	s.out.note(name + " " + version + `: "help" lists the commands, "quit" ends`)
}

// loop takes inputs, one at a time, until there is nothing more to do.
func (s *Server) loop(inputs <-chan input) {
	interrupt, failed := s.interrupt, s.out.failed
	for {
		s.runWaiting()
		if s.ending && s.running == nil {
			return
		}
		if s.closed {
			inputs = nil
		}
		select {
		case in, ok := <-inputs:
			if ok {
				s.take(in)
			} else {
				s.endInput()
			}
		case <-s.running.finished():
			s.running.seen = true
			s.release()
		case <-interrupt:
			interrupt = nil
			s.quit()
		case <-failed:
			failed = nil
			s.quit()
		}
	}
}

// input is one line read.
type input struct {
	command Command // nil when the line holds none
	size    int     // of the line in bytes
	skipped Skipped
	err     error // why the command is refused
}

// parseInput parses a line; cut tells that it was too long.
func parseInput(line string, cut bool) input {
	if cut {
		in := input{err: refuse("line", line, "too long and skipped")}
		if first, _ := (&words{rest: strings.Fields(line)}).next(); first == (Go{}).word() {
			in.command = Go{}
		}
		return in
	}
	in := input{size: len(line)}
	in.command, in.skipped, in.err = ParseCommand(line)
	return in
}

// readInputs parses lines into inputs until the stream ends or done is closed.
func readInputs(in io.Reader, inputs chan<- input, done <-chan struct{}) error {
	lines := NewLineReader(in)
	for {
		line, cut, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case inputs <- parseInput(line, cut):
		case <-done:
			return nil
		}
	}
}
