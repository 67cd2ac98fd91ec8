package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"syscall/js"
	"testing"
	"time"
)

// guard limits every wait for a message. It only keeps a broken test from hanging.
const guard = 5 * time.Minute

// channel returns the two ports of a MessageChannel.
func channel() (one, other js.Value) {
	c := js.Global().Get("MessageChannel").New()
	return c.Get("port1"), c.Get("port2")
}

// page is the client of a session whose engines run in the same program.
type page struct {
	t     *testing.T
	port  *port
	ended chan struct{} // closed when the session has ended
}

// open starts a session. serve runs an engine for a host.
func open(t *testing.T, serve func(host js.Value)) *page {
	t.Helper()
	mine, its := channel()
	host := js.Global().Get("Object").New()
	host.Set("port", its)
	start := js.FuncOf(func(js.Value, []js.Value) any {
		outer, inner := channel()
		engine := js.Global().Get("Object").New()
		engine.Set("port", inner)
		go serve(engine)
		worker := js.Global().Get("Object").New()
		worker.Set("port", outer)
		worker.Set("terminate", js.Global().Get("Function").New()) // the engine ends with its port
		return worker
	})
	host.Set("startEngine", start)
	host.Set("processors", 2)
	p := &page{t: t, port: newPort(mine), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		serveSession(host)
	}()
	t.Cleanup(func() {
		p.port.end()
		<-p.ended
		start.Release()
		mine.Call("close")
	})
	return p
}

// say sends a request.
func (p *page) say(request string) {
	p.t.Helper()
	if _, err := io.WriteString(p.port, request); err != nil {
		p.t.Fatal(err)
	}
}

// hear returns the next message that begins with prefix.
func (p *page) hear(prefix string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), guard)
	defer cancel()
	for {
		message, err := p.port.next(ctx)
		if err != nil {
			p.t.Fatalf("waiting for %s: %v", prefix, err)
		}
		if strings.HasPrefix(message, prefix) {
			return message
		}
	}
}

// serveHere serves the engine as in a Worker.
func serveHere(host js.Value) {
	client := newPort(host.Get("port"))
	defer client.end()
	_ = serveEngine(client, client)
}

// TestSession requests a greeting, a game and a turn.
func TestSession(t *testing.T) {
	p := open(t, serveHere)
	p.say(`{"id":1,"do":"hello"}`)
	if hello := p.hear(`{"id":1,"ok":`); !strings.Contains(hello, `"engines":[{"name":"Gyre",`) {
		t.Errorf("hello is answered %s", hello)
	}
	p.say(`{"id":2,"do":"game","path":{"turns":["f6"]}}`)
	if game := p.hear(`{"id":2,`); game != `{"id":2,"ok":{}}` {
		t.Errorf("a game is answered %s", game)
	}
	p.say(`{"id":3,"do":"think","search":7,"engine":"Gyre","path":{},"limits":{"nodes":300}}`)
	var best struct{ Turn string }
	if err := json.Unmarshal([]byte(p.hear(`{"event":"best","search":7,`)), &best); err != nil || len(best.Turn) < 2 {
		t.Errorf("the turn is %q, %v", best.Turn, err)
	}
}

// TestSessionStops stops an infinite search after its first line.
func TestSessionStops(t *testing.T) {
	p := open(t, serveHere)
	p.say(`{"id":1,"do":"think","search":1,"engine":"Gyre","path":{},"limits":{"infinite":true}}`)
	p.hear(`{"event":"info","search":1,`)
	p.say(`{"id":2,"do":"stop","search":1}`)
	if best := p.hear(`{"event":"best"`); !strings.Contains(best, `"stopped":true`) {
		t.Errorf("it ends with %s", best)
	}
}

// TestEngineEnds checks that the end of an engine's Worker is reported, and that the engine can
// be restarted.
func TestEngineEnds(t *testing.T) {
	works := false
	p := open(t, func(host js.Value) {
		if works {
			serveHere(host)
		} else {
			newPort(host.Get("port")).end()
		}
	})
	p.say(`{"id":1,"do":"think","search":1,"engine":"Gyre","path":{},"limits":{"nodes":1}}`)
	if failed := p.hear(`{"event":"failed","search":1,"engine":"Gyre"`); !strings.Contains(failed, `"lost":true`) {
		t.Errorf("it ends with %s", failed)
	}
	works = true
	p.say(`{"id":2,"do":"restart","engine":"Gyre"}`)
	p.hear(`{"id":2,"ok":{"name":"Gyre","id":"Gyre`)
}

// TestSessionReviews reviews a game with two engines.
func TestSessionReviews(t *testing.T) {
	started := 0
	p := open(t, func(host js.Value) {
		started++
		serveHere(host)
	})
	p.say(`{"id":1,"do":"review","search":1,"engine":"Gyre","path":{"turns":["f6","e5","g6","e7","e4","g8","d6","f8"]},"nodes":50}`)
	for ply := range 8 {
		if turn := p.hear(`{"event":"review","search":1,`); !strings.Contains(turn, fmt.Sprintf(`"turn":{"ply":%d,`, ply+1)) {
			t.Errorf("turn %d is described as %s", ply+1, turn)
		}
	}
	if summary := p.hear(`{"event":"reviewed","search":1,`); !strings.Contains(summary, `"stopped":false`) {
		t.Errorf("it ends with %s", summary)
	}
	if started != 2 {
		t.Errorf("%d engines were started, want 2", started)
	}
}

// TestPort reads messages whole and as a stream, in order, to the end.
func TestPort(t *testing.T) {
	const count = 50
	one, other := channel()
	from, to := newPort(one), newPort(other)
	var want string
	for i := range count {
		line := fmt.Sprintln("line", i, strings.Repeat("ü", i))
		want += line
		if _, err := io.WriteString(from, line); err != nil {
			t.Fatal(err)
		}
	}
	from.end()
	first, err := to.next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(to)
	if got := first + string(rest); err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := from.next(done); err == nil {
		t.Error("a port that is closed gives a message")
	}
}

// TestRoles checks that unknown roles are rejected.
func TestRoles(t *testing.T) {
	for _, args := range [][]string{nil, {"king"}, {"engine", "session"}} {
		if err := run(args, js.Undefined()); err == nil {
			t.Errorf("%q is a role", args)
		}
	}
}
