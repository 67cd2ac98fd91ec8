package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"gyre/protocol"
)

// Build tells the program from others, in answers to query_version.
type Build struct{ Name, Version, Revision, Weights string }

// Input is lines to read, with a name for errors; empty where it needs none.
type Input struct {
	io.Reader
	Name string
}

// Server answers queries. It searches as many positions side by side as it has
// analysts.
type Server struct {
	analysts []Analyst
	build    Build
	out      *output
	queue    *queue
	answers  atomic.Int64 // at the end of searches
	faults   atomic.Int64 // lines refused
}

// NewServer returns a server that writes answers to out, a line with each Write.
func NewServer(analysts []Analyst, build Build, out io.Writer) *Server {
	return &Server{analysts: analysts, build: build, out: &output{to: out}, queue: newQueue()}
}

// Serve reads inputs one after the other and answers until all is done, and returns
// what went wrong with them. It ends at once when ctx is done, with its cause, or
// when nothing can be written: searches that are not finished then are not answered,
// and a reader that blocks is left behind. It is called once.
func (s *Server) Serve(ctx context.Context, inputs []Input) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.out.fail = cancel
	release := context.AfterFunc(ctx, func() { s.queue.close(true) })
	defer release()
	var threads sync.WaitGroup
	for _, a := range s.analysts {
		threads.Go(func() { s.work(ctx, a) })
	}
	read := make(chan error, 1)
	go func() { read <- s.readAll(ctx, inputs) }()
	var err error
	select {
	case err = <-read:
	case <-ctx.Done():
	}
	s.queue.close(false)
	threads.Wait()
	s.out.close()
	return cmp.Or(context.Cause(ctx), err)
}

// Progress is how far a server has come.
type Progress struct {
	Answers int64 // at the end of searches
	Left    int64 // positions of the queries that were read, still to be answered
	Faults  int64 // lines refused
}

// Progress tells how far the server has come. It may be called from any goroutine.
func (s *Server) Progress() Progress {
	return Progress{Answers: s.answers.Load(), Left: int64(s.queue.positions()), Faults: s.faults.Load()}
}

// readAll reads all inputs, one after the other.
func (s *Server) readAll(ctx context.Context, inputs []Input) error {
	for _, in := range inputs {
		if err := s.read(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// read reads an input up to its end.
func (s *Server) read(ctx context.Context, in Input) error {
	lines := protocol.NewLineReader(in)
	for number := 1; ctx.Err() == nil; number++ {
		line, cut, err := lines.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case cut:
			err = &Error{Reason: fmt.Sprintf("longer than %d bytes", protocol.MaxLine)}
		case strings.Trim(line, " \t") != "":
			err = s.take(line)
		}
		if fault, refused := errors.AsType[*Error](err); refused {
			s.faults.Add(1)
			s.out.line(faultLine(fault, in.Name, number))
		}
	}
	return nil
}

// take does what a line asks for.
func (s *Server) take(line string) error {
	request, unknown, err := Parse(line)
	if err != nil {
		return err
	}
	switch r := request.(type) {
	case *Query:
		s.warn(r.ID, unknown)
		s.queue.put(r)
	case *Terminate:
		s.warn(r.ID, unknown)
		for _, e := range s.queue.terminate(r.TerminateID) {
			for _, turns := range e.At[e.begun:] {
				s.answer(e.Query, int(turns), nil, 0)
			}
		}
		s.out.line(textsLine("id", r.ID, "action", "terminate", "terminateId", r.TerminateID))
	case *QueryVersion:
		s.warn(r.ID, unknown)
		s.out.line(textsLine("id", r.ID, "action", "query_version", "name", s.build.Name, "version", s.build.Version,
			"revision", s.build.Revision, "weights", s.build.Weights, "protocol", protocol.Version))
	}
	return nil
}

// warn tells of fields that nobody knows.
func (s *Server) warn(id string, unknown []string) {
	for _, name := range unknown {
		s.out.line(textsLine("id", id, "warning", "unknown", "field", name))
	}
}

// output writes whole lines, from any goroutine. It writes nothing after the first
// error, which it tells, or after it was closed.
type output struct {
	mu   sync.Mutex
	to   io.Writer // nil when nothing is written any more
	fail func(error)
}

// line writes a line that has no end yet.
func (o *output) line(text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.to == nil {
		return
	}
	if _, err := o.to.Write(append(text, '\n')); err != nil {
		o.to = nil
		o.fail(err)
	}
}

// close has nothing more be written.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = nil
}
