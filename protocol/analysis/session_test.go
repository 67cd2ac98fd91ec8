package analysis

import (
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"gyre/protocol/internal/dialoguetest"
)

// session is a client of a server that a test plays by hand.
type session struct {
	*dialoguetest.Dialogue
	end context.CancelCauseFunc // as a signal does
}

// build is a program that does not exist.
var build = Build{Name: "Gyre", Version: "0.1", Revision: "0123456789abcdef", Weights: "xxh3 fedcba9876543210"}

// newSession serves analysts to the test.
func newSession(t *testing.T, analysts ...Analyst) *session {
	t.Helper()
	ctx, end := context.WithCancelCause(context.Background())
	t.Cleanup(func() { end(nil) })
	serve := func(in io.Reader, out io.Writer) error {
		return NewServer(analysts, build, out).Serve(ctx, []Input{{Reader: in}})
	}
	return &session{dialoguetest.Begin(t, serve, timeless), end}
}

// finishSilently ends the input after which nothing may come.
func (s *session) finishSilently() {
	s.T.Helper()
	if rest, err := s.Finish(); len(rest) > 0 || err != nil {
		s.T.Errorf("said too much: %q, %v", rest, err)
	}
}

var elapsed = regexp.MustCompile(`"timeMs":[0-9]+`)

// timeless returns a line without the time that a search took.
func timeless(line string) string { return elapsed.ReplaceAllString(line, `"timeMs":0`) }

// TestSpecification replays the sessions of analysis that PROTOCOL.md shows.
func TestSpecification(t *testing.T) {
	text, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```analysis\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("PROTOCOL.md shows no analysis")
	}
	for _, block := range blocks {
		text, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("a session in PROTOCOL.md has no end")
		}
		title, lines, _ := strings.Cut(text, "\n")
		t.Run(title, func(t *testing.T) {
			s := newSession(t, new(demo))
			for line := range strings.Lines(lines) {
				line = strings.TrimSuffix(line, "\n")
				if query, ok := strings.CutPrefix(line, "> "); ok {
					s.Say(query)
				} else if answer, ok := strings.CutPrefix(line, "< "); ok {
					s.Expect(answer)
				}
			}
			s.finishSilently()
		})
	}
}
