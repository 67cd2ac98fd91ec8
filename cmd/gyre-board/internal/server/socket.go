package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"gyre/cmd/gyre-board/internal/session"
)

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
