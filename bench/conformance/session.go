package conformance

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// The limits of the engine's output that no check has read yet, and of its output before
// an expected answer.
const (
	maxUnread      = 1 << 17 // lines
	maxUnreadBytes = 64 << 20
)

// outputLine is a line from the engine.
type outputLine struct {
	text string
	cut  bool // whether the line was longer than protocol.MaxLine
	at   time.Time
}

// unreadLines is the engine's output that no check has read yet. One goroutine adds lines and
// another takes them.
type unreadLines struct {
	mu      sync.Mutex
	lines   []outputLine
	taken   int // lines at the beginning that have been taken
	bytes   int // in the other lines
	ended   bool
	flooded bool          // whether the limits were exceeded
	more    chan struct{} // receives a value after a change
}

// add adds a line, and reports whether the limits allow it.
func (u *unreadLines) add(line outputLine) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.lines)-u.taken >= maxUnread || u.bytes+len(line.text) > maxUnreadBytes {
		u.flooded = true
		return false
	}
	u.lines, u.bytes = append(u.lines, line), u.bytes+len(line.text)
	u.changed()
	return true
}

// end marks the end of the output.
func (u *unreadLines) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	u.changed()
}

func (u *unreadLines) changed() {
	select {
	case u.more <- struct{}{}:
	default:
	}
}

// take removes the first line and returns it, if there is one. Without one, it reports
// whether the output has ended.
func (u *unreadLines) take() (line outputLine, ok, ended bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.taken == len(u.lines) {
		return outputLine{}, false, u.ended
	}
	line = u.lines[u.taken]
	u.lines[u.taken] = outputLine{}
	u.bytes -= len(line.text)
	if u.taken++; u.taken == len(u.lines) {
		u.lines, u.taken = u.lines[:0], 0
	}
	return line, true, false
}

// overflowed reports whether the engine exceeded the limits.
func (u *unreadLines) overflowed() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.flooded
}

// process is a running engine. It is a [protocol.Process], except in some tests.
type process interface {
	io.ReadWriteCloser
	CloseInput() error
	CloseOutput() error
	Kill()
	Exited() <-chan struct{}
	Status() string
	Stderr() []string
}

// session is a running engine and the conversation with it. Its output is always read
// at once and kept, within limits, until a check reads it.
type session struct {
	ctx     context.Context
	subject *Subject
	known   *known // about the engine, in whichever process
	process process

	outgoing chan func() // actions on the engine's input
	lines    unreadLines
	closing  chan struct{}

	record     record            // of the check
	strays     int               // lines outside the protocol in this check
	searches   int               // go commands in total
	answers    int               // bestmove lines in total
	output     []string          // lines since the last clear
	outputSize int               // their length in bytes
	root       position.Position // the current position
	remark     string            // the detail of a check that passes
}

// start starts the engine and sends it nothing.
func start(ctx context.Context, subject *Subject, known *known) (*session, error) {
	run := subject.run
	if run == nil {
		run = func() (process, error) { return subject.Program.Run() }
	}
	process, err := run()
	if err != nil {
		return nil, fmt.Errorf("the engine cannot be started: %w", err)
	}
	s := &session{ctx: ctx, subject: subject, known: known, process: process, outgoing: make(chan func()),
		lines: unreadLines{more: make(chan struct{}, 1)}, closing: make(chan struct{}), root: position.Start(position.Standard)}
	go s.read()
	go s.write()
	return s, nil
}

// read reads lines until the output ends. It kills an engine that floods its output.
func (s *session) read() {
	defer s.lines.end()
	in := protocol.NewLineReader(s.process)
	for {
		line, cut, err := in.Next()
		flooded := line != "" && !s.lines.add(outputLine{line, cut, time.Now()})
		if err != nil {
			return
		}
		if flooded {
			s.process.Kill()
			_, _ = io.Copy(io.Discard, s.process) // what is left in the pipe
			return
		}
	}
}

// write performs actions on the engine's input, one after the other.
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

