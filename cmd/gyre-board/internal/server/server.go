package server

import (
	"context"
	"io/fs"
	"net/http"
	"sync"

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
