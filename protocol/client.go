package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gyre/position"
	"gyre/search"
)

// Client drives one engine, as a match or a board does. Its methods must be called
// from one goroutine, except Stop, PonderHit and Kill, which may be called from any,
// even while another method waits. Every wait has a limit. Call Quit or Kill at the
// end.
//
// An error is a *Failure of the engine or an *Error about an argument. Go also returns
// the error of its context, if that was done before the search began.
type Client struct {
	config  Config
	wire    *wire
	process *Process // nil if the engine is not a process

	dialect      Dialect
	name, author string
	options      []Option
	rules        string       // the last value of the option Rules that the engine accepted
	sent         sentPosition // the position that was set up last

	mu        sync.Mutex
	failure   *Failure        // why the engine cannot be used anymore
	begin     time.Time       // when the clock of the running search began
	stopped   bool            // whether stop was sent since the last go
	warned    map[string]bool // what Warn was called about
	complaint string          // the last `info string error` since the last position or option
	kept      []Command       // to send with the next command
}

// Config configures a Client. The zero value is valid.
type Config struct {
	Name string // for errors; the program's path if empty
	// UCI sends `uci` at once. Otherwise the client sends `ugi`, and then `uci` if the
	// engine does not answer within half of the time for the handshake.
	UCI      bool
	Patience Patience
	// Cancel, if not nil, ends the handshake and kills the engine once it is closed. It has no effect afterwards.
	Cancel <-chan struct{}
	// Trace, if not nil, is called with every line in both directions, from several
	// goroutines. It must not call the client.
	Trace func(toEngine bool, line string)
	// Warn, if not nil, is called with a message if the client skips what it cannot read:
	// an option, a part of it, or a value of an info line. It is called once for each
	// option, and once for each keyword of info. It must not call the client.
	Warn func(message string)
	// Processors lists the processors on which the program and its children may run;
	// empty means all. It works on Linux only; elsewhere the program does not start.
	Processors []int
}

// Patience holds the time limits for answers, as of [WithPatience]; zero means the default.
type Patience struct {
	Handshake time.Duration // for ugiok or uciok; 10 s
	Answer    time.Duration // for readyok and response, and for the engine to read its input; 10 s
	Stop      time.Duration // for the turn after stop; 5 s
	Quit      time.Duration // for the program to end after quit; 3 s
}

// longestPatience is the maximum of each time limit; a longer one is a typing error.
const longestPatience = 24 * time.Hour

// Check returns an error if a time limit is negative or longer than a day.
func (p Patience) Check() error {
	for _, limit := range []time.Duration{p.Handshake, p.Answer, p.Stop, p.Quit} {
		if limit < 0 || limit > longestPatience {
			return fmt.Errorf("patience %v: must be from 0 to %v", limit, longestPatience)
		}
	}
	return nil
}

// Capped returns p with no time limit longer than a day, as Check requires. Earlier releases stored longer ones.
func (p Patience) Capped() Patience {
	for _, limit := range []*time.Duration{&p.Handshake, &p.Answer, &p.Stop, &p.Quit} {
		*limit = min(*limit, longestPatience)
	}
	return p
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

// Start starts the program and performs the handshake. If that fails, no process is
// left.
func (p Program) Start(config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, p.Path)
	process, err := startProcess(p, config.Processors)
	if err != nil {
		return nil, &Failure{Kind: CannotStart, Engine: config.Name, Err: err}
	}
	return connect(process, process, config)
}

// Connect performs the handshake with an engine at the other end of conn. Quit and Kill
// close conn.
func Connect(conn io.ReadWriteCloser, config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, "the engine")
	return connect(conn, nil, config)
}

