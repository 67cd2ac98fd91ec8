package analysis

import (
	"context"
	"sync"
	"time"

	"gyre/position"
	"gyre/protocol"
)

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
