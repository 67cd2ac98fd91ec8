// Package analysis implements the analysis protocol: it reads queries, one JSON object
// per line, and writes answers, one JSON object per line. PROTOCOL.md describes them in
// the section "Analysis as JSON lines".
//
// To serve an engine, implement [Analyst] and call [Server.Serve]. To read queries only,
// call [Parse].
package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/position/plaintext"
	"gyre/protocol"
	"gyre/search"
)

// Build identifies the program in answers to query_version.
type Build struct{ Name, Version, Revision, Weights string }

// Input is a stream of queries. Name appears in errors; it may be empty.
type Input struct {
	io.Reader
	Name string
}

// Server answers queries. It searches as many positions in parallel as it has analysts.
type Server struct {
	analysts []Analyst
	build    Build
	out      *output
	queue    *queue
	cache    *Cache       // nil for none
	hits     atomic.Int64 // answers that the cache gave
	answers  atomic.Int64 // at the end of searches
	faults   atomic.Int64 // rejected lines
}

// NewServer returns a server that writes answers to out, one line with each Write.
func NewServer(analysts []Analyst, build Build, out io.Writer) *Server {
	return &Server{analysts: analysts, build: build, out: &output{to: out}, queue: newQueue()}
}

// UseCache makes the server look for answers in a cache before it searches, and keep the
// new ones there. Searches that were terminated are not kept. Call it before Serve.
func (s *Server) UseCache(c *Cache) { s.cache = c }

// Serve reads the inputs one after the other and returns when all queries are answered,
// or with the first error of an input. If ctx is done or a Write fails, Serve returns the
// cause at once: unfinished searches get no answer, and a reader that blocks outlives
// Serve. Call it once.
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

// Progress counts the work of a server.
type Progress struct {
	Answers int64 // at the end of searches
	Cached  int64 // of these, from the cache
	Left    int64 // positions read but not yet answered
	Faults  int64 // rejected lines
}

// Progress returns the work done so far. It may be called from any goroutine.
func (s *Server) Progress() Progress {
	return Progress{Answers: s.answers.Load(), Cached: s.hits.Load(), Left: int64(s.queue.positions()), Faults: s.faults.Load()}
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

func (s *Server) read(ctx context.Context, in Input) error {
	lines := protocol.NewLineReader(in)
	for number := 1; ctx.Err() == nil; number++ {
		line, cut, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var foreign error
		if number == 1 {
			foreign = checkFirst(line)
		}
		switch {
		case foreign != nil:
			err = &Error{Reason: foreign.Error()}
		case cut:
			err = &Error{Reason: fmt.Sprintf("longer than %d bytes", protocol.MaxLine)}
		case strings.Trim(line, " \t") != "":
			err = s.take(line, number)
		}
		if fault, rejected := errors.AsType[*Error](err); rejected {
			s.faults.Add(1)
			s.out.line(faultLine(fault, in.Name, number))
		}
		if foreign != nil {
			return nil // no line of it is a query
		}
	}
	return nil
}

// checkFirst returns an error if an input with this first line has no queries.
func checkFirst(line string) error {
	begin := strings.TrimLeft(line, " \t")
	tag, isTag := strings.CutPrefix(begin, "[")
	isTag = isTag && tag != "" && (tag[0]|0x20 >= 'a' && tag[0]|0x20 <= 'z')
	if isTag || strings.HasPrefix(begin, "(;") || strings.HasPrefix(begin, "1.") {
		return errors.New("this is a game record, not queries: gyre review evaluates it")
	}
	return plaintext.Check(line)
}

// take executes the request of a line. Warnings of a line without a valid id have its number.
func (s *Server) take(line string, number int) error {
	request, unknown, err := Parse(line)
	fault, rejected := errors.AsType[*Error](err)
	for _, name := range unknown {
		switch {
		case !rejected:
			s.out.line(textsLine("id", request.id(), "warning", warning(name), "field", name))
		case fault.HasID:
			s.out.line(textsLine("id", fault.ID, "warning", warning(name), "field", name))
		default:
			s.out.line(warningLine(name, number))
		}
	}
	if err != nil {
		return err
	}
	switch r := request.(type) {
	case *Query:
		s.queue.put(r)
	case *Terminate:
		for _, e := range s.queue.terminate(func(id string) bool { return r.All || id == r.TerminateID }) {
			for _, turns := range e.At[e.begun:] {
				s.answer(e.Query, int(turns))
			}
		}
		if r.All {
			s.out.line(textsLine("id", r.ID, "action", "terminate_all"))
		} else {
			s.out.line(textsLine("id", r.ID, "action", "terminate", "terminateId", r.TerminateID))
		}
	case *QueryVersion:
		s.out.line(textsLine("id", r.ID, "action", "query_version", "name", s.build.Name, "version", s.build.Version,
			"revision", s.build.Revision, "weights", s.build.Weights, "protocol", protocol.Version))
	}
	return nil
}

// output writes whole lines, from any goroutine. It passes the first error to fail. After
// that, or after close, it discards everything.
type output struct {
	mu   sync.Mutex
	to   io.Writer // nil after an error or close
	fail func(error)
}

// line writes a line and its end.
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

// close discards all later lines.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = nil
}

// The limits of the queue.
const (
	maxWaiting      = 20_000  // queries
	maxWaitingBytes = 8 << 20 // of all queries
)

