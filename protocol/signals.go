package protocol

import (
	"context"
	"sync"
)

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
