package server

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
)

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
