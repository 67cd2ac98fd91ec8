package protocol

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/position"
)

// Client drives one engine, as a match or a board does. Its methods are for
// one goroutine; but Stop, PonderHit and Kill may be called from any, also while
// another method waits. Every wait has a limit. An error is a *Failure of the
// engine, or an *Error about what was asked of it, or, from Go alone, that of a
// context which was done before anything was asked. In the end call Quit or Kill.
type Client struct {
	config  Config
	wire    *wire
	process *Process // nil for an engine that is no program of its own

	dialect      Dialect
	name, author string
	options      []Option
	rules        string // the value of the option Rules that the engine has taken; empty for none
	told         line   // the position that was set up last

	mu        sync.Mutex
	failure   *Failure  // why the engine cannot be used any more
	begin     time.Time // when the clock of the running search began
	stopped   bool      // whether stop was said since the last go
	complaint string    // the engine's last `info string error`; forgotten with each new position or option
	held      []Command // said with the next command
}

// Config is how an engine is driven. The zero value does.
type Config struct {
	Name      string // for errors; the program's path if empty
	Handshake HandshakeChoice
	Patience  Patience
	// Trace, if not nil, is shown every line in both directions, from several
	// goroutines, and must not call the client.
	Trace func(toEngine bool, line string)
	// Processors are the numbers of those that a program may run on, with all that
	// it starts; all if empty. Elsewhere than on Linux it then does not start.
	Processors []int
}

// HandshakeChoice is which handshakes are tried.
type HandshakeChoice uint8

// By default `ugi` is said first, and `uci` when nothing has come of it in half
// of the time for the handshake.
const (
	EitherHandshake HandshakeChoice = iota
	UGIHandshake
	UCIHandshake
)

// Patience is how long answers are waited for; zero means the default.
type Patience struct {
	Handshake time.Duration // for ugiok or uciok; 10 s
	Answer    time.Duration // for readyok and response, and for input to be read; 10 s
	Stop      time.Duration // for the turn after stop; 5 s
	Quit      time.Duration // for the end after quit; 3 s
}

// orDefault returns p with every zero replaced.
func (p Patience) orDefault() Patience {
	return Patience{
		Handshake: cmp.Or(p.Handshake, 10*time.Second),
		Answer:    cmp.Or(p.Answer, 10*time.Second),
		Stop:      cmp.Or(p.Stop, 5*time.Second),
		Quit:      cmp.Or(p.Quit, 3*time.Second),
	}
}

// Start starts the program and shakes hands with it. When that fails, no process
// is left behind.
func (p Program) Start(config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, p.Path)
	process, err := startProcess(p, config.Processors)
	if err != nil {
		return nil, &Failure{Kind: CannotStart, Engine: config.Name, Err: err}
	}
	return connect(process, process, config)
}

// Connect shakes hands with an engine at the other end of conn, and closes conn
// in the end.
func Connect(conn io.ReadWriteCloser, config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, "the engine")
	return connect(conn, nil, config)
}