func connect(conn io.ReadWriteCloser, p *Process, config Config) (*Client, error) {
	config.Patience = config.Patience.orDefault()
	start := position.Start(position.Standard)
	c := &Client{config: config, process: p, warned: make(map[string]bool), sent: sentPosition{start: start, end: start}}
	c.wire = newWire(conn, config.Trace, c.unsolicited)
	greeted := make(chan struct{})
	var canceling sync.WaitGroup
	canceling.Go(func() {
		select {
		case <-config.Cancel:
			c.Kill()
		case <-greeted:
		}
	})
	err := c.shakeHands()
	close(greeted)
	canceling.Wait() // so that it kills nothing afterwards
	if err = cmp.Or(err, c.Failure()); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

// Name returns the engine's name as it gave it.
func (c *Client) Name() string { return c.name }

// Author returns the engine's author as it gave it.
func (c *Client) Author() string { return c.author }

// Dialect returns the dialect of the handshake that the engine answered.
func (c *Client) Dialect() Dialect { return c.dialect }

// Options returns the valid options that the engine listed.
func (c *Client) Options() []Option { return c.options }

// Failure returns why the engine cannot be used anymore, or nil.
func (c *Client) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// send sends a command without an answer.
func (c *Client) send(command Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := WithPatience(context.Background(), c.config.Patience.Answer)
	defer cancel()
	if err := c.write(ctx, command); err != nil {
		return c.fail(c.diagnose(err, NoAnswer, command))
	}
	return nil
}

// sendWithNext keeps a command until the next one is sent, so that both reach the engine at
// once. It replaces a kept command of the same kind, which is left over when a search was
// canceled before it began.
func (c *Client) sendWithNext(command Command) error {
	err := c.Failure()
	if err == nil {
		c.mu.Lock()
		c.kept = slices.DeleteFunc(c.kept, func(kept Command) bool { return wordOf(kept) == wordOf(command) })
		c.kept = append(c.kept, command)
		c.mu.Unlock()
	}
	return err
}

// write writes commands to the wire, after those that were kept. All commands pass here.
func (c *Client) write(ctx context.Context, commands ...Command) error {
	c.mu.Lock()
	commands, c.kept = append(c.kept, commands...), nil
	c.mu.Unlock()
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = command.String()
	}
	return c.wire.send(ctx, lines...)
}

// ask sends commands and waits for the line for which accept returns true, the answer to
// the last command. silent is the kind of failure if the engine does not answer.
func (c *Client) ask(patience time.Duration, silent FailureKind, accept func(words []string) bool, commands ...Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := WithPatience(context.Background(), patience)
	defer cancel()
	var strays strays
	waiting := c.wire.expect(func(line string, _ time.Time) bool {
		words := fields(line)
		return len(words) > 0 && accept(words) || strays.tooMany(words)
	})
	defer c.wire.cancel(waiting)
	last := commands[len(commands)-1]
	err := c.write(ctx, commands...)
	if err == nil {
		err = c.wire.wait(ctx, waiting)
	}
	if err != nil {
		f := c.diagnose(err, silent, last)
		c.wire.cancel(waiting)
		if strays.first != "" && f.Kind == silent { // perhaps an answer with something in front of it
			f.Detail += "; it wrote " + quoted(strays.first)
		}
		return c.fail(f)
	}
	if strays.count > maxStrays {
		return c.fail(c.broken("noise instead of an answer to " + last.String() + ": " + quoted(strays.first)))
	}
	return c.Failure() // of an unsolicited answer meanwhile
}

// Stop tells the running search to answer now. It does not wait.
func (c *Client) Stop() error {
	c.noteStop()
	return c.send(Stop{})
}

// PonderHit tells a pondering search that the opponent played the expected turn. The
// search's time counts from now on. PonderHit does not wait.
func (c *Client) PonderHit() error {
	c.mu.Lock()
	c.begin = time.Now()
	c.mu.Unlock()
	return c.send(PonderHit{})
}

// Quit asks the engine to end and waits for it. If the engine does not end in time,
// Quit kills it and returns an error. No process is left.
func (c *Client) Quit() error {
	if c.Failure() != nil {
		c.Kill()
		return nil
	}
	ctx, cancel := WithPatience(context.Background(), c.config.Patience.Quit)
	defer cancel()
	err := c.write(ctx, Quit{})
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
		return &Failure{Kind: NoAnswer, Engine: c.config.Name, Detail: "it did not quit"}
	}
	return nil
}

// Ended returns a channel that is closed when the engine has ended after Quit or Kill, and
// uses neither a processor nor memory anymore: its process has exited, or the goroutine of
// a [Local] engine, which ends no sooner than its search. Of any other engine it is closed
// at the end of its output.
func (c *Client) Ended() <-chan struct{} {
	if engine, ok := c.wire.conn.(interface{ Exited() <-chan struct{} }); ok {
		return engine.Exited()
	}
	return c.wire.ended
}