// queue holds the waiting queries and the running jobs.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // signals room, work and the end
	waiting []*entry  // by priority, then in the order in which they came
	bytes   int       // of the waiting queries
	running map[*job]bool
	closed  bool // the input has ended
	broken  bool // start no further jobs
}

// entry is a waiting query.
type entry struct {
	*Query
	begun int // how many of its positions were started
}

// job is a position to search.
type job struct {
	*Query
	turns  int             // played before the position
	ctx    context.Context // of its search
	cancel context.CancelFunc
}

func newQueue() *queue {
	q := &queue{running: map[*job]bool{}}
	q.changed.L = &q.mu
	return q
}

// size estimates the bytes that a query occupies.
func (q *Query) size() int { return 400 + len(q.ID) + 8*cap(q.Turns) + 2*cap(q.At) }

// put waits for room, unless the queue is broken, and adds a query.
func (q *queue) put(query *Query) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.broken && (len(q.waiting) >= maxWaiting || q.bytes >= maxWaitingBytes) {
		q.changed.Wait()
	}
	place := sort.Search(len(q.waiting), func(i int) bool { return q.waiting[i].Priority < query.Priority })
	q.waiting = slices.Insert(q.waiting, place, &entry{Query: query})
	q.bytes += query.size()
	q.changed.Broadcast()
}

// next waits for the next position to search and starts its job. It returns false if no
// more positions come.
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
	q.running[j] = true
	if e.begun++; e.begun == len(e.At) {
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		q.bytes -= e.size()
		q.changed.Broadcast()
	}
	return j, true
}

// done removes a job.
func (q *queue) done(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.cancel()
	delete(q.running, j)
}

// terminate cancels the running jobs whose ids match. It removes the waiting queries whose
// ids match from the queue and returns them.
func (q *queue) terminate(matches func(id string) bool) (dropped []*entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(e *entry) bool {
		if !matches(e.ID) {
			return false
		}
		q.bytes -= e.size()
		dropped = append(dropped, e)
		return true
	})
	for j := range q.running {
		if matches(j.ID) {
			j.cancel()
		}
	}
	q.changed.Broadcast()
	return dropped
}

// close declares the end of the input. With broken set, no further jobs start.
func (q *queue) close(broken bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.broken = true, q.broken || broken
	q.changed.Broadcast()
}

// positions returns how many positions wait or run.
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
	// Search searches a position that is not over, with no memory of earlier searches,
	// until limits.Nodes or limits.MoveTime is reached or ctx is done; the other limits
	// are zero. It reports up to multiPV lines one by one, the best first with MultiPV
	// 1, and does not modify a report afterward. The last reports are the final lines.
	// If Nodes is the only limit, they depend on the arguments alone.
	Search(ctx context.Context, root position.Position, limits search.Limits, multiPV int, report func(protocol.Info))
}

// work runs jobs until the input has ended and none is left.
func (s *Server) work(ctx context.Context, a Analyst) {
	for {
		j, ok := s.queue.next(ctx)
		if !ok {
			return
		}
		s.search(ctx, a, j)
	}
}

// search answers a position from the cache or by a search, unless ctx is done before the
// end.
func (s *Server) search(ctx context.Context, a Analyst, j *job) {
	began := time.Now()
	p := j.positionAfter(j.turns)
	final := answer{id: j.ID, turns: j.turns, position: &p}
	key := ""
	if s.cache != nil && !p.Over() {
		key = s.cache.key(j.Query, &p)
		if tail := s.cache.get(key); tail != nil {
			s.queue.done(j)
			s.out.line(append(final.head(), tail...))
			s.hits.Add(1)
			s.answers.Add(1)
			return
		}
	}
	var found findings
	if !p.Over() {
		stop := s.reportDuring(j, &found, began)
		a.Search(j.ctx, p, j.Limits, j.MultiPV, found.add)
		stop()
	}
	terminated := j.ctx.Err() != nil
	s.queue.done(j)
	if ctx.Err() != nil {
		return
	}
	final.lines, final.elapsed = found.last, time.Since(began)
	if key != "" && !terminated {
		s.cache.put(key, final.tail())
	}
	s.out.line(final.line())
	s.answers.Add(1)
}

// answer writes the final answer for a position that was not searched.
func (s *Server) answer(q *Query, turns int) {
	p := q.positionAfter(turns)
	a := answer{id: q.ID, turns: turns, position: &p}
	s.out.line(a.line())
	s.answers.Add(1)
}

// reportDuring writes the lines found so far at regular intervals, if the query asks for
// it, until the returned function is called.
func (s *Server) reportDuring(j *job, found *findings, began time.Time) (stop func()) {
	if j.DuringEach == 0 {
		return func() {}
	}
	p := j.positionAfter(j.turns)
	ended := make(chan struct{})
	var reporting sync.WaitGroup
	reporting.Go(func() {
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
		reporting.Wait()
	}
}

// findings holds the lines that a search has reported.
type findings struct {
	mu     sync.Mutex
	last   []protocol.Info // the latest set of lines, final at the end
	bounds bool            // whether a score in last is a bound
	steady []protocol.Info // the last complete set without bounds
}

// add adds a report. soFar skips a score that is a bound, which is reported without the
// other lines.
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
	f.bounds = f.bounds || i.Bound != search.Exact
	if len(f.last) >= len(f.steady) && !f.bounds {
		f.steady = append(f.steady[:0], f.last...)
	}
}

// soFar returns the lines found so far.
func (f *findings) soFar() []protocol.Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]protocol.Info(nil), f.steady...)
}