func connect(conn io.ReadWriteCloser, p *Process, config Config) (*Client, error) {
	config.Patience = config.Patience.orDefault()
	start := position.Start(position.Standard)
	c := &Client{config: config, process: p, told: line{start: start, end: start}}
	c.wire = newWire(conn, config.Trace, c.overhear)
	if err := c.shakeHands(); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

// Name returns the engine's name as it gave it.
func (c *Client) Name() string { return c.name }

// Author returns the engine's author as it gave it.
func (c *Client) Author() string { return c.author }

// Dialect returns which handshake the engine answered.
func (c *Client) Dialect() Dialect { return c.dialect }

// Options returns the options that the engine listed and that could be read.
func (c *Client) Options() []Option { return c.options }

// Failure returns why the engine cannot be used any more, or nil.
func (c *Client) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// Stop has a running search answer now. It does not wait.
func (c *Client) Stop() error {
	c.noteStop()
	return c.tell(Stop{})
}

// PonderHit tells a pondering search that its turn was played; from here on
// its time counts. It does not wait.
func (c *Client) PonderHit() error {
	c.mu.Lock()
	c.begin = time.Now()
	c.mu.Unlock()
	return c.tell(PonderHit{})
}

// Quit asks the engine to end, waits for it, and ends it by force when it does
// not. No process is left behind. The error tells that force was needed.
func (c *Client) Quit() error {
	if c.Failure() != nil {
		c.Kill()
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Quit)
	defer cancel()
	err := c.send(ctx, Quit{})
	if err == nil {
		select {
		case <-c.wire.ended:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err == nil && c.process != nil {
		err = c.process.waitExit(ctx)
	}
	c.Kill()
	if err != nil && !errors.Is(err, errEnded) {
		return &Failure{Kind: NoAnswer, Engine: c.config.Name, Detail: "it does not quit"}
	}
	return nil
}

// Kill ends the engine at once, its process and those that it started.
func (c *Client) Kill() {
	c.fail(&Failure{Kind: Closed, Engine: c.config.Name})
	if c.process != nil {
		c.process.Kill()
	}
	c.wire.close()
}

// tell sends a command that has no answer.
func (c *Client) tell(command Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Answer)
	defer cancel()
	if err := c.send(ctx, command); err != nil {
		return c.fail(c.diagnose(err, NoAnswer, command))
	}
	return nil
}

// hold keeps a command until the next is sent, so that both reach the engine at once. It is in
// place of one of its kind that is held already, as when a search was broken off before it was
// asked for.
func (c *Client) hold(command Command) error {
	err := c.Failure()
	if err == nil {
		c.mu.Lock()
		c.held = slices.DeleteFunc(c.held, func(held Command) bool { return held.word() == command.word() })
		c.held = append(c.held, command)
		c.mu.Unlock()
	}
	return err
}

// send puts commands on their way, after those that were held.
func (c *Client) send(ctx context.Context, commands ...Command) error {
	c.mu.Lock()
	commands, c.held = append(c.held, commands...), nil
	c.mu.Unlock()
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = command.String()
	}
	return c.wire.send(ctx, lines...)
}

// ask sends commands and waits for the line for which take holds, the answer to
// the last of them.
func (c *Client) ask(patience time.Duration, silent FailureKind, take func(words []string) bool, commands ...Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var strays strays
	h := c.wire.expect(func(line string, _ time.Time) bool {
		words := strings.Fields(line)
		return len(words) > 0 && take(words) || strays.tooMany(words)
	})
	defer c.wire.giveUp(h)
	last := commands[len(commands)-1]
	err := c.send(ctx, commands...)
	if err == nil {
		err = c.wire.wait(ctx, h)
	}
	if err != nil {
		return c.fail(c.diagnose(err, silent, last))
	}
	if strays.first != "" && strays.tooMany(nil) {
		return c.fail(c.broken("noise instead of an answer to " + last.String() + ": " + quoted(strays.first)))
	}
	return c.Failure() // what was overheard meanwhile
}

// mostOptions is how many options of an engine are kept.
const mostOptions = 1000

// shakeHands says hello in one dialect, or in both, and hears who it is.
func (c *Client) shakeHands() error {
	patience := c.config.Patience.Handshake
	switch c.config.Handshake {
	case UGIHandshake:
		return c.greet(UGI, patience)
	case UCIHandshake:
		return c.greet(UCI, patience)
	}
	// The engine may well answer the first greeting after the second was said.
	// A failure of the second shows in the wait for the first.
	later := time.AfterFunc(patience/2, func() { _ = c.tell(Handshake{UCI}) })
	defer later.Stop()
	return c.greet(UGI, patience)
}

// greet says hello in dialect and waits for the end of either handshake.
func (c *Client) greet(dialect Dialect, patience time.Duration) error {
	return c.ask(patience, NoHandshake, func(words []string) bool {
		switch words[0] {
		case "id":
			c.hearID(words[1:])
		case "option":
			o, err := ParseOption(strings.Join(words, " "))
			if err == nil && len(c.options) < mostOptions && findOption(c.options, o.Name) < 0 {
				c.options = append(c.options, o)
			}
		case UGI.accepted():
			c.dialect = UGI
			return true
		case UCI.accepted():
			c.dialect = UCI
			return true
		}
		return false
	}, Handshake{dialect})
}

// hearID takes the words after `id`.
func (c *Client) hearID(words []string) {
	if len(words) == 0 {
		return
	}
	text := printable(strings.Join(words[1:], " "))
	switch words[0] {
	case "name":
		c.name = text
	case "author":
		c.author = text
	}
}

// Ready waits until the engine has done all that it was told before.
func (c *Client) Ready() error {
	return c.ask(c.config.Patience.Answer, NoAnswer, isReady, IsReady{})
}

// isReady tells whether a line answers `isready`.
func isReady(words []string) bool { return words[0] == "readyok" }

// SetOption gives an option that the engine listed a value, and waits until the
// engine has it. A name that it did not list, a value that the list does not
// allow, and one that the engine answers with `info string error`, are an
// *Error, the last with the engine's own words. A button takes any value.
func (c *Client) SetOption(name, value string) error {
	at := findOption(c.options, name)
	if at < 0 {
		return refuse(SetOption{}.word(), name, c.config.Name+" has no such option")
	}
	o := c.options[at]
	canonical, err := o.Canonical(value)
	switch {
	case err != nil:
		return refuse(SetOption{}.word(), value, o.Name+": "+err.Error())
	case strings.ContainsAny(canonical, "\r\n"):
		return refuse(SetOption{}.word(), value, o.Name+": a value is one line")
	case canonical == "" && o.Kind == StringOption:
		canonical = emptyText
	}
	isRules := strings.EqualFold(o.Name, rulesOption)
	if isRules {
		c.rules = "" // until the engine has taken it
	}
	c.forgetComplaint()
	if err := c.tell(SetOption{Name: o.Name, Value: canonical, HasValue: o.Kind != ButtonOption}); err != nil {
		return err
	}
	if err := c.Ready(); err != nil {
		return err
	}
	if said := c.lastComplaint(); said != "" {
		return refuse(SetOption{}.word(), value, o.Name+": "+c.config.Name+" refuses it: "+said)
	}
	if isRules {
		c.rules = canonical
	}
	return nil
}

// SetRules tells by which rules the next games are played, unless the engine knows. An
// engine that has no option Rules plays standard ones; that it should play others is an
// *Error.
func (c *Client) SetRules(rules position.Rules) error {
	if findOption(c.options, rulesOption) >= 0 {
		if c.rules == rules.String() {
			return nil
		}
		return c.SetOption(rulesOption, rules.String())
	}
	if rules != position.Standard {
		return refuse(SetOption{}.word(), rules.String(), c.config.Name+" plays by standard rules only")
	}
	return nil
}

// NewGame tells that another game begins, and waits until the engine is ready
// for it.
func (c *Client) NewGame() error {
	if err := c.TellNewGame(); err != nil {
		return err
	}
	return c.Ready()
}

// TellNewGame is NewGame without the wait, for what waits later: SetPosition or
// VerifyPosition.
func (c *Client) TellNewGame() error { return c.hold(NewGame{c.dialect}) }

// SetPosition sets up the position after legal turns from start, and waits
// until the engine has it. The rules are told by SetRules, not here.
func (c *Client) SetPosition(start position.Position, turns []position.Turn) error {
	if err := c.TellPosition(start, turns); err != nil {
		return err
	}
	return c.Ready()
}

// TellPosition is SetPosition without the wait. The engine is told with the next
// command, which wakes it once: where that is a search, the time that the engine takes
// to read the position counts as its time for the search. Turns that go on from those
// told last are checked alone.
func (c *Client) TellPosition(start position.Position, turns []position.Turn) error {
	told := c.told
	if n := len(told.turns); !told.start.Equal(start) || len(turns) < n || !slices.Equal(turns[:n], told.turns) {
		told = line{start: start, end: start}
	}
	command := SetPosition{}
	if board := start.String(); board != position.StartText {
		command.Board = strings.Fields(board)
	}
	for _, t := range turns[len(told.turns):] {
		if !told.end.Legal(t) {
			return refuse(command.word(), t.String(), "not legal")
		}
		told.words = append(told.words, t.String())
		var child position.Position
		told.end.Play(&child, t)
		told.end = child
	}
	told.turns = slices.Clone(turns)
	command.Turns = told.words
	c.forgetComplaint()
	if err := c.hold(command); err != nil {
		return err
	}
	c.told = told
	return nil
}

// line is legal turns from a position on.
type line struct {
	start, end position.Position
	turns      []position.Turn
	words      []string // the turns in text
}

// VerifyPosition asks an engine whether it has the position that was set up
// last. It has not, a WrongPosition, when it said `info string error` since then,
// or answers `query fen` with another position. An engine that speaks UCI, which
// has no queries, that does not know this one, or answers it in another notation,
// is believed.
func (c *Client) VerifyPosition() error {
	commands, asked := []Command{IsReady{}, Query{About: "fen"}, IsReady{}}, 2
	if c.dialect == UCI {
		commands, asked = commands[:1], 1
	}
	// What the engine says of the position comes before its first readyok, what it says
	// of the query after it.
	var text, complaint string
	ready := 0
	err := c.ask(c.config.Patience.Answer, NoAnswer, func(words []string) bool {
		switch {
		case isReady(words):
			if ready++; ready == 1 {
				complaint = c.lastComplaint()
			}
		case words[0] == "response":
			text = strings.Join(words[1:], " ")
		}
		return ready == asked
	}, commands...)
	switch {
	case err != nil:
		return err
	case complaint != "":
		return &Failure{Kind: WrongPosition, Engine: c.config.Name, Complaint: complaint}
	case c.dialect == UCI:
		return nil
	}
	c.forgetComplaint() // it may not know the query
	has, err := position.Parse(text, c.told.end.Rules())
	if err != nil || has.Equal(c.told.end) {
		return nil
	}
	return &Failure{Kind: WrongPosition, Engine: c.config.Name, Detail: "it has " + has.String() + " instead of " + c.told.end.String()}
}

// Query asks about the current position, as in `query fen`, and returns the
// words after `response`.
func (c *Client) Query(about string) (answer string, err error) {
	if strings.Fields(about) == nil || strings.ContainsAny(about, "\r\n") {
		return "", refuse(Query{}.word(), about, "not a word")
	}
	err = c.ask(c.config.Patience.Answer, NoAnswer, func(words []string) bool {
		if words[0] != "response" {
			return false
		}
		answer = strings.Join(words[1:], " ")
		return true
	}, Query{About: about})
	return answer, err
}

// Answer is what came of a search.
type Answer struct {
	Best   position.Turn // None when the engine says that there is none
	Ponder position.Turn // the reply expected; None when not told, or not legal
	Word   string        // the turn as the engine wrote it, in printable text
	// Elapsed is the time from writing `go`, or from PonderHit, to reading
	// `bestmove`.
	Elapsed time.Duration
	Last    Info // the last report with a score, of the best line
	// Illegal is the first word in the lines of turns of any report that was no legal
	// turn at its place; empty if all were.
	Illegal string
}

// Go searches the position that was set up last, and blocks until the engine
// answers. report, if not nil, gets every `info` line in order, from another
// goroutine but never after Go has returned; it may call Stop and PonderHit
// only, and Go does not return while it runs.
//
// When ctx is done before the answer is there, the engine is told to stop and
// may answer a little later. After a cancellation that answer is as good as
// any. After a deadline the error is a SearchTimeout, and the late answer comes
// with it. When even stop brings no answer, the engine is lost. When ctx is done
// already, nothing is asked of the engine, and the error is ctx's.
//
// A turn that is not legal is an IllegalTurn; Answer.Word then tells it. An
// engine that gives another turn after its answer, without having been told to
// stop, is broken: the next call says so.
func (c *Client) Go(ctx context.Context, limits Limits, report func(Info)) (Answer, error) {
	running, err := c.Begin(ctx, limits, report)
	if err != nil {
		return Answer{}, err
	}
	return running.Wait(ctx)
}

// Running is a search that was begun. Until Wait has returned, the client takes Stop,
// PonderHit and Kill alone.
type Running struct {
	client  *Client
	search  *clientSearch
	hope    *hope
	command Command
	failed  error // of telling the engine
}

// Begin is the first half of Go, for a search that something else goes on beside, as
// when the engine ponders: the engine has been told when it returns. An error is as of
// Go when nothing is asked.
func (c *Client) Begin(ctx context.Context, limits Limits, report func(Info)) (*Running, error) {
	if err := cmp.Or(c.Failure(), ctx.Err()); err != nil {
		return nil, err
	}
	command := Go{Dialect: c.dialect, Limits: limits}
	for _, t := range limits.SearchTurns {
		command.Turns = append(command.Turns, t.String())
	}
	s := &clientSearch{client: c, root: c.told.end, report: report}
	r := &Running{client: c, search: s, hope: c.wire.expect(s.take), command: command}
	c.startClock()
	r.failed = c.send(ctx, command)
	return r, nil
}

// Wait is the second half of Go: it blocks until the engine answers, or ctx is done. It
// is called once.
func (r *Running) Wait(ctx context.Context) (Answer, error) {
	c := r.client
	defer c.wire.giveUp(r.hope)
	err := r.failed
	if err == nil {
		err = c.wire.wait(ctx, r.hope)
	}
	if err == nil {
		return r.search.result()
	}
	if errors.Is(err, errEnded) {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, r.command))
	}
	return c.overdue(r.search, r.hope, r.command, err)
}

