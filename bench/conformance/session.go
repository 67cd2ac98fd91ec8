package conformance

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"gyre/position"
	"gyre/protocol"
)

// How much an engine may say that nobody waits for, or before it says what is waited
// for.
const (
	mostUnheard      = 1 << 17 // lines
	mostUnheardBytes = 64 << 20
)

// heardLine is a line from the engine.
type heardLine struct {
	text string
	at   time.Time
}

// session is a running engine that checks talk to by hand. What the engine says is
// read at once and always, and kept within bounds until somebody waits for it.
type session struct {
	ctx     context.Context
	subject *Subject
	known   *known // of the engine, whichever process it is
	process *protocol.Process

	outgoing chan func() // what the writing goroutine does next
	heard    chan heardLine
	unheard  atomic.Int64 // bytes in heard
	flooded  atomic.Bool  // whether it said more than is kept
	closing  chan struct{}

	record    record            // what was said since the check began
	strays    int               // lines of no meaning since then
	answers   int               // bestmoves in all
	said      []string          // lines since the last forget
	saidBytes int               // their length
	root      position.Position // as the engine was told last
	remark    string            // what else is told of a check that passes
}

// start starts the engine and says nothing to it.
func start(ctx context.Context, subject *Subject, known *known) (*session, error) {
	process, err := subject.Program.Run()
	if err != nil {
		return nil, fmt.Errorf("the engine cannot be started: %w", err)
	}
	s := &session{ctx: ctx, subject: subject, known: known, process: process, outgoing: make(chan func()),
		heard: make(chan heardLine, mostUnheard), closing: make(chan struct{}), root: position.Start(position.Standard)}
	go s.read()
	go s.write()
	return s, nil
}

// read takes lines until the output ends. An engine that says far too much is ended.
func (s *session) read() {
	defer close(s.heard)
	in := bufio.NewReaderSize(s.process, protocol.MaxLine)
	for {
		text, err := in.ReadSlice('\n')
		line := strings.TrimRight(string(text), "\r\n")
		for err == bufio.ErrBufferFull { // the rest of a line that is too long
			_, err = in.ReadSlice('\n')
		}
		if line != "" {
			select {
			case s.heard <- heardLine{line, time.Now()}:
			default:
				s.flooded.Store(true)
			}
			if s.unheard.Add(int64(len(line))) > mostUnheardBytes {
				s.flooded.Store(true)
			}
		}
		if err != nil {
			return
		}
		if s.flooded.Load() {
			s.process.Kill()
			_, _ = io.Copy(io.Discard, s.process) // until the pipe ends, which is all that it can say
			return
		}
	}
}

// write does what is to be done with the engine's input, one after the other.
func (s *session) write() {
	for {
		select {
		case act := <-s.outgoing:
			act()
		case <-s.closing:
			return
		}
	}
}

