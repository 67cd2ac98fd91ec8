//go:build js

package main

import (
	"context"
	"io"
	"sync"
	"syscall/js"
)

// port is a MessagePort as a stream of what its messages hold, one after the other. A
// message that is no string is the end of it.
type port struct {
	value js.Value
	heard js.Func

	mu      sync.Mutex
	waiting []string
	news    chan struct{} // holds a token while something waits or the end has come
	ended   bool
	rest    []byte // of the message that is being read as a stream
}

// newPort begins to hear a MessagePort.
func newPort(value js.Value) *port {
	p := &port{value: value, news: make(chan struct{}, 1)}
	p.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("data"); data.Type() == js.TypeString {
			p.take(data.String())
		} else {
			p.stop()
		}
		return nil
	})
	value.Set("onmessage", p.heard)
	return p
}

// take adds a message to those that wait to be read.
func (p *port) take(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, message)
	p.tell()
}

// stop ends what can be read after what waits.
func (p *port) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.tell()
}

// tell wakes who reads. The caller holds mu.
func (p *port) tell() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// next returns the next message, once there is one, or io.EOF after the last.
func (p *port) next(ctx context.Context) (string, error) {
	for {
		if message, err, found := p.poll(); found {
			return message, err
		}
		select {
		case <-p.news:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// poll returns the next message or the end, if there is either.
func (p *port) poll() (message string, err error, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) > 0 {
		message, p.waiting = p.waiting[0], p.waiting[1:]
		return message, nil, true
	}
	return "", io.EOF, p.ended
}

// Read reads messages as a stream. It belongs to one goroutine.
func (p *port) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		message, err := p.next(context.Background())
		if err != nil {
			return 0, err
		}
		p.rest = []byte(message)
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Write sends a message. A port takes any number.
func (p *port) Write(b []byte) (int, error) {
	p.value.Call("postMessage", string(b))
	return len(b), nil
}

// end tells the other side that nothing more comes, and hears no more of it.
func (p *port) end() {
	p.value.Call("postMessage", js.Null())
	p.close()
}

// close hears no more of the other side, and ends what is read of it.
func (p *port) close() {
	p.value.Set("onmessage", js.Null())
	p.stop()
}

// messages is a port as a session's connection: each message whole.
type messages struct{ *port }

// Read returns the next message.
func (m messages) Read(ctx context.Context) ([]byte, error) {
	message, err := m.next(ctx)
	return []byte(message), err
}

// Write sends a message.
func (m messages) Write(_ context.Context, message []byte) error {
	_, err := m.port.Write(message)
	return err
}