// overdue stops a search whose time is over, for the reason why.
func (c *Client) overdue(s *clientSearch, h *hope, command Command, why error) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Stop)
	defer cancel()
	c.noteStop()
	err := c.wire.send(ctx, Stop{}.String())
	if err == nil {
		err = c.wire.wait(ctx, h)
	}
	if err != nil {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, command))
	}
	answer, err := s.result()
	if err != nil || errors.Is(why, context.Canceled) {
		return answer, err
	}
	return answer, &Failure{Kind: SearchTimeout, Engine: c.config.Name, Detail: "it answered after stop", Complaint: c.lastComplaint(), Err: why}
}

// startClock begins to count the time of a search.
func (c *Client) startClock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin, c.stopped = time.Now(), false
}

// since returns the time that a search has taken at a given moment.
func (c *Client) since(at time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(at.Sub(c.begin), 0)
}

// clientSearch hears what an engine says from `go` to `bestmove`. Its fields
// belong to the reading goroutine until the hope that has take is done.
type clientSearch struct {
	client *Client
	root   position.Position
	report func(Info)

	strays strays
	words  []string // of the bestmove line; nil when noise came instead
	answer Answer
}

// take hears one line and reports whether the search is over.
func (s *clientSearch) take(line string, at time.Time) bool {
	if i, ok := ParseInfo(line, &s.root); ok {
		if s.answer.Illegal == "" {
			s.answer.Illegal = i.Illegal
		}
		if i.HasScore && i.MultiPV <= 1 {
			s.answer.Last = i
		}
		if s.report != nil {
			s.report(i)
		}
		return false
	}
	words := strings.Fields(line)
	if len(words) > 0 && words[0] == "bestmove" {
		s.words = words
		s.answer.Elapsed = s.client.since(at)
		return true
	}
	return s.strays.tooMany(words)
}

