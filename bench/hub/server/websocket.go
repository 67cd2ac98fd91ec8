package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"gyre/bench/hub/internal/wire"
)

// websockets takes WebSocket connections and passes what they carry on to the NATS server, within this process. The NATS
// server can listen for them itself, but then holds any number of connections that send other HTTP, or nothing.
type websockets struct {
	visitors // of which those wait that are no WebSocket connections yet
	host     string
	secure   bool
	web      *http.Server
	connect  func() (net.Conn, error) // to the NATS server
	warn     func(error)
	timeout  time.Duration // of a write to a client

	closed  bool // with the mutex of visitors
	passing sync.WaitGroup
}

// visitors is a listener with two limits: for all its connections, and for those that wait. Beyond either, the oldest of those
// that wait ends, of the network with the most.
type visitors struct {
	net.Listener
	most, mostWaiting int // connections at once

	mu      sync.Mutex
	open    map[*visitor]bool
	waiting []*visitor // the oldest first
}

// Limit returns a listener with at most a number of connections at once. If more come, the oldest one of the address with the
// most ends, or of the IPv6 network of 48 bits.
func Limit(listener net.Listener, most int) net.Listener {
	return &visitors{Listener: listener, most: most, mostWaiting: most, open: map[*visitor]bool{}} // all wait: none is worth more than another
}

const (
	// maxHandshakes is how many connections may be no WebSocket connections yet, and maxHandshake how many bytes the
	// headers of a request may have. If more connections come, the oldest of the network with the most ends.
	maxHandshakes = 256
	maxHandshake  = 16 << 10
	// networkBits is how many bits of an IPv6 address name a network that counts as one visitor.
	networkBits = 48
	// passedSize is how many bytes are passed on at a time.
	passedSize = 8 << 10
)

// visitor is a connection of a listener with a limit.
type visitor struct {
	net.Conn
	of      *visitors
	network netip.Prefix
}

// visitorKey is the key of a request's connection in its context.
type visitorKey struct{}

// newWebsockets listens for WebSocket connections, most at once. A client may take handshake for its request.
func newWebsockets(host string, port, most int, config *tls.Config, handshake time.Duration) (*websockets, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(max(port, 0))))
	if err != nil {
		return nil, err
	}
	w := &websockets{visitors: visitors{Listener: listener, most: most, mostWaiting: maxHandshakes, open: map[*visitor]bool{}}, host: host, secure: config != nil}
	w.web = &http.Server{Handler: w, MaxHeaderBytes: maxHandshake, ReadHeaderTimeout: handshake, ReadTimeout: handshake,
		WriteTimeout: handshake, TLSConfig: config, ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateIdle { // it has sent other HTTP, and may do so all the time
				_ = c.Close()
			}
		},
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if secure, is := c.(*tls.Conn); is {
				c = secure.NetConn()
			}
			return context.WithValue(ctx, visitorKey{}, c)
		}}
	return w, nil
}

// serve takes connections until close.
func (w *websockets) serve(connect func() (net.Conn, error), warn func(error), timeout time.Duration) {
	w.connect, w.warn, w.timeout = connect, warn, timeout
	var listener net.Listener = w
	if w.secure {
		listener = tls.NewListener(w, w.web.TLSConfig)
	}
	_ = w.web.Serve(listener) // until it is closed
}

// url returns the address for clients.
func (w *websockets) url() string {
	scheme := "ws://"
	if w.secure {
		scheme = "wss://"
	}
	return scheme + net.JoinHostPort(w.host, strconv.Itoa(w.Addr().(*net.TCPAddr).Port))
}

// Accept returns the next connection that may stay.
func (l *visitors) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		v := &visitor{conn, l, networkOf(conn.RemoteAddr().String())}
		ends := l.admit(v)
		if ends != nil {
			_ = ends.Close()
		}
		if ends != v {
			return v, nil
		}
	}
}

// networkOf returns the network of an address; the zero one if it is none.
func networkOf(address string) netip.Prefix {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip := at.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = networkBits
	}
	network, _ := ip.Prefix(bits)
	return network
}

// admit takes a new connection and returns the one that must end for it, which may be the new one; nil for none.
func (l *visitors) admit(v *visitor) (ends *visitor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) >= l.mostWaiting || len(l.open) >= l.most {
		if len(l.waiting) == 0 {
			return v
		}
		counts := map[netip.Prefix]int{v.network: 1}
		for _, other := range l.waiting {
			counts[other.network]++
		}
		for _, other := range l.waiting {
			if ends == nil || counts[other.network] > counts[ends.network] {
				ends = other
			}
		}
	}
	l.open[v] = true
	l.waiting = append(l.waiting, v)
	return ends
}

// Close ends a connection, which then no longer counts.
func (v *visitor) Close() error {
	err := v.Conn.Close()
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	delete(v.of.open, v)
	v.of.waiting = slices.DeleteFunc(v.of.waiting, func(other *visitor) bool { return other == v })
	return err
}

// ServeHTTP makes a WebSocket connection of the connection of a request, which must ask for that.
func (w *websockets) ServeHTTP(reply http.ResponseWriter, r *http.Request) {
	// Browsers send the origin of a page and programs send none. So no page can connect. Otherwise a page could reach a hub
	// without keys on its visitor's machine.
	if len(r.Header["Origin"]) > 0 {
		http.Error(reply, "pages cannot connect", http.StatusForbidden)
		return
	}
	outer, err := websocket.Accept(reply, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // no origin is left to verify
	if err != nil {
		return // it has replied
	}
	inner, err := w.connect()
	if err != nil { // the hub ends
		_ = outer.CloseNow()
		return
	}
	v := r.Context().Value(visitorKey{}).(*visitor)
	w.mu.Lock()
	w.waiting = slices.DeleteFunc(w.waiting, func(other *visitor) bool { return other == v })
	closed := w.closed
	if !closed {
		w.passing.Go(func() {
			defer inner.Close()
			w.contained(func() {
				_, _ = io.CopyBuffer(inner, struct{ io.Reader }{websocket.NetConn(context.Background(), outer, websocket.MessageBinary)}, make([]byte, passedSize))
			})
		})
		w.passing.Go(func() {
			w.contained(func() { w.passOut(outer, inner) })
			_, _, _ = outer.CloseNow(), v.Close(), inner.Close() // they may have ended
		})
	}
	w.mu.Unlock()
	if closed {
		_, _ = outer.CloseNow(), inner.Close()
	}
}

// contained passes on what one side of a connection sends. A panic, which that may cause, ends the connection alone.
func (w *websockets) contained(pass func()) {
	err := wire.Contained(func() error {
		pass()
		return nil
	})
	if err != nil {
		w.warn(fmt.Errorf("a WebSocket connection ends: %w", err))
	}
}

// passOut passes on what the NATS server sends to a client, until one of them ends or the client does not read it.
func (w *websockets) passOut(outer *websocket.Conn, inner net.Conn) {
	text := make([]byte, passedSize)
	for {
		n, err := inner.Read(text)
		if err != nil {
			return
		}
		ctx, stop := context.WithTimeout(context.Background(), w.timeout)
		err = outer.Write(ctx, websocket.MessageBinary, text[:n])
		stop()
		if err != nil {
			return
		}
	}
}

// close ends all connections.
func (w *websockets) close() {
	w.mu.Lock()
	w.closed = true
	var all []*visitor
	for v := range w.open {
		all = append(all, v)
	}
	w.mu.Unlock()
	_ = errors.Join(w.web.Close(), w.Listener.Close()) // before it serves, only the latter
	for _, v := range all {
		_ = v.Close()
	}
	w.passing.Wait()
}
