package conformance

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
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

	outgoing chan func()      // actions on the engine's input
	lines    chan *outputLine // output that no check has read yet; closed at its end
	unread   atomic.Int64     // bytes in lines
	flooded  atomic.Bool      // whether the output exceeded the limits
	closing  chan struct{}

	record     record            // of the check
	strays     int               // lines outside the protocol in this check
	stray      string            // the last of these
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
		lines: make(chan *outputLine, maxUnread), closing: make(chan struct{}), root: position.Start(position.Standard)}
	go s.read()
	go s.write()
	return s, nil
}

// read reads lines until the output ends. It kills an engine that floods its output.
func (s *session) read() {
	defer close(s.lines)
	in := protocol.NewLineReader(s.process)
	for {
		line, cut, err := in.Next()
		if err != nil {
			return
		}
		line = strings.Trim(line, " \t\v\f\r") // as clients do
		if line == "" {
			continue
		}
		if s.unread.Add(int64(len(line))) <= maxUnreadBytes {
			select {
			case s.lines <- &outputLine{line, cut, time.Now()}:
				continue
			default:
			}
		}
		s.flooded.Store(true)
		s.process.Kill()
		_, _ = io.Copy(io.Discard, s.process) // what is left in the pipe
		return
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
	waiting, cancel := protocol.WithPatience(context.Background(), s.subject.Patience)
	defer cancel()
	select {
	case s.outgoing <- act:
		return nil
	case <-waiting.Done():
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

func (s *session) say(lines ...string) error { return s.send(strings.Join(lines, "\n") + "\n") }

// closeInput ends the engine's input.
func (s *session) closeInput() error {
	s.record.add("> ", "(the end of input)")
	return s.do(func() { _ = s.process.CloseInput() })
}

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
	waiting, cancel := protocol.WithPatience(context.Background(), within)
	defer cancel()
	for late := false; ; {
		var line *outputLine
		select {
		case line = <-s.lines:
		default:
			if late {
				detail := fmt.Sprintf("no %s within %v", what, within)
				if s.stray != "" {
					detail += fmt.Sprintf("; it wrote %q", printable(s.stray))
				}
				if stderr := s.process.Stderr(); len(stderr) > 0 { // a part of the program may have failed
					detail += "; its standard error: " + strings.Join(stderr, " | ")
				}
				return at, silentf("%s", detail)
			}
			select {
			case line = <-s.lines:
			case <-waiting.Done():
				late = true // lines that have come by now count
				continue
			case <-s.ctx.Done():
				return at, context.Cause(s.ctx)
			}
		}
		if line == nil {
			return at, s.ended("instead of " + what)
		}
		if s.take(line); found(line.text) {
			return line.at, nil
		}
		if s.strays > maxStrays {
			return at, faultf("noise instead of %s: %d lines outside the protocol", what, s.strays)
		}
		if len(s.output) > maxUnread || s.outputSize > maxUnreadBytes {
			return at, faultf("a flood instead of %s: %d lines of %d bytes in all", what, len(s.output), s.outputSize)
		}
	}
}

// take records a line from the engine.
func (s *session) take(read *outputLine) {
	line := read.text
	s.unread.Add(-int64(len(line)))
	s.record.add("< ", line)
	s.output, s.outputSize = append(s.output, line), s.outputSize+len(line)
	if isWord(line, "bestmove") {
		s.answers++
	}
	if isReport(line) && s.answers > 0 && s.answers >= s.searches && s.known.late == nil {
		s.known.late = s.now("%q came after bestmove", printable(line))
	}
	if read.cut && s.known.long == nil {
		s.known.long = s.now("a line longer than %d bytes: %q", protocol.MaxLine, printable(line))
	}
	if !isAnswer(line) {
		s.strays++
		s.stray = line
		if s.known.stray == nil {
			s.known.stray = s.now("%q is not an answer of the protocol", printable(line))
		}
	}
}

func (s *session) clear() { s.output, s.outputSize = nil, 0 }

// ended returns the fault of an engine whose output ended.
func (s *session) ended(when string) error {
	if s.flooded.Load() {
		return faultf("the engine floods its output: more than %d lines or %d MiB that were not requested", maxUnread, maxUnreadBytes>>20)
	}
	waiting, cancel := protocol.WithPatience(context.Background(), s.subject.Patience)
	defer cancel()
	select {
	case <-s.process.Exited():
	case <-waiting.Done():
		return faultf("the engine closed its output %s, and still runs", when)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	return brokenf(staying, "the engine ended %s: %s", when, s.status())
}

// status returns the exit status of the engine, and what it wrote to standard error.
func (s *session) status() string {
	if stderr := s.process.Stderr(); len(stderr) > 0 {
		return s.process.Status() + "; its standard error: " + strings.Join(stderr, " | ")
	}
	return s.process.Status()
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

// complaint returns the words of the first line of the output that rejects a command, and reports
// whether there is one. Clients read it alike.
func (s *session) complaint() (line []string, found bool) {
	for _, line := range s.output {
		if _, found := protocol.Complaint(line); found {
			return strings.Fields(line), true
		}
	}
	return nil, false
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
	r.lines = append(r.lines, direction+shortened(line))
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

// last returns the last maxRecorded lines, oldest first.
func (r *record) last() []string {
	return slices.Clone(r.lines[max(0, len(r.lines)-maxRecorded):])
}

// now returns a fault of the last line, which a later check reports.
func (s *session) now(format string, args ...any) error {
	return &fault{detail: fmt.Sprintf(format, args...), lines: s.record.last()}
}

// printable returns text in printable ASCII, cut to maxRecordedLine bytes.
func printable(text string) string { return protocol.Printable(text, maxRecordedLine) }

// shortened returns text in printable ASCII. Of a line that is too long, it keeps the beginning and
// the end: the last turns of a game are at the end.
func shortened(text string) string {
	const head, gap = maxRecordedLine / 4, " ... "
	if len(text) <= maxRecordedLine {
		return printable(text)
	}
	return printable(text[:head] + gap + text[len(text)-(maxRecordedLine-head-len(gap)):])
}

func joined(words []string) string { return strings.Join(words, " ") }

// sync waits until the engine has executed all commands.
func (s *session) sync() error {
	if err := s.say("isready"); err != nil {
		return err
	}
	return s.expect("readyok", "")
}

// expect waits for a line. why follows the line in errors.
func (s *session) expect(line, why string) error {
	_, err := s.until(line+why, s.subject.Patience, func(said string) bool { return said == line })
	return err
}

// execute sends lines and waits until the engine has executed them. Its answers are in
// output.
func (s *session) execute(lines ...string) error {
	s.clear()
	if err := s.say(lines...); err != nil {
		return err
	}
	return s.sync()
}

// shakeHands performs the handshake in the engine's dialect, and sets the options of the
// subject.
func (s *session) shakeHands() error {
	hello := s.known.dialect.String()
	if err := s.say(hello); err != nil {
		return err
	}
	if err := s.expect(hello+"ok", ""); err != nil {
		return err
	}
	for _, o := range s.subject.Options {
		if err := s.execute("setoption name " + o.Name + " value " + o.Value); err != nil {
			return err
		}
		if line, rejected := s.complaint(); rejected && s.known.given == nil {
			s.known.given = faultf("%s=%s: %s", o.Name, o.Value, printable(joined(line)))
		}
	}
	return nil
}

// option returns the option with the given name, in upper or lower case, and reports
// whether the engine has it.
func (s *session) option(name string) (o protocol.Option, found bool) {
	i := slices.IndexFunc(s.known.options, func(o protocol.Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		return o, false
	}
	return s.known.options[i], true
}

// set sets an option. The engine must accept the value.
func (s *session) set(name, value string) error {
	if err := s.execute("setoption name " + name + " value " + value); err != nil {
		return err
	}
	if line, rejected := s.complaint(); rejected {
		return faultf("the engine rejects %s as a value of %s: %s", value, name, printable(joined(line)))
	}
	return nil
}

// setRules selects the rules. An engine without the option Rules plays standard rules.
func (s *session) setRules(rules position.Rules) error {
	if s.root.Rules() == rules {
		return nil
	}
	if _, has := s.option("Rules"); !has {
		return lackf("no option Rules")
	}
	s.root = position.Start(rules) // the caller sets up a position next
	return s.set("Rules", rules.String())
}

// positionLine returns the command that sets up a position and plays turns from it.
func positionLine(p position.Position, turns ...position.Turn) string {
	command := protocol.SetPosition{Turns: position.Words(turns)}
	if text := p.String(); text != position.StartText {
		command.Board = strings.Fields(text)
	}
	return command.String()
}

// setUp sets up a position, with its rules, and plays turns from it.
func (s *session) setUp(p position.Position, turns ...position.Turn) error {
	if err := s.setRules(p.Rules()); err != nil {
		return err
	}
	line := positionLine(p, turns...)
	if err := s.execute(line); err != nil {
		return err
	}
	said, rejected := s.complaint()
	switch {
	case !rejected:
		s.root = p.AfterAll(turns...)
		return nil
	case len(turns) == 0:
		return faultf("%s is rejected: %s", shortened(line), printable(joined(said)))
	case len(turns) > 1:
		if err := s.setUp(p, turns[:len(turns)-1]...); err != nil {
			return err // of an earlier turn
		}
		if err := s.execute(line); err != nil { // to end the record
			return err
		}
	}
	before, last := p.AfterAll(turns[:len(turns)-1]...), turns[len(turns)-1]
	return brokenf(ruleOfPlaying(last, true), "the turn %v, legal in %v, %v rules, is rejected: %s", last, &before, before.Rules(), printable(joined(said)))
}

// query sends a query about the position and returns the words after `response`. known
// reports whether the engine answered.
func (s *session) query(about string) (words []string, known bool, err error) {
	if err := s.execute("query " + about); err != nil {
		return nil, false, err
	}
	line, known := s.first("response")
	if !known {
		return nil, false, nil
	}
	return line[1:], true, nil
}

// answersTo sends a query about the position and expects an answer.
func (s *session) answersTo(about, want string) error {
	words, known, err := s.query(about)
	switch {
	case err != nil:
		return err
	case !known:
		return faultf("no answer to query %s", about)
	case joined(words) != want:
		difference := ""
		if about == "fen" {
			difference = "; " + differing(joined(words), &s.root)
		}
		return faultf("in %v, %v rules, the answer to query %s is %q instead of %q%s", &s.root, s.root.Rules(), about, printable(joined(words)), want, difference)
	}
	return nil
}

// differing describes the first difference between the text of a position and the position that it should be.
func differing(text string, want *position.Position) string {
	p, err := position.Parse(text, want.Rules())
	if err != nil {
		return fmt.Sprintf("%.*s", maxRecordedLine, err)
	}
	for _, at := range position.Board().Points(nil) {
		if is, should := pieceAt(&p, at), pieceAt(want, at); is != should {
			return fmt.Sprintf("%v has %s instead of %s", at, is, should)
		}
	}
	if p.SideToMove() != want.SideToMove() {
		return fmt.Sprintf("%v is to move instead of %v", p.SideToMove(), want.SideToMove())
	}
	return "the spelling differs"
}

// pieceAt names what a position has on a point.
func pieceAt(p *position.Position, at position.Point) string {
	for _, side := range []position.Side{position.White, position.Black} {
		switch {
		case p.Rings(side).Has(at):
			return fmt.Sprintf("a %v ring", side)
		case p.Markers(side).Has(at):
			return fmt.Sprintf("a %v marker", side)
		}
	}
	return "nothing"
}

// needsQuery returns a lack if the engine does not answer a query.
func (s *session) needsQuery(about string) error {
	if !s.known.queries[about] {
		return lackf("no answer to query %s", about)
	}
	return nil
}

// checkPosition checks that the engine has the current position. If the engine does not
// answer `query fen`, checkPosition compares the side to move and searches for a legal
// turn.
func (s *session) checkPosition() error {
	if s.known.queries["fen"] {
		return s.answersTo("fen", s.root.String())
	}
	if s.known.queries["p1turn"] {
		if err := s.answersTo("p1turn", turnOfWhite(&s.root)); err != nil {
			return err
		}
	}
	_, err := s.search("go depth 1")
	return err
}

func turnOfWhite(p *position.Position) string {
	return strconv.FormatBool(p.SideToMove() == position.White)
}

// answer is the result of a search.
type answer struct {
	turn  position.Turn // None if the game is over
	words []string      // of the bestmove line
	took  time.Duration
}

// search sends a search of the current position, waits for the answer, and checks it: a
// legal turn, or none if the game is over. Other commands may come before and after its
// line. The reports of the search are in output.
func (s *session) search(commands string) (answer, error) {
	begin, err := s.begin(commands)
	if err != nil {
		return answer{}, err
	}
	return s.bestmove(strings.ReplaceAll(commands, "\n", " and "), begin)
}

// begin sends a command and returns the time before it.
func (s *session) begin(command string) (time.Time, error) {
	s.clear()
	return time.Now(), s.say(command)
}

// bestmove waits for the answer to a search. The answer's time counts from begin.
func (s *session) bestmove(command string, begin time.Time) (a answer, err error) {
	var line string
	at, err := s.until("bestmove after "+printable(command), s.subject.Patience, func(said string) bool {
		line = said
		return isWord(said, "bestmove")
	})
	if err != nil {
		return a, err
	}
	a.words, a.took = strings.Fields(line), at.Sub(begin)
	a.turn, err = readTurn(&s.root, a.words)
	return a, err
}

// isWord reports whether a line begins with a word.
func isWord(line, word string) bool {
	return line == word || strings.HasPrefix(line, word+" ")
}

// readTurn returns the turn of a bestmove line. It must be legal.
func readTurn(root *position.Position, words []string) (position.Turn, error) {
	if len(words) < 2 {
		return position.None, faultf("bestmove without a turn")
	}
	word := words[1]
	if root.Over() {
		if word != "none" {
			return position.None, faultf("bestmove %s instead of `bestmove none`: the game is over in %v, %v rules", printable(word), root, root.Rules())
		}
		return position.None, nil
	}
	turn, err := root.ParseTurn(word)
	if err != nil {
		return position.None, brokenf(ruleOf(err), "bestmove %s is not legal in %v, %v rules: %v", printable(word), root, root.Rules(), err)
	}
	if turn.String() != word {
		return position.None, brokenf(spelling, "bestmove %s is written %v", printable(word), turn)
	}
	return turn, nil
}

// holds checks that a search that must not end by itself has not answered: not now, not
// by the next readyok, and not a moment after that.
func (s *session) holds(command string) error {
	for range 2 {
		if err := s.sync(); err != nil {
			return err
		}
		if line, found := s.first("bestmove"); found {
			return brokenf(holding, "%q came before the end of %s", printable(joined(line)), command)
		}
		time.Sleep(moment)
	}
	return nil
}

// moment is how long to wait for an answer that must not come.
const moment = 100 * time.Millisecond
