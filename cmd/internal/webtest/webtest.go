// Package webtest tests that an HTTP server ends slow and silent connections, and that the addresses
// that a server prints can be used.
package webtest

import (
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gyre/cmd/internal/commandline"
)

// count is the number of connections that a test holds open at the same time.
const count = 800

// TimeLimits holds many connections open at each stage of a request. The server that web returns
// for a handler must end each within its own limit for that stage, and not much earlier.
func TimeLimits(t *testing.T, web func(http.Handler) *http.Server) {
	limits := web(nil)
	for _, test := range []struct {
		name    string
		request string
		reads   bool // whether the client reads the answer
		within  time.Duration
	}{
		{"nothing", "", true, limits.ReadHeaderTimeout},
		{"half a header", "GET / HTTP/1.1\r\nHost: board", true, limits.ReadHeaderTimeout},
		{"half a WebSocket", "GET /socket HTTP/1.1\r\nHost: board\r\nUpgrade: websocket\r\n", true, limits.ReadHeaderTimeout},
		{"half a body", "POST / HTTP/1.1\r\nHost: board\r\nContent-Length: 1000\r\n\r\nhalf", true, limits.ReadTimeout},
		{"an answer that nobody reads", "GET / HTTP/1.1\r\nHost: board\r\n\r\n", false, limits.WriteTimeout},
		{"a request, and no other", "GET / HTTP/1.1\r\nHost: board\r\n\r\n", true, limits.IdleTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.within <= 0 || test.within > 10*time.Minute {
				t.Fatalf("the limit is %v", test.within)
			}
			synctest.Test(t, func(t *testing.T) {
				server := web(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if !test.reads {
						_, _ = w.Write(make([]byte, 1<<20))
					}
				}))
				listener := NewPipes()
				go func() { _ = server.Serve(listener) }()
				begun := time.Now()
				var all sync.WaitGroup
				for range count {
					client, err := listener.Dial("")
					if err != nil {
						t.Fatal(err)
					}
					all.Go(func() {
						defer func() { _ = client.Close() }()
						_, _ = io.Copy(client, strings.NewReader(test.request))
						if !test.reads {
							time.Sleep(test.within + time.Second)
						}
						_, _ = io.Copy(io.Discard, client)
					})
				}
				all.Wait()
				if took := time.Since(begun); took < test.within || took > test.within+5*time.Second {
					t.Errorf("the connections ended after %v, want %v", took, test.within)
				}
				_ = server.Close()
			})
		})
	}
}

// Reachable checks the addresses, as HOST:PORT, that a server on all addresses of this machine prints:
// a client connects to each, and none of this machine's addresses for other machines is missing.
func Reachable(t *testing.T, printed []string) {
	t.Helper()
	var hosts []string
	for _, address := range printed {
		host, _, err := net.SplitHostPort(address)
		if ip := net.ParseIP(host); err != nil || ip != nil && ip.IsUnspecified() {
			t.Errorf("%q is no address for a client: %v", address, err)
			continue
		}
		hosts = append(hosts, host)
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Error(err)
			continue
		}
		_ = conn.Close()
	}
	for _, own := range commandline.OwnAddresses() {
		if commandline.ForOthers(own) && !slices.Contains(hosts, own.String()) {
			t.Errorf("%v is not among %q", own, printed)
		}
	}
	if len(hosts) == 0 {
		t.Error("no address is printed")
	}
}

// Pipes is a listener whose connections are in memory, so that servers can run in a bubble of testing/synctest.
type Pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipes returns a listener.
func NewPipes() *Pipes { return &Pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Dial connects to the server from an address, of which it sees the text.
func (p *Pipes) Dial(from string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- newPipe(server, from):
		return newPipe(client, ""), nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Accept returns the next connection.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial.
func (p *Pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns no address.
func (p *Pipes) Addr() net.Addr { return address("") }

// pipe is an end of a connection.
type pipe struct {
	net.Conn
	remote  address
	writing chan struct{} // held during a write: the time of a bubble goes on for those who wait for a channel, but not for a mutex
}

func newPipe(conn net.Conn, remote string) *pipe {
	return &pipe{conn, address(remote), make(chan struct{}, 1)}
}

func (p *pipe) Write(b []byte) (int, error) {
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	return p.Conn.Write(b)
}

func (p *pipe) RemoteAddr() net.Addr { return p.remote }

// address is an address as text.
type address string

func (address) Network() string  { return "pipe" }
func (a address) String() string { return string(a) }
