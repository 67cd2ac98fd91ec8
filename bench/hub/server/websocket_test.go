package server

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/nats-io/nats.go"

	"gyre/bench/hub/internal/wire"
)

// TestNoWebsockets opens more connections to the address for WebSocket connections than it takes, and sends nothing, or
// headers without an end. The hub ends the oldest ones, and those with long headers, and serves a client next to the others.
// Their time limit plays no part.
func TestNoWebsockets(t *testing.T) {
	s, secret := startBy(t, Config{Websocket: "127.0.0.1:-1", handshake: time.Hour, NoRefill: true}, "one", wire.ForMatch)
	dial := func(text string) net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.WebsocketURL(), "ws://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = io.WriteString(conn, text) // it may have ended
		return conn
	}
	const begin = "GET / HTTP/1.1\r\nHost: hub\r\n"
	long := dial(begin + "A: " + strings.Repeat("a", 2*maxHandshake))
	_, _ = io.Copy(io.Discard, long)               // until it ends
	other, end := io.ReadAll(dial(begin + "\r\n")) // of other HTTP, one request
	if !bytes.HasPrefix(other, []byte("HTTP/1.1 426 ")) || end != nil {
		t.Errorf("other HTTP gets %q, %v", other, end)
	}
	var all []net.Conn
	for i := range 2 * maxHandshakes {
		all = append(all, dial([]string{"", begin}[i%2]))
	}
	for _, conn := range all[:maxHandshakes] {
		_, _ = io.Copy(io.Discard, conn)
	}
	conn, err := nats.Connect(s.WebsocketURL(), nats.Nkey(secret.Public, secret.Pair.Sign), nats.CustomInboxPrefix(strings.TrimSuffix(wire.ReplySubjects("one", wire.Hub), ".")+".x"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	next, err := conn.SubscribeSync(wire.NextSubject("one.m", wire.Any))
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	// The hub passes on a large message without an error, also to a client without WebSocket, and back.
	large := bytes.Repeat([]byte("0123456789abcdef"), wire.MaxResult/16)
	inside, err := s.Credentials()
	if err != nil {
		t.Fatal(err)
	}
	own, err := nats.Connect("", append(inside, nats.InProcessServer(s))...)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if err := own.Publish(wire.NextSubject("one.m", "attic"), large); err != nil {
		t.Fatal(err)
	}
	message, err := next.NextMsgWithContext(t.Context())
	if err != nil || !bytes.Equal(message.Data, large) {
		t.Errorf("%v, of %d bytes came %d", err, len(large), len(message.Data))
	}
	back, err := own.SubscribeSync(wire.ReplySubjects("attic", "one") + "*.*")
	if err == nil {
		err = own.Flush()
	}
	if err == nil {
		err = conn.Publish(wire.ReplySubjects("attic", "one")+"c.1", large[:wire.MaxRequest])
	}
	if err != nil {
		t.Fatal(err)
	}
	if message, err = back.NextMsgWithContext(t.Context()); err != nil || !bytes.Equal(message.Data, large[:wire.MaxRequest]) {
		t.Errorf("%v", err)
	}
	left := func() float64 {
		s.door.mu.Lock()
		defer s.door.mu.Unlock()
		return s.door.quotas[quota{"one", false}].Tokens()
	}
	for burst := float64(wire.MatchBurst * wire.QuotaBurst); left() > burst-connectCost-wire.MaxRequest; { // until the key is charged
		time.Sleep(time.Millisecond)
	}
	s.web.mu.Lock()
	defer s.web.mu.Unlock()
	if open, waiting := len(s.web.open), len(s.web.waiting); open > maxHandshakes+1 || waiting > maxHandshakes {
		t.Errorf("%d connections are open, and %d of them wait", open, waiting)
	}
}

// TestVisitors lets a network open many connections that are no WebSocket connections yet. Its own end first.
func TestVisitors(t *testing.T) {
	w := &visitors{most: maxHandshakes + 2, mostWaiting: maxHandshakes, open: map[*visitor]bool{}}
	come := func(address string) (*visitor, *visitor) {
		client, conn := net.Pipe()
		t.Cleanup(func() { _ = client.Close() })
		v := &visitor{conn, w, networkOf(address)}
		ends := w.admit(v)
		if ends != nil {
			_ = ends.Close()
		}
		return v, ends
	}
	other, _ := come("198.51.100.7:1")
	first, _ := come("[2001:db8:1:1::1]:1")
	for i := range maxHandshakes - 2 {
		if _, ends := come([]string{"[2001:db8:1:2::1]:1", "[2001:db8:1:3::9]:4"}[i%2]); ends != nil {
			t.Fatalf("connection %d ends another one", i)
		}
	}
	if _, ends := come("203.0.113.1:1"); ends != first {
		t.Error("the oldest connection of the largest network stays")
	}
	// Whole connections leave their place to others.
	w.waiting = nil
	for i := range 2 {
		if _, ends := come("203.0.113.1:2"); ends != nil {
			t.Errorf("connection %d ends another one", i)
		}
	}
	if v, ends := come("203.0.113.1:3"); ends == nil || ends == v {
		t.Error("the hub takes any number of connections")
	}
	w.waiting = nil
	if v, ends := come("203.0.113.1:4"); ends != v || w.open[v] {
		t.Error("the hub takes any number of whole connections")
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ends := come("203.0.113.1:5"); ends != nil {
		t.Error("a connection that has ended still counts")
	}
	for address, want := range map[string]string{"192.0.2.1:1": "192.0.2.1/32", "[::ffff:192.0.2.1]:1": "192.0.2.1/32", "[fe80::1%eth0]:1": "fe80::/48", "pipe": "invalid Prefix"} {
		if got := networkOf(address).String(); got != want {
			t.Errorf("%s is of %s, not %s", address, got, want)
		}
	}
}

// TestCloseWebsockets ends a hub, which ends its WebSocket connections.
func TestCloseWebsockets(t *testing.T) {
	s, err := Start(t.Context(), Config{Store: t.TempDir(), Listen: "127.0.0.1:-1", Websocket: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.WebsocketURL(), "ws://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const request = "GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, conn) // until it ends
}

// panicking is a connection that panics when it is read or written.
type panicking struct {
	net.Conn
	reads, writes bool
}

// Read implements net.Conn.
func (c panicking) Read(text []byte) (int, error) {
	if c.reads {
		panic("reading")
	}
	return c.Conn.Read(text)
}

// Write implements net.Conn.
func (c panicking) Write(text []byte) (int, error) {
	if c.writes {
		panic("writing")
	}
	return c.Conn.Write(text)
}

// TestPanickingWebsockets lets what a client sends, or gets, make its connection panic. It ends, with a stack in the log, and
// others are served.
func TestPanickingWebsockets(t *testing.T) {
	w, err := newWebsockets("127.0.0.1", 0, 10, nil, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	ends, warnings := make(chan net.Conn, 1), make(chan string, 1)
	go w.serve(func() (net.Conn, error) { return <-ends, nil }, func(err error) { warnings <- err.Error() }, time.Hour)
	for _, test := range []struct {
		name          string
		reads, writes bool
	}{{"writing", false, true}, {"reading", true, false}, {"", false, false}} {
		far, inner := net.Pipe()
		ends <- panicking{inner, test.reads, test.writes}
		outer, reply, err := websocket.Dial(t.Context(), w.url(), nil)
		if err != nil {
			t.Fatal(err, reply)
		}
		defer outer.CloseNow()
		if err := outer.Write(t.Context(), websocket.MessageBinary, []byte("PING")); err != nil && !test.reads {
			t.Fatal(err)
		}
		if test.name == "" {
			got := make([]byte, 4)
			if _, err := io.ReadFull(far, got); err != nil || string(got) != "PING" {
				t.Errorf("afterwards %q, %v", got, err)
			}
			continue
		}
		if text := <-warnings; !strings.Contains(text, "panic: "+test.name+"\n") {
			t.Errorf("the log has %q", text)
		}
		if _, _, err := outer.Read(t.Context()); err == nil {
			t.Errorf("a connection that panicked while %s stays", test.name)
		}
	}
}