// Kill ends the engine at once, with its process and all its children. An engine of [Local]
// has no process, so Kill can only tell it to stop; see Ended.
func (c *Client) Kill() {
	c.fail(&Failure{Kind: Closed, Engine: c.config.Name})
	if c.process != nil {
		c.process.Kill()
	}
	c.wire.close()
}

// maxOptions is how many options of an engine are kept. Engines that are being tuned have thousands.
const maxOptions = 10_000

// maxWarnings is how many subjects of an engine Warn is called about.
const maxWarnings = 1000

// shakeHands performs the handshake in UCI, or tries both dialects.
func (c *Client) shakeHands() error {
	patience := c.config.Patience.Handshake
	if c.config.UCI {
		return c.greet(UCI, patience)
	}
	// The engine may answer the first greeting after the second was sent. If the
	// second cannot be sent, the wait for the first fails.
	later := time.AfterFunc(patience/2, func() { _ = c.send(Handshake{UCI}) })
	defer later.Stop()
	return c.greet(UGI, patience)
}

// greet sends the greeting of a dialect and waits for the end of either handshake.
func (c *Client) greet(dialect Dialect, patience time.Duration) error {
	return c.ask(patience, NoHandshake, func(words []string) bool {
		switch words[0] {
		case "id":
			c.setID(words[1:])
		case "option":
			c.addOption(strings.Join(words, " "))
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

// addOption adds the option of a line. The first of two with the same name counts.
func (c *Client) addOption(line string) {
	o, err := ParseOption(line)
	switch {
	case err != nil && o.Name == "":
	case findOption(c.options, o.Name) >= 0:
		err = reject("option", o.Name, "listed twice")
	case len(c.options) < maxOptions:
		c.options = append(c.options, o)
	default:
		c.warn("options", "it lists more than "+strconv.Itoa(maxOptions)+" options; skipped the rest")
	}
	if err != nil {
		c.warn(line, "skipped in "+quoted(line)+": "+err.Error())
	}
}

// warn calls Warn, once about each subject, and no more after maxWarnings subjects.
func (c *Client) warn(subject, message string) {
	c.mu.Lock()
	silent := c.warned[subject] || len(c.warned) >= maxWarnings
	if !silent {
		c.warned[subject] = true
	}
	c.mu.Unlock()
	if !silent && c.config.Warn != nil {
		c.config.Warn(c.config.Name + ": " + message)
	}
}

// setID sets the name or the author from the words after `id`.
func (c *Client) setID(words []string) {
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

// Ready waits until the engine has executed all previous commands.
func (c *Client) Ready() error {
	return c.ask(c.config.Patience.Answer, NoAnswer, isReady, IsReady{})
}

// isReady reports whether a line answers `isready`.
func isReady(words []string) bool { return words[0] == "readyok" }

// SetOption sets an option and waits until the engine has executed the command. It
// returns an *Error if the engine did not list the option, if the option does not accept
// the value, or if the engine answers `info string error`; Complaint then holds the
// engine's message. A button accepts any value.
func (c *Client) SetOption(name, value string) error {
	at := findOption(c.options, name)
	if at < 0 {
		return reject("setoption", name, c.config.Name+" has no such option")
	}
	o := c.options[at]
	canonical, err := o.Canonical(value)
	switch {
	case err != nil:
		return reject("setoption", value, o.Name+": "+err.Error())
	case strings.ContainsAny(canonical, "\r\n"):
		return reject("setoption", value, o.Name+": a value must be one line")
	case canonical == "" && o.Kind == StringOption:
		canonical = emptyText
	}
	isRules := strings.EqualFold(o.Name, rulesOption)
	if isRules {
		c.rules = "" // until the engine has accepted it
	}
	c.clearComplaint()
	if err := c.send(SetOption{Name: o.Name, Value: canonical, HasValue: o.Kind != ButtonOption}); err != nil {
		return err
	}
	if err := c.Ready(); err != nil {
		return err
	}
	if said := c.lastComplaint(); said != "" {
		return &Error{Command: "setoption", Word: value, Reason: o.Name + ": rejected by " + c.config.Name, Complaint: said}
	}
	if isRules {
		c.rules = canonical
	}
	return nil
}

// SetRules sets the rules of the next games, unless the engine has them already. An
// engine without the option Rules plays standard rules only; for other rules SetRules
// returns an *Error.
func (c *Client) SetRules(rules position.Rules) error {
	if findOption(c.options, rulesOption) >= 0 {
		if c.rules == rules.String() {
			return nil
		}
		return c.SetOption(rulesOption, rules.String())
	}
	if rules != position.Standard {
		return reject("setoption", rules.String(), c.config.Name+" plays by standard rules only")
	}
	return nil
}

// NewGame announces another game. The command is sent with the next one.
func (c *Client) NewGame() error { return c.sendWithNext(NewGame{c.dialect}) }

// SetPosition sets up the position after legal turns from start. It does not set the
// rules; call SetRules. The command is sent with the next one, so the engine wakes up once.
// If that is a search, its time includes reading the position; call Ready to wait first. If
// the turns extend those of the last position, only the new ones are checked.
func (c *Client) SetPosition(start position.Position, turns []position.Turn) error {
	sent := c.sent
	if n := len(sent.turns); !sent.start.Equal(start) || len(turns) < n || !slices.Equal(turns[:n], sent.turns) {
		sent = sentPosition{start: start, end: start}
	}
	command := SetPosition{}
	if board := start.String(); board != position.StartText {
		command.Board = strings.Fields(board)
	}
	for _, t := range turns[len(sent.turns):] {
		if !sent.end.Legal(t) {
			return reject("position", t.String(), "not legal")
		}
		sent.words = append(sent.words, t.String())
		sent.end = sent.end.After(t)
	}
	sent.turns = slices.Clone(turns)
	command.Turns = sent.words
	c.clearComplaint()
	if err := c.sendWithNext(command); err != nil {
		return err
	}
	c.sent = sent
	return nil
}

// sentPosition is a position and the legal turns played from it.
type sentPosition struct {
	start, end position.Position
	turns      []position.Turn
	words      []string // the turns as text
}

// VerifyPosition checks that the engine has the position that was set up last. It
// returns a WrongPosition failure if the engine has printed `info string error` since
// then, or answers `query fen` with another position. It cannot check an engine that
// speaks UCI, does not answer the query, or answers in another notation.
func (c *Client) VerifyPosition() error {
	commands, asked := []Command{IsReady{}, Query{About: "fen"}, IsReady{}}, 2
	if c.dialect == UCI {
		commands, asked = commands[:1], 1
	}
	// An error about the position comes before the first readyok, and one about the
	// query after it.
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
	c.clearComplaint() // the engine may not know the query
	has, err := position.Parse(text, c.sent.end.Rules())
	if err != nil || has.Equal(c.sent.end) {
		return nil
	}
	return &Failure{Kind: WrongPosition, Engine: c.config.Name, Detail: "it has " + has.String() + " instead of " + c.sent.end.String()}
}

// Query sends a query about the current position, such as `query fen`, and returns the
// words after `response`. It returns an *Error if about is not one word, or if the engine
// does not answer it.
func (c *Client) Query(about string) (answer string, err error) {
	if !slices.Equal(fields(about), []string{about}) {
		return "", reject("query", about, "not a word")
	}
	answered := false
	err = c.ask(c.config.Patience.Answer, NoAnswer, func(words []string) bool {
		if words[0] == "response" {
			answer, answered = strings.Join(words[1:], " "), true
		}
		return isReady(words)
	}, Query{About: about}, IsReady{})
	if err == nil && !answered {
		err = &Error{Command: "query", Word: about, Reason: "not answered by " + c.config.Name, Complaint: c.lastComplaint()}
	}
	return answer, err
}

// Answer is the result of a search.
type Answer struct {
	Best   position.Turn // None if the engine gives no turn
	Ponder position.Turn // the expected reply; None if missing or not legal
	Word   string        // the turn as the engine wrote it, in printable text
	// Elapsed is the time from writing `go`, or from PonderHit, to reading
	// `bestmove`.
	Elapsed time.Duration
	Last    Info // the last report with a score, of the best line
	// Illegal is the first word in a pv of any report that was not a legal turn in
	// its place; empty if all were legal.
	Illegal string
}

// Go searches the position that was set up last, and blocks until the engine answers.
// If report is not nil, it is called with every `info` line in order. It runs in
// another goroutine, but never after Go has returned. It may call only Stop and
// PonderHit.
//
// If ctx is done before the engine has answered, Go sends stop and waits for the
// answer. After a cancellation, Go returns that answer without an error. After a
// deadline, Go returns it with a SearchTimeout. If no answer comes after stop, the
// engine cannot be used anymore. If ctx is done before Go is called, Go returns its
// error and sends nothing.
//
// If the turn is not legal, Go returns an IllegalTurn, and Answer.Word holds the turn.
// If the engine gives another turn after its answer, without a stop, the next call
// returns a failure.
func (c *Client) Go(ctx context.Context, limits search.Limits, report func(Info)) (Answer, error) {
	running, err := c.Begin(ctx, limits, report)
	if err != nil {
		return Answer{}, err
	}
	return running.Wait(ctx)
}

// Running is a search in progress. Until Wait has returned, call only Stop, PonderHit
// and Kill on the client.
type Running struct {
	client  *Client
	root    position.Position
	report  func(Info)
	command Command
	waiter  *waiter
	unsent  error // why the command could not be written

	// The engine's output from `go` to `bestmove`. These fields belong to the reading
	// goroutine until the waiter is done.
	strays strays
	words  []string // of the bestmove line; nil if noise came instead
	answer Answer
}

// Begin is the first half of Go: it starts a search and returns, so that the caller can
// do other work, for example while the engine ponders. It returns an error only if it
// has sent nothing.
func (c *Client) Begin(ctx context.Context, limits search.Limits, report func(Info)) (*Running, error) {
	if err := cmp.Or(c.Failure(), ctx.Err()); err != nil {
		return nil, err
	}
	r := &Running{client: c, root: c.sent.end, report: report,
		command: Go{Dialect: c.dialect, Limits: limits, Turns: position.Words(limits.SearchTurns)}}
	r.waiter = c.wire.expect(r.readLine)
	c.mu.Lock()
	c.begin, c.stopped = time.Now(), false
	c.mu.Unlock()
	writing, cancel := WithPatience(ctx, c.config.Patience.Answer)
	defer cancel()
	r.unsent = c.write(writing, r.command)
	return r, nil
}

// Wait is the second half of Go: it blocks until the engine answers or ctx is done. Call
// it once.
func (r *Running) Wait(ctx context.Context) (Answer, error) {
	c := r.client
	defer c.wire.cancel(r.waiter)
	err := r.unsent
	if err == nil {
		err = c.wire.wait(ctx, r.waiter)
	}
	if err == nil {
		return r.result()
	}
	if errors.Is(err, errEnded) {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, r.command))
	}
	return r.overdue(err)
}

// overdue stops a search whose context is done. why is the error of the context.
func (r *Running) overdue(why error) (Answer, error) {
	c := r.client
	ctx, cancel := WithPatience(context.Background(), c.config.Patience.Stop)
	defer cancel()
	c.noteStop()
	err := c.write(ctx, Stop{})
	if err == nil {
		err = c.wire.wait(ctx, r.waiter)
	}
	if err != nil {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, r.command))
	}
	answer, err := r.result()
	if err != nil || errors.Is(why, context.Canceled) {
		return answer, err
	}
	return answer, &Failure{Kind: SearchTimeout, Engine: c.config.Name, Detail: "it answered after stop", Complaint: c.lastComplaint(), Err: why}
}

// since returns the time from the start of the search to at.
func (c *Client) since(at time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(at.Sub(c.begin), 0)
}

// readLine handles one line and reports whether the search is over.
func (r *Running) readLine(line string, at time.Time) bool {
	if i, ok := ParseInfo(line, &r.root); ok {
		if i.Unread != "" {
			r.client.warn("info "+i.Unread, i.Unread+" skipped in "+quoted(line)+": it cannot be read")
		}
		if r.answer.Illegal == "" {
			r.answer.Illegal = i.Illegal
		}
		if i.HasScore && i.MultiPV <= 1 {
			r.answer.Last = i
		}
		if r.report != nil {
			r.report(i)
		}
		return false
	}
	words := fields(line)
	if len(words) > 0 && words[0] == "bestmove" {
		r.words = words
		r.answer.Elapsed = r.client.since(at)
		return true
	}
	return r.strays.tooMany(words)
}

// result parses the line that ended the search.
func (r *Running) result() (Answer, error) {
	c := r.client
	if r.words == nil {
		return Answer{}, c.fail(c.broken("noise instead of bestmove: " + quoted(r.strays.first)))
	}
	if len(r.words) < 2 {
		return Answer{}, c.fail(c.broken("bestmove without a turn"))
	}
	word := r.words[1]
	r.answer.Word = printable(word)
	if r.root.Over() {
		return r.answer, nil // engines use various words for no turn
	}
	best, err := r.root.ParseTurn(word)
	if err != nil {
		return r.answer, &Failure{Kind: IllegalTurn, Engine: c.config.Name, Complaint: c.lastComplaint(), Err: err}
	}
	r.answer.Best = best
	if len(r.words) >= 4 && r.words[2] == "ponder" {
		child := r.root.After(best)
		// An illegal reply is only a bad guess.
		if r.answer.Ponder, err = child.ParseTurn(r.words[3]); err != nil {
			c.warn("ponder", "the expected reply is skipped: "+err.Error())
		}
	}
	return r.answer, nil
}

// maxStrays is how many lines outside the protocol an engine may print before an
// answer. Some engines print a banner or a board.
const maxStrays = 10_000

// answerWords are the first words of the protocol's answers.
var answerWords = []string{"id", "option", "ugiok", "uciok", "readyok", "info", "bestmove", "response", "perft"}

// IsAnswer reports whether a line, given as its words, begins like an answer of the
// protocol. An empty line counts as one.
func IsAnswer(words []string) bool {
	return len(words) == 0 || slices.Contains(answerWords, words[0])
}

// strays counts the lines outside the protocol, and keeps the first word of the first.
type strays struct {
	count int
	first string
}

// tooMany counts a line, given as its words, and reports whether there are too many
// strays. Empty lines do not count.
func (s *strays) tooMany(words []string) bool {
	if !IsAnswer(words) {
		s.count++
		if s.first == "" {
			s.first = words[0]
		}
	}
	return s.count > maxStrays
}

// fail records f as the reason why the engine cannot be used anymore, unless there is a
// reason already, and returns the reason.
func (c *Client) fail(f *Failure) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = f
	}
	return c.failure
}

