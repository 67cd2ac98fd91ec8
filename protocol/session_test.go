package protocol

import (
	"io"
	"regexp"
	"testing"

	"gyre/protocol/internal/dialoguetest"
)

// patience is how long the tests wait for what must come.
const patience = dialoguetest.Patience

// session is a client of a server that a test plays by hand.
type session struct{ *dialoguetest.Dialogue }

// newSession serves engine to the test.
func newSession(t *testing.T, engine Engine) *session {
	t.Helper()
	serve := func(in io.Reader, out io.Writer) error { return NewServer(engine, in, out).Serve() }
	return &session{dialoguetest.Begin(t, serve, timeless)}
}

// silent says isready and expects nothing but its answer.
func (s *session) silent() {
	s.T.Helper()
	s.Say("isready")
	s.Expect("readyok")
}

// end ends the input and returns what comes after that.
func (s *session) end() []string {
	s.T.Helper()
	rest, err := s.Finish()
	if err != nil {
		s.T.Fatalf("serving ended with %v", err)
	}
	return rest
}

// times are the numbers that differ between runs, and the hash, which may
// differ between versions.
var times = regexp.MustCompile(`\b(time|nps|hash)( +)[0-9a-f]+`)

// timeless returns a line without those numbers.
func timeless(line string) string { return times.ReplaceAllString(line, "$1$2*") }
