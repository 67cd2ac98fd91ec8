package analysis

import (
	"bufio"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// patience is how long the tests wait for what must come: a guard against waiting
// for ever, on however busy a machine.
const patience = 5 * time.Minute

// session is a client of a server that a test plays by hand.
type session struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	served chan error
	end    context.CancelCauseFunc // as a signal does
}

// build is a program that does not exist.
var build = Build{Name: "Gyre", Version: "0.1", Revision: "0123456789abcdef", Weights: "xxh3 fedcba9876543210"}

// newSession serves analysts to the test.
func newSession(t *testing.T, analysts ...Analyst) *session {
	t.Helper()
	queries, in := io.Pipe()
	answers, out := io.Pipe()
	ctx, end := context.WithCancelCause(context.Background())
	s := &session{t: t, in: in, lines: make(chan string, 1<<16), served: make(chan error, 1), end: end}
	go func() {
		s.served <- NewServer(analysts, build, out).Serve(ctx, []Input{{Reader: queries}})
		out.Close()
		queries.Close()
	}()
	go func() {
		defer close(s.lines)
		for lines := bufio.NewScanner(answers); lines.Scan(); {
			s.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() { end(nil) })
	return s
}

// say sends lines.
func (s *session) say(lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(s.in, line+"\n"); err != nil {
			s.t.Fatalf("saying %q: %v", line, err)
		}
	}
}

// hear returns the next line.
func (s *session) hear() string {
	s.t.Helper()
	select {
	case line, ok := <-s.lines:
		if !ok {
			s.t.Fatal("the server has ended instead of answering")
		}
		return line
	case <-time.After(patience):
		s.t.Fatal("the server says nothing")
	}
	return ""
}

// expect hears a line that must be this, times aside.
func (s *session) expect(want string) {
	s.t.Helper()
	if got := s.hear(); timeless(got) != timeless(want) {
		s.t.Fatalf("heard\n%s, want\n%s", got, want)
	}
}

// finish ends the input and returns what comes after that, and how serving ended.
func (s *session) finish() ([]string, error) {
	s.t.Helper()
	s.in.Close()
	var rest []string
	for line := range s.lines {
		rest = append(rest, line)
	}
	select {
	case err := <-s.served:
		return rest, err
	case <-time.After(patience):
		s.t.Fatal("the server does not end")
	}
	return nil, nil
}

// finishSilently ends the input after which nothing may come.
func (s *session) finishSilently() {
	s.t.Helper()
	if rest, err := s.finish(); len(rest) > 0 || err != nil {
		s.t.Errorf("said too much: %q, %v", rest, err)
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
					s.say(query)
				} else if answer, ok := strings.CutPrefix(line, "< "); ok {
					s.expect(answer)
				}
			}
			s.finishSilently()
		})
	}
}