// result reads the line that ended the search.
func (s *clientSearch) result() (Answer, error) {
	c := s.client
	if s.words == nil {
		return Answer{}, c.fail(c.broken("noise instead of bestmove: " + quoted(s.strays.first)))
	}
	if len(s.words) < 2 {
		return Answer{}, c.fail(c.broken("bestmove without a turn"))
	}
	word := s.words[1]
	s.answer.Word = printable(word)
	if s.root.Over() {
		return s.answer, nil // engines have many words for no turn
	}
	best, err := s.root.ParseTurn(word)
	if err != nil {
		return s.answer, &Failure{Kind: IllegalTurn, Engine: c.config.Name, Complaint: c.lastComplaint(), Err: err}
	}
	s.answer.Best = best
	if len(s.words) >= 4 && s.words[2] == "ponder" {
		var child position.Position
		s.root.Play(&child, best)
		// A reply that is not legal is only a bad guess.
		s.answer.Ponder, _ = child.ParseTurn(s.words[3])
	}
	return s.answer, nil
}

// mostStrays is how many lines that mean nothing are put up with while one
// waits for an answer. Engines do print a banner or a board.
const mostStrays = 10_000

// answerWords begin the lines that an engine may say.
var answerWords = []string{"info", "id", "option", "bestmove", "readyok", "response",
	"ugiok", "uciok", "copyprotection", "registration"}

