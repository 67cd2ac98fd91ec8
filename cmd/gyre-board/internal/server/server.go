// Package server serves the board over HTTP: static files, and a WebSocket for each page.
//
// Browsers also run strangers' pages, so listening on loopback alone protects nothing. The
// server answers only requests for one of its own host names, which stops DNS rebinding. A
// WebSocket must come from the server's own page and carry a token that only that page can
// read.
package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"gyre/cmd/gyre-board/internal/session"
)

// Server serves the board. It is an http.Handler.
type Server struct {
	token   token
	hub     *session.Hub
	handler http.Handler

	mu      sync.Mutex
	closing context.CancelFunc // ends all sessions
	context context.Context
	open    sync.WaitGroup // the sessions
}

// New returns a server of the page's files, under the given names: the hosts
// that a request may ask for, each with its port. Sessions begin in the hub.
func New(page fs.FS, hosts []string, hub *session.Hub) (*Server, error) {
	s := &Server{token: newToken(), hub: hub}
	s.context, s.closing = context.WithCancel(context.Background())
	files, err := readFiles(page, s.token)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", files)
	mux.HandleFunc("GET /token", s.serveToken)
	mux.HandleFunc("GET /socket", s.serveSocket)
	s.handler = guard(hosts, mux)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all sessions with their engines, and waits until they have ended.
// Later requests for one are refused.
func (s *Server) Close() {
	s.mu.Lock()
	s.closing()
	s.mu.Unlock()
	s.open.Wait()
}

// enter counts a session in, unless the server is closing.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context.Err() != nil {
		return false
	}
	s.open.Add(1)
	return true
}

// policy is what a page of ours may load: only what is served here, and nothing
// inline. HOST stands for the name that was asked for: not every browser counts
// a WebSocket to it as 'self'.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self' ws://HOST; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard refuses requests for a host that is not listed, before anything else
// sees them, and gives every answer the headers that keep the page to itself.
func guard(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		host := strings.ToLower(r.Host)
		if !listed(hosts, host) {
			h.Set("Content-Security-Policy", "default-src 'none'")
			http.Error(w, "This server is not known by that name.", http.StatusForbidden)
			return
		}
		h.Set("Content-Security-Policy", strings.ReplaceAll(policy, "HOST", host))
		next.ServeHTTP(w, r)
	})
}

// listed tells whether a request's host is one of those listed, each with its
// port. A browser leaves out the port that its scheme has anyway.
func listed(hosts []string, host string) bool {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return slices.Contains(hosts, host)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return slices.Contains(hosts, net.JoinHostPort(name, "80")) || slices.Contains(hosts, net.JoinHostPort(name, "443"))
}

// tokenBytes is the size of a token: 128 bits.
const tokenBytes = 16

// token is a secret of one run of the server. The page finds it in itself, and
// brings it with its WebSocket; nobody else's page can read ours.
type token string

// newToken returns a token that nobody can guess.
func newToken() token {
	random := make([]byte, tokenBytes)
	_, _ = rand.Read(random) // never fails
	return token(hex.EncodeToString(random))
}

// The subprotocols that a page offers: the one that is spoken, and one that
// carries the token, as a browser gives a WebSocket no other header.
const (
	subprotocol = "gyre"
	tokenPrefix = "token."
)

// brought tells whether a WebSocket's request brings the token.
func (t token) brought(r *http.Request) bool {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for offered := range strings.SplitSeq(line, ",") {
			secret, found := strings.CutPrefix(strings.TrimSpace(offered), tokenPrefix)
			if found && subtle.ConstantTimeCompare([]byte(secret), []byte(t)) == 1 {
				return true
			}
		}
	}
	return false
}

// serveToken tells the token to a page that was loaded before the server was
// started again. A browser says where a request comes from; other sites cannot
// read the answer anyway, as no header allows them to.
func (s *Server) serveToken(w http.ResponseWriter, r *http.Request) {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		http.Error(w, "The token is for the board's own page.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, string(s.token)) // the browser may have gone
}

// How a WebSocket is bounded.
const (
	writeLimit = 10 * time.Second // for a message to be taken
	pingEvery  = 20 * time.Second // a browser that has vanished shows by then
	pingLimit  = 20 * time.Second
)

// socket is a WebSocket as a session sees it.
type socket struct{ *websocket.Conn }

// Read returns the next message.
func (s socket) Read(ctx context.Context) ([]byte, error) {
	kind, message, err := s.Conn.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		return nil, errors.New("a message that is not text")
	}
	return message, err
}

// Write sends a message.
func (s socket) Write(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	return s.Conn.Write(ctx, websocket.MessageText, message)
}

// serveSocket opens a session for a page of ours. The library refuses other
// origins: the request's Origin, if it has one, must be its Host, which the
// guard has checked.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !s.token.brought(r) {
		http.Error(w, "A WebSocket needs the token of this run of the server.", http.StatusForbidden)
		return
	}
	if !s.enter() {
		http.Error(w, "The server is closing.", http.StatusServiceUnavailable)
		return
	}
	defer s.open.Done()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		return // the library has answered
	}
	defer func() { _ = conn.CloseNow() }()
	leave, ok := s.hub.Enter()
	if !ok {
		// A page hears of a close, but of no status of a refused request.
		_ = conn.Close(websocket.StatusTryAgainLater, "Too many boards are open: close another tab.")
		return
	}
	defer leave()
	conn.SetReadLimit(session.MostMessage)
	ctx, cancel := context.WithCancel(s.context)
	defer cancel()
	go keepAlive(ctx, cancel, conn)
	s.hub.Serve(ctx, socket{conn})
	_ = conn.Close(websocket.StatusGoingAway, "") // the browser may have gone first
}

// keepAlive ends a connection whose browser does not answer any more.
func keepAlive(ctx context.Context, cancel context.CancelFunc, conn *websocket.Conn) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		limited, done := context.WithTimeout(ctx, pingLimit)
		err := conn.Ping(limited)
		done()
		if err != nil {
			cancel()
			return
		}
	}
}
