package protocol

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
)

// job is what takes time: a search, a benchmark or a count. There is one at
// most. Its methods may be called on nil, which is no job.
type job struct {
	signals *signals
	// openEnded tells that a search answers only after `stop`, and pondering
	// that it answers only after `ponderhit` or `stop`.
	openEnded, pondering bool

	done   chan struct{} // closed when the work is done
	seen   bool          // whether the server's loop has heard of done
	answer string        // the last line; set before done is closed
	err    error         // what to tell the client; set before done is closed
}

// finished returns a channel that is closed when the work is done, or nil when
// that is old news.
func (j *job) finished() <-chan struct{} {
	if j == nil || j.seen {
		return nil
	}
	return j.done
}

// isDone reports whether the work is done.
func (j *job) isDone() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// held reports whether an answer, once there is one, is kept from the client.
func (j *job) held() bool {
	return j != nil && !j.signals.stopped() &&
		(j.openEnded || j.pondering && !j.signals.isPonderHit())
}

// start runs work in the background as the job of the server. What it returns
// is the last line.
func (s *Server) start(j *job, work func() (answer string, err error)) {
	j.done = make(chan struct{})
	if s.closed && j.held() {
		j.signals.stop()
	}
	s.running = j
	go func() {
		defer close(j.done)
		j.answer, j.err = work()
	}()
}

// release gives the answer of a job that is done and not held, and ends the job.
func (s *Server) release() {
	j := s.running
	if j == nil || !j.isDone() || j.held() {
		return
	}
	s.running = nil
	j.signals.stop() // whoever still listens to them can forget it
	if j.err != nil {
		s.fault(j.err)
	}
	s.out.line(j.answer)
}

// count runs `perft` or `divide`.
func (s *Server) count(c CountTurns, signals *signals) {
	root := s.current
	var stop atomic.Bool
	context.AfterFunc(signals.ctx, func() { stop.Store(true) })
	s.start(&job{signals: signals}, func() (string, error) {
		begin := time.Now()
		var nodes uint64
		if c.Divide {
			nodes = position.Divide(&root, c.Depth, &stop, func(t position.Turn, nodes uint64) {
				if !signals.stopped() {
					s.out.linef("%s %d", t, nodes)
				}
			})
		} else {
			nodes = position.Perft(&root, c.Depth, &stop)
		}
		if signals.stopped() {
			return "info string " + c.String() + " stopped", nil
		}
		elapsed := time.Since(begin)
		return fmt.Sprintf("perft %d nodes %d time %d nps %d",
			c.Depth, nodes, elapsed.Milliseconds(), perSecond(nodes, elapsed)), nil
	})
}

// bench runs `bench`.
func (s *Server) bench(c Bench, signals *signals) {
	s.start(&job{signals: signals}, func() (string, error) {
		err := s.engine.Bench(signals.ctx, c.Args, s.out)
		if err != nil {
			err = refuse(c.word(), "", err.Error())
		}
		return "", err
	})
}

// signals is what a client says to one thing that runs, or waits to run. They
// are made before it begins and never taken back, so that nothing said early is
// lost.
type signals struct {
	ctx    context.Context // done when it is to stop
	stop   context.CancelFunc
	hit    chan struct{} // closed when the turn pondered on was played
	hitter sync.Once
}

func newSignals() *signals {
	ctx, cancel := context.WithCancel(context.Background())
	return &signals{ctx: ctx, stop: cancel, hit: make(chan struct{})}
}

// stopped reports whether it was told to stop.
func (s *signals) stopped() bool { return s.ctx.Err() != nil }

// ponderHit tells that the turn pondered on was played.
func (s *signals) ponderHit() { s.hitter.Do(func() { close(s.hit) }) }

// isPonderHit reports whether the turn pondered on was played.
func (s *signals) isPonderHit() bool {
	select {
	case <-s.hit:
		return true
	default:
		return false
	}
}
