package session

import (
	"context"
	"encoding/json"
	"sync"
)

// Conn carries the messages of a page. Read is called by one goroutine and
// Write by one other.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
}

// outboxSize is how many messages wait for a slow page before those who have
// more to say wait too.
const outboxSize = 64

// session is one page, from its first message to its last.
type session struct {
	hub    *Hub
	ctx    context.Context // done when the page has gone
	outbox chan []byte
	slots  map[string]*slot // by the names of their engines; belongs to the reading goroutine

	mu       sync.Mutex
	searches map[int64]*search // those that have not ended
	working  sync.WaitGroup    // the slots and the writing
}

// Serve answers a page until it goes or ctx is done. When it returns, all that
// the session has started has ended.
func (h *Hub) Serve(ctx context.Context, conn Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{hub: h, ctx: ctx, outbox: make(chan []byte, outboxSize), slots: map[string]*slot{}, searches: map[int64]*search{}}
	s.working.Go(func() {
		defer cancel()
		s.write(conn)
	})
	for {
		message, err := conn.Read(ctx)
		if err != nil {
			break // the page has gone
		}
		s.handle(message)
	}
	cancel()
	s.working.Wait()
}

// write sends what is in the outbox until the page has gone.
func (s *session) write(conn Conn) {
	for {
		select {
		case message := <-s.outbox:
			if conn.Write(s.ctx, message) != nil {
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// send sends a value to the page. What is sent first arrives first.
func (s *session) send(value any) {
	message, err := json.Marshal(value)
	if err != nil {
		// Only values of this package are sent, and all of them can be.
		panic(err)
	}
	select {
	case s.outbox <- message:
	case <-s.ctx.Done():
	}
}