// do has act done as the next with the engine's input. It waits for what is done
// before.
func (s *session) do(act func()) error {
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	select {
	case s.outgoing <- act:
		return nil
	case <-timer.C:
		return faultf("it has not read its input for %v", s.subject.Patience)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// send sends bytes as they are.
func (s *session) send(text string) error {
	for line := range strings.Lines(text) {
		s.record.add("> ", strings.TrimRight(line, "\n"))
	}
	// An engine that has ended shows by its output.
	return s.do(func() { _, _ = io.WriteString(s.process, text) })
}

// say sends lines.
func (s *session) say(lines ...string) error { return s.send(strings.Join(lines, "\n") + "\n") }

// closeInput ends the engine's input.
func (s *session) closeInput() error {
	s.record.add("> ", "(the end of input)")
	return s.do(func() { _ = s.process.CloseInput() })
}

// close ends the engine.
func (s *session) close() {
	s.process.Kill()
	close(s.closing)
	_ = s.process.Close() // it has ended
}

// mostStrays is how many lines without a meaning are put up with in a check.
const mostStrays = 1000

// answerWords begin the lines that an engine may say.
var answerWords = []string{"id", "option", "ugiok", "uciok", "readyok", "info", "bestmove", "response", "perft"}

// until waits for a line for which found holds. Those before it are added to what
// was said.
func (s *session) until(what string, within time.Duration, found func(line string) bool) (at time.Time, err error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	late := false
	for {
		if late && len(s.heard) == 0 {
			return at, &fault{detail: fmt.Sprintf("no %s within %v", what, within), silent: true}
		}
		select {
		case line, ok := <-s.heard:
			if !ok {
				return at, s.ended("instead of " + what)
			}
			if s.take(line.text); found(line.text) {
				return line.at, nil
			}
			if s.strays > mostStrays {
				return at, faultf("noise instead of %s: %d lines that the protocol does not have", what, s.strays)
			}
			if len(s.said) > mostUnheard || s.saidBytes > mostUnheardBytes {
				return at, faultf("a flood instead of %s: %d lines of %d bytes in all", what, len(s.said), s.saidBytes)
			}
		case <-timer.C:
			late = true // what has come by now counts
		case <-s.ctx.Done():
			return at, context.Cause(s.ctx)
		}
	}
}

// take takes down a line from the engine.
func (s *session) take(line string) {
	s.unheard.Add(-int64(len(line)))
	s.record.add("< ", line)
	s.said, s.saidBytes = append(s.said, line), s.saidBytes+len(line)
	if isWord(line, "bestmove") {
		s.answers++
	}
	if words := strings.Fields(line); len(words) > 0 && !slices.Contains(answerWords, words[0]) {
		s.strays++
		if s.known.stray == "" {
			s.known.stray = printable(line)
		}
	}
}

// forget forgets what was said.
func (s *session) forget() { s.said, s.saidBytes = nil, 0 }

// ended is the fault of an engine that has ended, or said too much.
func (s *session) ended(when string) error {
	if s.flooded.Load() {
		return faultf("it floods its output: more than %d lines or %d MiB that nobody asked for", mostUnheard, mostUnheardBytes>>20)
	}
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	select {
	case <-s.process.Exited():
	case <-timer.C:
		return faultf("it closed its output %s, and lives on", when)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	detail := fmt.Sprintf("it ended %s: %s", when, s.process.Status())
	if said := s.process.Stderr(); len(said) > 0 {
		detail += "; it said: " + strings.Join(said, " | ")
	}
	return faultf("%s", detail)
}

// first returns the words of the first line said that begins with these words, and
// whether there is one.
func (s *session) first(words string) (line []string, found bool) {
	for _, said := range s.said {
		if fields := strings.Fields(said); strings.HasPrefix(strings.Join(fields, " ")+" ", words+" ") {
			return fields, true
		}
	}
	return nil, false
}

// count counts the lines said that begin with a word.
func (s *session) count(word string) int {
	n := 0
	for _, said := range s.said {
		if fields := strings.Fields(said); len(fields) > 0 && fields[0] == word {
			n++
		}
	}
	return n
}

// The bounds of a record.
const (
	mostRecorded = 16  // lines
	longestLine  = 160 // bytes of each
)

// record keeps the last lines of a conversation.
type record struct{ lines []string }

// add adds a line; direction is "> " or "< ".
func (r *record) add(direction, line string) {
	if len(r.lines) == 2*mostRecorded {
		r.lines = append(r.lines[:0], r.lines[mostRecorded:]...)
	}
	if n := len(r.lines); n >= 2 && isReport(direction+line) && isReport(r.lines[n-1]) && isReport(r.lines[n-2]) {
		r.lines = r.lines[:n-1] // of reports one after the other the first and the last tell enough
	}
	r.lines = append(r.lines, direction+printable(line))
}

// isReport tells whether a line of a record is a report of a search.
func isReport(line string) bool {
	return strings.HasPrefix(line, "< info ") && !strings.HasPrefix(line, "< info string")
}

// last returns the last lines, oldest first.
func (r *record) last() []string {
	return slices.Clone(r.lines[max(0, len(r.lines)-mostRecorded):])
}

// printable returns text in printable ASCII, cut where it is long.
func printable(text string) string {
	cut := len(text) > longestLine
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text[:min(len(text), longestLine)])
	if cut {
		text += "..."
	}
	return text
}
