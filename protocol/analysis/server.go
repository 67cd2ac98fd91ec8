// Package analysis answers queries for the analysis of positions, each line a JSON
// object: for programs that want many of them. PROTOCOL.md describes the lines, in
// the part "Analysis as JSON lines".
//
// JSON is read and written here and not by encoding/json, which would make the engine
// an eighth larger; the tests hold both to the same.
package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
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

// The most that waits: so many queries, or so many bytes of them.
const (
	mostWaiting      = 20_000
	mostWaitingBytes = 8 << 20
)

// queue is what waits, in the order in which to begin, and what runs.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // waits for room, for work and for the end
	waiting []*entry  // by priority, and those of equal priority as they came
	bytes   int       // that the waiting take
	running []*job
	closed  bool // no more come
	broken  bool // begin nothing any more
}

// entry is a query that waits, with the positions that are not begun yet.
type entry struct {
	*Query
	begun int // of the positions
}

// job is a position to search.
type job struct {
	*Query
	turns  int             // played before it
	ctx    context.Context // of its search
	cancel context.CancelFunc
}

func newQueue() *queue {
	q := new(queue)
	q.changed.L = &q.mu
	return q
}

// size is about how many bytes a query takes.
func (q *Query) size() int { return 400 + len(q.ID) + 8*cap(q.Turns) + 2*cap(q.At) }

// put has a query wait, once there is room for it. It fails if nothing is begun any
// more.
func (q *queue) put(query *Query) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.broken && (len(q.waiting) >= mostWaiting || q.bytes >= mostWaitingBytes) {
		q.changed.Wait()
	}
	place := sort.Search(len(q.waiting), func(i int) bool { return q.waiting[i].Priority < query.Priority })
	q.waiting = append(q.waiting, nil)
	copy(q.waiting[place+1:], q.waiting[place:])
	q.waiting[place] = &entry{Query: query}
	q.bytes += query.size()
	q.changed.Broadcast()
	return !q.broken
}

// next takes the next position to search, once there is one. It fails if nothing is
// begun any more.
func (q *queue) next(ctx context.Context) (*job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.broken && !q.closed && len(q.waiting) == 0 {
		q.changed.Wait()
	}
	if q.broken || len(q.waiting) == 0 {
		return nil, false
	}
	e := q.waiting[0]
	j := &job{Query: e.Query, turns: int(e.At[e.begun])}
	j.ctx, j.cancel = context.WithCancel(ctx)
	q.running = append(q.running, j)
	if e.begun++; e.begun == len(e.At) {
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		q.bytes -= e.size()
		q.changed.Broadcast()
	}
	return j, true
}

// done forgets a job that was taken.
func (q *queue) done(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.cancel()
	for i, running := range q.running {
		if running == j {
			last := len(q.running) - 1
			q.running[i], q.running = q.running[last], q.running[:last]
			return
		}
	}
}

// terminate ends what runs of the queries of an id, and returns those that waited and
// do not any more.
func (q *queue) terminate(id string) (dropped []*entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.waiting[:0]
	for _, e := range q.waiting {
		if e.ID == id {
			q.bytes -= e.size()
			dropped = append(dropped, e)
		} else {
			left = append(left, e)
		}
	}
	clear(q.waiting[len(left):])
	q.waiting = left
	for _, j := range q.running {
		if j.ID == id {
			j.cancel()
		}
	}
	q.changed.Broadcast()
	return dropped
}

// close tells that no more queries come; with broken also that nothing is to be begun
// any more.
func (q *queue) close(broken bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.broken = true, q.broken || broken
	q.changed.Broadcast()
}

// positions returns how many positions wait or are being searched.
func (q *queue) positions() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.running)
	for _, e := range q.waiting {
		n += len(e.At) - e.begun
	}
	return n
}

// Analyst searches positions, one at a time.
type Analyst interface {
	// Search searches a position that is not over as if it were the first, until a
	// limit is reached or ctx is done. It reports lines one after the other, from the
	// best, which has MultiPV 1, and never changes what it has reported. The last
	// reports tell what was found in the end, a line each; with a limit of nodes alone
	// these are the same whenever the search is the same.
	Search(ctx context.Context, root position.Position, limits Limits, report func(protocol.Info))
}

// work searches what waits until nothing is left to begin.
func (s *Server) work(ctx context.Context, a Analyst) {
	for {
		j, ok := s.queue.next(ctx)
		if !ok {
			return
		}
		s.search(ctx, a, j)
	}
}

// search searches a position and answers, unless ctx is done before the end.
func (s *Server) search(ctx context.Context, a Analyst, j *job) {
	began := time.Now()
	var found findings
	if p := j.positionAfter(j.turns); !p.Over() {
		stop := s.tellDuring(j, &found, began)
		a.Search(j.ctx, p, j.Limits, found.add)
		stop()
	}
	s.queue.done(j)
	if ctx.Err() == nil {
		s.answer(j.Query, j.turns, found.last, time.Since(began))
	}
}

// answer tells what was found of a position in the end.
func (s *Server) answer(q *Query, turns int, lines []protocol.Info, elapsed time.Duration) {
	p := q.positionAfter(turns)
	a := answer{id: q.ID, turns: turns, position: &p, lines: lines, elapsed: elapsed}
	s.out.line(a.line())
	s.answers.Add(1)
}

// tellDuring tells again and again, if the query asks for it, what was found so far,
// once there is something, until the function that it returns is called.
func (s *Server) tellDuring(j *job, found *findings, began time.Time) (stop func()) {
	if j.DuringEach == 0 {
		return func() {}
	}
	p := j.positionAfter(j.turns)
	ended := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(j.DuringEach)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			if lines := found.soFar(); len(lines) > 0 {
				a := answer{id: j.ID, turns: j.turns, during: true, position: &p, lines: lines, elapsed: time.Since(began)}
				s.out.line(a.line())
			}
		}
	})
	return func() {
		close(ended)
		telling.Wait()
	}
}

// findings are the lines that a search has reported.
type findings struct {
	mu     sync.Mutex
	last   []protocol.Info // the last ones, and all of them in the end
	bounds bool            // scores among them are
	steady []protocol.Info // the last whole set without a score that is a bound
}

// add takes a report. Scores outside their windows, which come a line alone, are
// passed over by what is told during the search.
func (f *findings) add(i protocol.Info) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i.MultiPV == 1 {
		f.last, f.bounds = f.last[:0], false
	}
	if i.Message != "" || len(i.PV) == 0 || i.MultiPV != len(f.last)+1 {
		return
	}
	f.last = append(f.last, i)
	f.bounds = f.bounds || i.Bound != protocol.Exact
	if len(f.last) >= len(f.steady) && !f.bounds {
		f.steady = append(f.steady[:0], f.last...)
	}
}

// soFar returns what was found up to now.
func (f *findings) soFar() []protocol.Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]protocol.Info(nil), f.steady...)
}
