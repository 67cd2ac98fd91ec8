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
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/session"
)

// Server serves the board. It is an http.Handler.
type Server struct {
	token   token
	hub     *session.Hub
	handler http.Handler
	files   *files
	clients *clients.Clients // nil without limits
	proxies []netip.Prefix

	// Warn gets a message for the operator, once, if a proxy seems to be missing. It may be nil.
	// Set it before the first request.
	Warn   func(error)
	warned sync.Once

	mu      sync.Mutex
	closing context.CancelFunc // ends all sessions
	context context.Context
	open    sync.WaitGroup // open sessions
}

// New returns a server of the page's files. hosts are the hosts, with ports, for which it
// answers requests. frames are the origins whose pages may show the board in a frame. The hub
// serves the sessions. all are the clients, or nil without limits. The addresses of clients behind
// proxies are those that the proxies name in X-Forwarded-For.
func New(page fs.FS, hosts, frames []string, hub *session.Hub, all *clients.Clients, proxies []netip.Prefix) (*Server, error) {
	s := &Server{token: token(rand.Text()), hub: hub, clients: all, proxies: proxies}
	s.context, s.closing = context.WithCancel(context.Background())
	var err error
	if s.files, err = readFiles(page, s.token); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", s.files)
	mux.Handle("GET "+pictureName, newPictures(s.clientOf))
	mux.HandleFunc("GET /token", s.serveToken)
	mux.HandleFunc("GET /socket", s.serveSocket)
	s.handler = guard(hosts, frames, s.limit(mux))
	return s, nil
}

// Limits of a request. A WebSocket is no request anymore.
const (
	headerLimit = 30 * time.Second // to receive its header; browsers connect before they have a request
	bodyLimit   = time.Minute      // to receive all of it
	answerLimit = 2 * time.Minute  // to send the answer
	idleLimit   = 2 * time.Minute  // between two requests
	maxHeader   = 16 << 10         // bytes of the header
)

// Web returns an HTTP server for the board.
func (s *Server) Web() *http.Server {
	return &http.Server{Handler: s, ReadHeaderTimeout: headerLimit, ReadTimeout: bodyLimit, WriteTimeout: answerLimit,
		IdleTimeout: idleLimit, MaxHeaderBytes: maxHeader,
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, conn)
		}}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all sessions and their engines, and waits for them. It rejects later sessions.
func (s *Server) Close() {
	s.mu.Lock()
	s.closing()
	s.mu.Unlock()
	s.open.Wait()
}

// enter adds a session, unless the server is closing.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context.Err() != nil {
		return false
	}
	s.open.Add(1)
	return true
}

// policy allows the page to load only files of this server, and no inline code. HOST stands
// for the requested host: not every browser treats a WebSocket as 'self'. FRAMES stands for
// the origins whose pages may show the board in a frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self' ws://HOST; base-uri 'none'; form-action 'none'; frame-ancestors FRAMES"

// guard rejects requests for hosts that are not listed, and adds the security headers to every
// answer.
func guard(hosts, frames []string, next http.Handler) http.Handler {
	ancestors := "'none'"
	if len(frames) > 0 {
		ancestors = strings.Join(frames, " ")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		host := strings.ToLower(r.Host)
		if !listed(hosts, host) {
			h.Set("Content-Security-Policy", "default-src 'none'")
			http.Error(w, "This server does not answer for that host name. Use -host to add it.", http.StatusForbidden)
			return
		}
		h.Set("Content-Security-Policy", strings.NewReplacer("HOST", host, "FRAMES", ancestors).Replace(policy))
		next.ServeHTTP(w, r)
	})
}

// listed reports whether a request's host is in hosts, which have ports. Browsers omit the
// default port of the scheme.
func listed(hosts []string, host string) bool {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return slices.Contains(hosts, host)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return slices.Contains(hosts, net.JoinHostPort(name, "80")) || slices.Contains(hosts, net.JoinHostPort(name, "443"))
}

// token is the secret of one run of the server. The page contains it and sends it with its
// WebSocket. No other site's page can read it.
type token string

// The subprotocols that a page offers. One names the protocol; the other carries the token,
// because a browser cannot set other headers of a WebSocket.
const (
	subprotocol = "gyre"
	tokenPrefix = "token."
)