// strays counts the lines that mean nothing, and keeps the first word of them.
type strays struct {
	count int
	first string
}

// tooMany counts a line, given as its words, and reports whether the engine
// talks nonsense. Empty lines do not count.
func (s *strays) tooMany(words []string) bool {
	if len(words) > 0 && !slices.Contains(answerWords, words[0]) {
		s.count++
		if s.first == "" {
			s.first = words[0]
		}
	}
	return s.count > mostStrays
}

// fail makes f the reason why the engine cannot be used any more, unless there
// is one already, and returns the reason.
func (c *Client) fail(f *Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = f
	}
	return c.failure
}

// diagnose finds out what is behind an error of the wire while command waited
// for its answer; silent is the failure when the engine is merely silent.
func (c *Client) diagnose(err error, silent FailureKind, command Command) *Failure {
	f := &Failure{Kind: silent, Engine: c.config.Name, Detail: "after " + quoted(command.String()), Complaint: c.lastComplaint()}
	if errors.Is(err, errEnded) {
		f.Kind = ClosedOutput
	}
	if c.process == nil {
		return f
	}
	if f.Kind == ClosedOutput {
		// The end of the output and that of the process come close together.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if c.process.waitExit(ctx) == nil {
			f.Kind, f.Status = Died, c.process.Status()
		}
	}
	f.Stderr = c.process.Stderr()
	return f
}