// diagnose returns the failure behind an error of the wire while command waited for its
// answer. silent is the kind of failure if the engine is merely silent.
func (c *Client) diagnose(err error, silent FailureKind, command Command) *Failure {
	f := &Failure{Kind: silent, Engine: c.config.Name, Detail: "after " + quoted(command.String()), Complaint: c.lastComplaint()}
	if errors.Is(err, errEnded) {
		f.Kind = ClosedOutput
	}
	if c.process == nil {
		return f
	}
	if f.Kind == ClosedOutput {
		// If the program died, its process ends soon after its output.
		ctx, cancel := WithPatience(context.Background(), time.Second)
		defer cancel()
		if c.process.waitExit(ctx) == nil {
			f.Kind, f.Status = Died, c.process.Status()
		}
	}
	f.Stderr = c.process.Stderr()
	return f
}

// broken returns the failure of an engine that breaks the protocol.
func (c *Client) broken(detail string) *Failure {
	return &Failure{Kind: Garbage, Engine: c.config.Name, Detail: detail, Complaint: c.lastComplaint()}
}

// unsolicited handles a line that is not an expected answer. It records an `info string
// error`, and fails the client on an unsolicited bestmove. After stop it accepts one,
// because some engines answer stop even if their search is over.
func (c *Client) unsolicited(line string) {
	line = line[:min(len(line), maxText)]
	complaint, complains := Complaint(line)
	words := fields(line)
	switch {
	case len(words) == 0:
	case complains:
		c.mu.Lock()
		c.complaint = printable(complaint)
		c.mu.Unlock()
	case words[0] == "bestmove":
		c.mu.Lock()
		stopped := c.stopped
		c.mu.Unlock()
		if !stopped {
			c.fail(c.broken("an unsolicited bestmove: " + quoted(strings.Join(words[1:], " "))))
		}
	}
}

// Complaint returns the text of a line in which an engine says that it rejects a command:
// `info string error TEXT`, or `info string error: TEXT`, which many engines write. ok is false
// for other lines. The text is never empty.
func Complaint(line string) (text string, ok bool) {
	words := fields(line)
	if len(words) < 3 || words[0] != "info" || words[1] != "string" || !strings.EqualFold(strings.TrimSuffix(words[2], ":"), "error") {
		return "", false
	}
	return cmp.Or(strings.Join(words[3:], " "), "error"), true
}

func (c *Client) noteStop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
}

// lastComplaint returns the engine's last `info string error` since clearComplaint;
// empty for none.
func (c *Client) lastComplaint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.complaint
}

func (c *Client) clearComplaint() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complaint = ""
}