// sentWith reports whether a WebSocket request contains the token.
func (t token) sentWith(r *http.Request) bool {
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

// serveToken sends the token to a page that was loaded before the server restarted. Browsers
// say where a request comes from. Other sites cannot read the answer, because no header allows
// it.
func (s *Server) serveToken(w http.ResponseWriter, r *http.Request) {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		http.Error(w, "Only the board's own page may read the token.", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, string(s.token)) // the browser may have disconnected
}

// limit rejects the requests of a client that sends too many.
func (s *Server) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.clientOf(r).MayRequest() {
			w.Header().Set("Retry-After", "10")
			http.Error(w, "Too many requests from your address. Try again in ten seconds.", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// clientOf returns the client who sent a request.
func (s *Server) clientOf(r *http.Request) *clients.Client {
	forwarded := r.Header.Values("X-Forwarded-For")
	if at, ok := parseAddress(r.RemoteAddr); ok && len(forwarded) > 0 && s.clients != nil && s.Warn != nil &&
		(at.IsLoopback() || at.IsPrivate()) && !s.isProxy(at) {
		s.warned.Do(func() {
			s.Warn(fmt.Errorf("a request from %v has the header X-Forwarded-For: if that is your proxy, add -proxy %v, or all its visitors share the limits of one", at, at))
		})
	}
	return s.clients.Of(nameOf(r.RemoteAddr, forwarded, s.proxies))
}

// isProxy reports whether an address is that of a proxy.
func (s *Server) isProxy(at netip.Addr) bool { return contains(s.proxies, at) }

// Limits of a WebSocket.
const (
	writeLimit   = 10 * time.Second // to send a message
	messageLimit = time.Minute      // to receive one
	pingEvery    = 20 * time.Second // detects browsers that have vanished
	pingLimit    = 20 * time.Second
)

// freeMessage is the length of messages in bytes that count for no share of memory.
const freeMessage = 512

// socket adapts a WebSocket to a session's connection.
type socket struct {
	*websocket.Conn
	page *clients.Page
	held int // bytes of the last message, in the page's share
}

// release gives back the memory of the last message, which has been handled.
func (s *socket) release() {
	s.page.Release(s.held)
	s.held = 0
}

// errMemory reports that the incomplete messages of a client, or of all, are too long.
var errMemory = errors.New("too many long messages at the same time")

// Read reads a message, as fast as the client's share allows.
func (s *socket) Read(ctx context.Context) ([]byte, error) {
	s.release()
	if err := s.page.WaitMessage(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kind, in, err := s.Reader(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		return nil, errors.New("the message is not text")
	}
	defer time.AfterFunc(messageLimit, cancel).Stop()
	message := make([]byte, 0, freeMessage)
	for {
		if len(message) == cap(message) {
			grown := 2 * cap(message)
			if !s.page.Hold(grown - s.held) {
				return nil, errMemory
			}
			s.held = grown
			message = append(make([]byte, 0, grown), message...)
		}
		n, err := in.Read(message[len(message):cap(message)])
		message = message[:len(message)+n]
		if errors.Is(err, io.EOF) {
			return message, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (s *socket) Write(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	return s.Conn.Write(ctx, websocket.MessageText, message)
}

// serveSocket serves a session over a WebSocket. The library rejects other origins: a
// request's Origin must equal its Host, which guard has checked.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !s.token.sentWith(r) {
		http.Error(w, "The token is missing or from another run of the server. Reload the page.", http.StatusForbidden)
		return
	}
	if !s.enter() {
		http.Error(w, "The server is shutting down.", http.StatusServiceUnavailable)
		return
	}
	defer s.open.Done()
	page := s.clientOf(r).Page()
	countBytes(r, page)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{subprotocol},
		// A ping costs as much as a message.
		OnPingReceived: func(ctx context.Context, _ []byte) bool { return page.WaitMessage(ctx) == nil },
	})
	if err != nil {
		return // the library has answered
	}
	defer func() { _ = conn.CloseNow() }()
	// A page sees why a connection was closed, but not why a request was rejected.
	if !page.Take(clients.Socket) {
		_ = conn.Close(websocket.StatusTryAgainLater, clients.ErrBoardShare.Code())
		return
	}
	defer page.Give(clients.Socket)
	leave, ok := s.hub.Enter()
	if !ok {
		_ = conn.Close(websocket.StatusTryAgainLater, clients.ErrBoards.Code())
		return
	}
	defer leave()
	conn.SetReadLimit(session.MaxMessage)
	ctx, cancel := context.WithCancel(s.context)
	defer cancel()
	go keepAlive(ctx, cancel, conn)
	messages := &socket{Conn: conn, page: page}
	defer messages.release()
	s.hub.Serve(ctx, messages, page)
	_ = conn.Close(websocket.StatusGoingAway, "") // the browser may have closed it first
}

// keepAlive cancels a session whose browser no longer answers pings.
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