// broken is a failure of an engine that breaks the protocol.
func (c *Client) broken(detail string) *Failure {
	return &Failure{Kind: Garbage, Engine: c.config.Name, Detail: detail, Complaint: c.lastComplaint()}
}

// overhear takes a line that is not the answer waited for: it remembers what the
// engine complains of, and notices a turn that nobody asked for. After stop one
// may come from an engine that answers it although its search was over.
func (c *Client) overhear(line string) {
	if !strings.HasPrefix(line, "info string") && !strings.HasPrefix(line, "bestmove") {
		return
	}
	words := strings.Fields(line[:min(len(line), longestText)])
	switch {
	case len(words) >= 3 && words[0] == "info" && words[1] == "string" && strings.EqualFold(strings.TrimSuffix(words[2], ":"), "error"):
		c.mu.Lock()
		c.complaint = printable(cmp.Or(strings.Join(words[3:], " "), "error"))
		c.mu.Unlock()
	case len(words) >= 1 && words[0] == "bestmove":
		c.mu.Lock()
		stopped := c.stopped
		c.mu.Unlock()
		if !stopped {
			c.fail(c.broken("a turn that nobody asked for: " + quoted(strings.Join(words[1:], " "))))
		}
	}
}

// noteStop remembers that stop is said to the search of the moment.
func (c *Client) noteStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// lastComplaint returns the engine's last `info string error` since
// forgetComplaint; empty for none.
func (c *Client) lastComplaint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.complaint
}

// forgetComplaint begins to listen for complaints anew.
func (c *Client) forgetComplaint() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complaint = ""
}