// do performs act as the next action on the engine's input. It waits for the previous
// action.
func (s *session) do(act func()) error {
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	select {
	case s.outgoing <- act:
		return nil
	case <-timer.C:
		return faultf("the engine did not read its input for %v", s.subject.Patience)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// send sends text unchanged.
func (s *session) send(text string) error {
	for line := range strings.Lines(text) {
		s.record.add("> ", strings.TrimRight(line, "\n"))
		if first, _, _ := strings.Cut(strings.TrimSpace(line), " "); first == "go" {
			s.searches++
		}
	}
	// Errors are ignored: if the engine has ended, so has its output.
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

// maxStrays is how many lines outside the protocol an engine may print during a check.
const maxStrays = 1000

// until waits for a line for which found returns true, and returns when it came. what
// names the line in errors.
func (s *session) until(what string, within time.Duration, found func(line string) bool) (at time.Time, err error) {
	var timer *time.Timer
	late := false
	for {
		line, ok, ended := s.lines.take()
		switch {
		case ok:
			if s.take(line); found(line.text) {
				return line.at, nil
			}
			if s.strays > maxStrays {
				return at, faultf("noise instead of %s: %d lines outside the protocol", what, s.strays)
			}
			if len(s.output) > maxUnread || s.outputSize > maxUnreadBytes {
				return at, faultf("a flood instead of %s: %d lines of %d bytes in all", what, len(s.output), s.outputSize)
			}
			continue
		case ended:
			return at, s.ended("instead of " + what)
		case late:
			return at, &fault{detail: fmt.Sprintf("no %s within %v", what, within), silent: true}
		}
		if timer == nil {
			timer = time.NewTimer(within)
			defer timer.Stop()
		}
		select {
		case <-s.lines.more:
		case <-timer.C:
			late = true // lines that have come by now count
		case <-s.ctx.Done():
			return at, context.Cause(s.ctx)
		}
	}
}

// take records a line from the engine.
func (s *session) take(read outputLine) {
	line := read.text
	s.record.add("< ", line)
	s.output, s.outputSize = append(s.output, line), s.outputSize+len(line)
	if isWord(line, "bestmove") {
		s.answers++
	}
	if isReport(line) && s.answers >= s.searches && s.known.late == "" {
		s.known.late = printable(line)
	}
	if read.cut && s.known.long == "" {
		s.known.long = printable(line)
	}
	if !isAnswer(line) {
		s.strays++
		if s.known.stray == "" {
			s.known.stray = printable(line)
		}
	}
}

// clear clears the output.
func (s *session) clear() { s.output, s.outputSize = nil, 0 }

// ended returns the fault of an engine whose output ended.
func (s *session) ended(when string) error {
	if s.lines.overflowed() {
		return faultf("the engine floods its output: more than %d lines or %d MiB that were not requested", maxUnread, maxUnreadBytes>>20)
	}
	timer := time.NewTimer(s.subject.Patience)
	defer timer.Stop()
	select {
	case <-s.process.Exited():
	case <-timer.C:
		return faultf("the engine closed its output %s, and still runs", when)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	detail := fmt.Sprintf("the engine ended %s: %s", when, s.process.Status())
	if stderr := s.process.Stderr(); len(stderr) > 0 {
		detail += "; its standard error: " + strings.Join(stderr, " | ")
	}
	return faultf("%s", detail)
}

// first returns the words of the first output line that begins with the given words, and
// reports whether there is one.
func (s *session) first(words string) (line []string, found bool) {
	for _, line := range s.output {
		if fields := strings.Fields(line); strings.HasPrefix(strings.Join(fields, " ")+" ", words+" ") {
			return fields, true
		}
	}
	return nil, false
}

// count counts the output lines that begin with a word.
func (s *session) count(word string) int {
	n := 0
	for _, line := range s.output {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == word {
			n++
		}
	}
	return n
}

// The limits of a record.
const (
	maxRecorded     = 16  // lines
	maxRecordedLine = 160 // bytes
)

// record keeps the last lines of a conversation.
type record struct{ lines []string }

// add adds a line; direction is "> " or "< ".
func (r *record) add(direction, line string) {
	if len(r.lines) == 2*maxRecorded {
		r.lines = append(r.lines[:0], r.lines[maxRecorded:]...)
	}
	if n := len(r.lines); n >= 2 && direction == "< " && isReport(line) && isRecordedReport(r.lines[n-1]) && isRecordedReport(r.lines[n-2]) {
		r.lines = r.lines[:n-1] // keep the first and the last of consecutive reports
	}
	r.lines = append(r.lines, direction+printable(line))
}

// isReport reports whether a line from the engine is a report of a search.
func isReport(line string) bool {
	return strings.HasPrefix(line, "info ") && !strings.HasPrefix(line, "info string")
}

// isRecordedReport reports whether a line of a record is a report of a search.
func isRecordedReport(line string) bool {
	said, fromEngine := strings.CutPrefix(line, "< ")
	return fromEngine && isReport(said)
}

// isAnswer reports whether a line begins like an answer of the protocol, or is blank.
func isAnswer(line string) bool {
	for word := range strings.FieldsSeq(line) {
		return protocol.IsAnswer([]string{word})
	}
	return true
}

// last returns the last lines, oldest first.
func (r *record) last() []string {
	return slices.Clone(r.lines[max(0, len(r.lines)-maxRecorded):])
}

// printable returns text in printable ASCII, cut to maxRecordedLine bytes.
func printable(text string) string { return protocol.Printable(text, maxRecordedLine) }
