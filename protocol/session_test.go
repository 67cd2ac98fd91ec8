package protocol

import (
	"bufio"
	"io"
	"regexp"
	"testing"
	"time"
)

// patience is how long the tests wait for what must come: a guard against waiting
// for ever, on however busy a machine.
const patience = 5 * time.Minute

// mostUnheard is how many lines the server can say before anybody hears them.
const mostUnheard = 1 << 16

// session is a client of a server that a test plays by hand.
type session struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	served chan error
}

// newSession serves engine to the test.
func newSession(t *testing.T, engine Engine) *session {
	t.Helper()
	commands, in := io.Pipe()
	answers, out := io.Pipe()
	s := &session{t: t, in: in, lines: make(chan string, mostUnheard), served: make(chan error, 1)}
	go func() {
		s.served <- NewServer(engine, commands, out).Serve()
		out.Close()
		commands.Close()
	}()
	go func() {
		defer close(s.lines)
		scanner := bufio.NewScanner(answers)
		scanner.Buffer(nil, 4<<20)
		for scanner.Scan() {
			s.lines <- scanner.Text()
		}
	}()
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

// expect hears lines that must be these, times aside.
func (s *session) expect(lines ...string) {
	s.t.Helper()
	for _, want := range lines {
		if got := s.hear(); timeless(got) != timeless(want) {
			s.t.Fatalf("heard %q, want %q", got, want)
		}
	}
}

// silent says isready and expects nothing but its answer.
func (s *session) silent() {
	s.t.Helper()
	s.say("isready")
	s.expect("readyok")
}

// end ends the input and returns what comes after that.
func (s *session) end() []string {
	s.t.Helper()
	s.in.Close()
	var rest []string
	for line := range s.lines {
		rest = append(rest, line)
	}
	select {
	case err := <-s.served:
		if err != nil {
			s.t.Fatalf("serving ended with %v", err)
		}
	case <-time.After(patience):
		s.t.Fatal("the server does not end")
	}
	return rest
}

// times are the numbers that differ between runs, and the hash, which may
// differ between versions.
var times = regexp.MustCompile(`\b(time|nps|hash)( +)[0-9a-f]+`)

// timeless returns a line without those numbers.
func timeless(line string) string { return times.ReplaceAllString(line, "$1$2*") }
