// Package protocol implements the text protocol that PROTOCOL.md describes, for
// both ends: a [Server] serves an [Engine], and a [Client] drives one.
//
// To write an engine, implement [Engine] and pass it to [NewServer]; its Serve
// method handles the whole protocol, and you choose the turns. The starter
// directory holds a complete engine to copy.
//
// To drive an engine, start a [Program], which runs as a process, or a [Local]
// engine inside this program. Both return a [Client]: set options and a
// position, then call Go.
//
// Commands, options and reports are values ([Command], [Option], [Info]) that
// both ends parse and print.
//
// A Server keeps its state in one goroutine. Reading has its own goroutine, and
// so does the one job that runs; they communicate over channels. Input is never
// trusted: lines are bounded, numbers have ranges, and an invalid command gets
// an error and changes nothing.
package protocol

import (
	"context"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
)

// Engine is what the server needs of an engine. The server calls its methods
// one at a time.
type Engine interface {
	// ID returns the engine's name, its author, and its version, each one
	// line without line breaks. The handshake answers `id name NAME VERSION`.
	ID() (name, author, version string)

	// Options lists the engine's options, each bound to its setter. The
	// server asks once and lists them in this order. It adds Rules and Ponder,
	// or, when the engine lists them too, hears of their values as well.
	Options() []Option

	// NewGame forgets what belongs to one game: tables and histories.
	NewGame()

	// Search chooses a turn at root and blocks until it has one. It returns
	// soon after ctx is done, always with a legal turn, or with position.None
	// when the game is over. When limits asks to ponder, ponderHit is closed as
	// soon as the turn pondered on is played: the clock runs from then on. Both
	// may have happened before Search begins. It may return early from an
	// infinite or pondering search: the server holds the answer back until the
	// user may have it. ponder is the reply that it expects, or position.None.
	// report may be called from any goroutine while Search runs and never after
	// it has returned; the last report should hold the final counts of nodes
	// and time.
	Search(ctx context.Context, root position.Position, limits Limits, ponderHit <-chan struct{}, report func(Info)) (best, ponder position.Turn)

	// Evaluate explains the static evaluation of p to a person: one or more
	// lines of text.
	Evaluate(p *position.Position) string

	// Bench runs the benchmark and writes its report to out, for people. It
	// returns soon after ctx is done. args are the words after `bench`.
	Bench(ctx context.Context, args []string, out io.Writer) error
}

// Version is the version of the protocol that PROTOCOL.md describes.
const Version = "1.0"

// Server serves one engine to one client. Everything but Interrupt belongs to
// the goroutine that runs Serve or RunCommand; reading, and whatever takes
// time, have goroutines of their own.
type Server struct {
	engine  Engine
	in      io.Reader
	out     *lineWriter
	options []Option

	dialect Dialect
	ponder  bool // the option Ponder: bestmove tells the reply expected
	rules   position.Rules
	current position.Position

	running *job  // what takes time now; nil when nothing does
	waiting queue // what came meanwhile and needs the engine

	ending   bool  // return as soon as nothing runs or waits
	closed   bool  // nobody is left to say stop: do not wait for it
	quitting bool  // begin no search any more: one that waits has no turn to tell
	refused  error // the first error told to the client

	interrupt     chan struct{}
	interruptOnce sync.Once
}

// NewServer returns a server of engine that reads lines from in and answers on
// out. It stands at the start of a game.
func NewServer(engine Engine, in io.Reader, out io.Writer) *Server {
	s := &Server{engine: engine, in: in, out: newLineWriter(out), interrupt: make(chan struct{})}
	s.current = position.Start(s.rules)
	s.options = s.joinOptions(engine.Options())
	return s
}

// Serve answers lines until `quit`, the end of input, Interrupt, or an error of
// a stream, which it returns. At the end of input whatever ends by itself is
// let finish, and an infinite or pondering search is stopped and answers. The
// goroutine that reads stays behind while its Read blocks.
func (s *Server) Serve() error {
	s.greet()
	done := make(chan struct{})
	defer close(done)
	inputs := make(chan input)
	failed := make(chan error, 1)
	go func() {
		failed <- readInputs(s.in, inputs, done)
		close(inputs)
	}()
	s.loop(inputs)
	if err := s.out.failure(); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// RunCommand runs one command, given as its words, and returns when it is
// done. A search that does not end by itself goes on until Interrupt. The error
// is what the client was told to be wrong, or an error of the output.
func (s *Server) RunCommand(words []string) error {
	in := parseInput(strings.Join(words, " "), false)
	s.take(in)
	if in.command == nil {
		s.fault(refuse("line", in.skipped.First, "no command in it"))
	}
	s.ending = true
	s.loop(nil)
	if err := s.out.failure(); err != nil {
		return err
	}
	return s.refused
}

// Interrupt makes Serve and RunCommand stop what runs, let it answer, and
// return, as `quit` does. It may be called from any goroutine, and often.
func (s *Server) Interrupt() { s.interruptOnce.Do(func() { close(s.interrupt) }) }

// greet tells a person at a terminal what this is.
func (s *Server) greet() {
	file, ok := s.in.(*os.File)
	if !ok {
		return
	}
	if stat, err := file.Stat(); err != nil || stat.Mode()&os.ModeCharDevice == 0 {
		return
	}
	name, _, version := s.engine.ID()
	s.out.note(name + " " + version + `: "help" lists the commands, "quit" ends`)
}

// loop takes inputs, one at a time, until there is nothing more to do.
func (s *Server) loop(inputs <-chan input) {
	interrupt, failed := s.interrupt, s.out.failed
	for {
		s.runWaiting()
		if s.ending && s.running == nil {
			return
		}
		if s.closed {
			inputs = nil
		}
		select {
		case in, ok := <-inputs:
			if ok {
				s.take(in)
			} else {
				s.endInput()
			}
		case <-s.running.finished():
			s.running.seen = true
			s.release()
		case <-interrupt:
			interrupt = nil
			s.quit()
		case <-failed:
			failed = nil
			s.quit()
		}
	}
}

// input is one line read.
type input struct {
	command Command // nil when the line holds none
	size    int     // of the line in bytes
	skipped Skipped
	err     error // why the command is refused
}

// parseInput parses a line; cut tells that it was too long.
func parseInput(line string, cut bool) input {
	if cut {
		in := input{err: refuse("line", line, "too long and skipped")}
		if first, _ := (&words{rest: strings.Fields(line)}).next(); first == (Go{}).word() {
			in.command = Go{}
		}
		return in
	}
	in := input{size: len(line)}
	in.command, in.skipped, in.err = ParseCommand(line)
	return in
}

// readInputs parses lines into inputs until the stream ends or done is closed.
func readInputs(in io.Reader, inputs chan<- input, done <-chan struct{}) error {
	lines := NewLineReader(in)
	for {
		line, cut, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case inputs <- parseInput(line, cut):
		case <-done:
			return nil
		}
	}
}

// take does with an input what can be done at once, and has the rest wait.
//
// While something runs, `isready`, `stop`, `ponderhit` and `quit` act at once.
// So does a command that only reads, as long as nothing waits before it. All
// else waits its turn, so that commands take effect in the order in which they
// came.
func (s *Server) take(in input) {
	if in.err == nil && in.skipped.Count > 0 {
		s.out.note(in.skipped.String())
	}
	for _, adjusted := range in.skipped.Adjusted {
		s.out.note(adjusted)
	}
	if in.err != nil {
		s.fault(in.err)
		if _, search := in.command.(Go); !search {
			return
		}
	}
	switch in.command.(type) {
	case nil:
	case IsReady:
		s.out.line("readyok")
	case Stop:
		s.stop()
	case PonderHit:
		s.raise((*signals).ponderHit)
	case Quit:
		s.quit()
	default:
		s.runOrWait(in)
	}
}

// runOrWait runs an input now, or puts it in the queue.
func (s *Server) runOrWait(in input) {
	e := entry{command: in.command, refused: in.err != nil, size: in.size, signals: newSignals()}
	idle := s.running == nil || readsOnly(in.command)
	if idle && s.waiting.empty() {
		s.run(e)
		return
	}
	if !s.waiting.add(e) {
		s.fault(refuse(in.command.word(), "", "too much waits for the search to end"))
		return
	}
	if s.running.held() {
		s.out.note(in.command.word() + " waits until the search is stopped")
	}
}

// readsOnly reports whether a command needs nothing but what the server holds.
func readsOnly(command Command) bool {
	switch command.(type) {
	case Handshake, Query, Draw, Help:
		return true
	}
	return false
}

// runWaiting runs what waits, in order, until something takes time again.
func (s *Server) runWaiting() {
	for s.running == nil {
		e, ok := s.waiting.next()
		if !ok {
			return
		}
		s.run(e)
	}
}

// run runs one command. Nothing else runs, unless it only reads.
func (s *Server) run(e entry) {
	switch c := e.command.(type) {
	case Handshake:
		s.shakeHands(c)
	case SetOption:
		s.setOption(c)
	case NewGame:
		s.engine.NewGame()
	case SetPosition:
		s.setPosition(c)
	case PlayTurns:
		s.playTurns(c)
	case Go:
		s.search(c, e)
	case Query:
		s.query(c)
	case Draw:
		s.draw()
	case Eval:
		s.out.line(s.engine.Evaluate(&s.current))
	case Help:
		s.help()
	case Bench:
		s.bench(c, e.signals)
	case CountTurns:
		s.count(c, e.signals)
	}
}

// stop ends what runs, and those of the waiting searches that would not end by
// themselves. A second stop, when what runs was stopped before, ends all that
// waits: a client that says stop never waits in vain.
func (s *Server) stop() {
	all := s.running != nil && s.running.signals.stopped()
	s.waiting.each(func(e entry) {
		if search, ok := e.command.(Go); all || ok && search.openEnded() {
			e.signals.stop()
		}
	})
	if s.running != nil {
		s.running.signals.stop()
	}
	s.release()
}

// raise gives a signal to everything that runs or waits.
func (s *Server) raise(signal func(*signals)) {
	if s.running != nil {
		signal(s.running.signals)
	}
	s.waiting.each(func(e entry) { signal(e.signals) })
	s.release()
}

// endInput is the end of input: whatever waits is still run, and nothing is
// held back for a client that can say nothing more.
func (s *Server) endInput() {
	s.ending, s.closed = true, true
	if s.running.held() {
		s.running.signals.stop()
	}
	s.release()
}

// quit stops what runs and drops what waits; each search still gets its answer.
func (s *Server) quit() {
	s.ending, s.closed, s.quitting = true, true, true
	s.raise(func(signals *signals) { signals.stop() })
	s.waiting.drop()
}

// fault tells the client of an error.
func (s *Server) fault(err error) {
	if s.refused == nil {
		s.refused = err
	}
	s.out.fault(err)
}

// How much may wait for a search to end. Clients that follow the protocol have
// nothing wait, and hasty ones a line or two.
const (
	mostWaiting      = 1000
	mostWaitingBytes = 4 << 20
)

// entry is a command to run, with the signals of what it may start.
type entry struct {
	command Command
	refused bool // a search that is only to be answered
	size    int  // of its line in bytes
	signals *signals
}

// queue holds the commands that wait, oldest first. When it has overflowed, it
// takes nothing until it is empty again, so that no command overtakes a lost
// one, and only counts the searches among those lost: they still need answers.
type queue struct {
	entries  []entry
	bytes    int
	full     bool
	searches int // lost
}

// empty reports whether nothing waits and nothing is owed.
func (q *queue) empty() bool { return len(q.entries) == 0 && q.searches == 0 }

// add puts an entry at the end, or returns false when there is no room.
func (q *queue) add(e entry) bool {
	if q.empty() {
		q.full = false
	}
	if len(q.entries) >= mostWaiting || q.bytes+e.size > mostWaitingBytes {
		q.full = true
	}
	if q.full {
		q.lose(e)
		return false
	}
	q.entries = append(q.entries, e)
	q.bytes += e.size
	return true
}

// lose forgets an entry, but not that it needs an answer.
func (q *queue) lose(e entry) {
	if _, search := e.command.(Go); search {
		q.searches++
	}
}

// next takes the oldest entry, and tells whether there was one.
func (q *queue) next() (entry, bool) {
	if len(q.entries) > 0 {
		e := q.entries[0]
		q.entries = q.entries[1:]
		q.bytes -= e.size
		return e, true
	}
	q.entries = nil
	if q.searches > 0 {
		q.searches--
		return entry{command: Go{}, refused: true, signals: newSignals()}, true
	}
	return entry{}, false
}

// each visits all entries, oldest first.
func (q *queue) each(visit func(entry)) {
	for _, e := range q.entries {
		visit(e)
	}
}

// drop loses all entries.
func (q *queue) drop() {
	q.each(q.lose)
	q.entries, q.bytes = nil, 0
}

// job is what takes time: a search, a benchmark or a count. There is one at
// most. Its methods may be called on nil, which is no job.
type job struct {
	signals *signals
	// openEnded tells that a search answers only after `stop`, and pondering
	// that it answers only after `ponderhit` or `stop`.
	openEnded, pondering bool

	done   chan struct{} // closed when the work is done
	seen   bool          // whether the server's loop has heard of done
	answer string        // the last line; set before done is closed
	err    error         // what to tell the client; set before done is closed
}

// finished returns a channel that is closed when the work is done, or nil when
// that is old news.
func (j *job) finished() <-chan struct{} {
	if j == nil || j.seen {
		return nil
	}
	return j.done
}

// isDone reports whether the work is done.
func (j *job) isDone() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// held reports whether an answer, once there is one, is kept from the client.
func (j *job) held() bool {
	return j != nil && !j.signals.stopped() &&
		(j.openEnded || j.pondering && !j.signals.isPonderHit())
}

// start runs work in the background as the job of the server. What it returns
// is the last line.
func (s *Server) start(j *job, work func() (answer string, err error)) {
	j.done = make(chan struct{})
	if s.closed && j.held() {
		j.signals.stop()
	}
	s.running = j
	go func() {
		defer close(j.done)
		j.answer, j.err = work()
	}()
}

// release gives the answer of a job that is done and not held, and ends the job.
func (s *Server) release() {
	j := s.running
	if j == nil || !j.isDone() || j.held() {
		return
	}
	s.running = nil
	j.signals.stop() // whoever still listens to them can forget it
	if j.err != nil {
		s.fault(j.err)
	}
	s.out.line(j.answer)
}

// count runs `perft` or `divide`.
func (s *Server) count(c CountTurns, signals *signals) {
	root := s.current
	var stop atomic.Bool
	context.AfterFunc(signals.ctx, func() { stop.Store(true) })
	s.start(&job{signals: signals}, func() (string, error) {
		begin := time.Now()
		var nodes uint64
		if c.Divide {
			nodes = position.Divide(&root, c.Depth, &stop, func(t position.Turn, nodes uint64) {
				if !signals.stopped() {
					s.out.linef("%s %d", t, nodes)
				}
			})
		} else {
			nodes = position.Perft(&root, c.Depth, &stop)
		}
		if signals.stopped() {
			return "info string " + c.String() + " stopped", nil
		}
		elapsed := time.Since(begin)
		return fmt.Sprintf("perft %d nodes %d time %d nps %d",
			c.Depth, nodes, elapsed.Milliseconds(), perSecond(nodes, elapsed)), nil
	})
}

// bench runs `bench`.
func (s *Server) bench(c Bench, signals *signals) {
	s.start(&job{signals: signals}, func() (string, error) {
		err := s.engine.Bench(signals.ctx, c.Args, s.out)
		if err != nil {
			err = refuse(c.word(), "", err.Error())
		}
		return "", err
	})
}

// signals is what a client says to one thing that runs, or waits to run. They
// are made before it begins and never taken back, so that nothing said early is
// lost.
type signals struct {
	ctx    context.Context // done when it is to stop
	stop   context.CancelFunc
	hit    chan struct{} // closed when the turn pondered on was played
	hitter sync.Once
}

func newSignals() *signals {
	ctx, cancel := context.WithCancel(context.Background())
	return &signals{ctx: ctx, stop: cancel, hit: make(chan struct{})}
}

// stopped reports whether it was told to stop.
func (s *signals) stopped() bool { return s.ctx.Err() != nil }

// ponderHit tells that the turn pondered on was played.
func (s *signals) ponderHit() { s.hitter.Do(func() { close(s.hit) }) }

// isPonderHit reports whether the turn pondered on was played.
func (s *signals) isPonderHit() bool {
	select {
	case <-s.hit:
		return true
	default:
		return false
	}
}

// noTurn is what bestmove says when there is no turn to tell.
const noTurn = "none"

// search runs `go`. One that is refused is answered with a turn all the same,
// found in a search of the least depth. After `quit` there is no turn.
func (s *Server) search(c Go, e entry) {
	if s.quitting {
		s.out.line("bestmove " + noTurn)
		return
	}
	turns, err := s.rootTurns(c)
	if err != nil {
		s.fault(err)
	}
	if e.refused || err != nil {
		c, turns = Go{Limits: Limits{Depth: 1, HasDepth: true}}, nil
	}
	root := s.current
	limits := c.Limits.settle(root.SideToMove())
	limits.SearchTurns = turns
	tellReply := s.ponder && s.dialect == UCI
	j := &job{signals: e.signals, openEnded: limits.Infinite, pondering: limits.Ponder}
	s.start(j, func() (string, error) { return s.think(root, limits, j.signals, tellReply) })
}

// think has the engine search and returns the line that answers. It runs in a
// goroutine of its own.
func (s *Server) think(root position.Position, limits Limits, signals *signals, tellReply bool) (string, error) {
	if root.Over() {
		s.out.note("the game is over: " + resultWord(root.Result()))
		return "bestmove " + noTurn, nil
	}
	best, reply := s.engine.Search(signals.ctx, root, limits, signals.hit, func(i Info) { s.out.line(i.String()) })
	if !root.Legal(best) {
		err := refuse("go", best.String(), "the engine gave no legal turn; the first one stands in")
		return "bestmove " + root.Turns(nil)[0].String(), err
	}
	answer := "bestmove " + best.String()
	var child position.Position
	if root.Play(&child, best); tellReply && child.Legal(reply) {
		answer += " ponder " + reply.String()
	}
	return answer, nil
}

// rootTurns returns the turns that a search is confined to.
func (s *Server) rootTurns(c Go) ([]position.Turn, error) {
	var turns []position.Turn
	for _, word := range c.Turns {
		t, err := s.current.ParseTurn(word)
		if err != nil {
			return nil, refusePosition(c.word(), "searchmoves", err)
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// resultWord returns the word that `query result` answers.
func resultWord(r position.Result) string {
	switch r {
	case position.WhiteWins:
		return "p1win"
	case position.BlackWins:
		return "p2win"
	case position.Draw:
		return "draw"
	}
	return "none"
}

// setPosition runs `position`.
func (s *Server) setPosition(c SetPosition) {
	p := position.Start(s.rules)
	if len(c.Board) > 0 {
		var err error
		if p, err = position.Parse(strings.Join(c.Board, " "), s.rules); err != nil {
			s.fault(refusePosition(c.word(), "", err))
			return
		}
	}
	s.playFrom(p, c.word(), c.Turns)
}

// playTurns runs `moves`.
func (s *Server) playTurns(c PlayTurns) { s.playFrom(s.current, c.word(), c.Turns) }

// playFrom makes p after the given turns the current position, if all are legal.
func (s *Server) playFrom(p position.Position, command string, turns []string) {
	for i, word := range turns {
		if p.Over() {
			s.fault(refuse(command, word, fmt.Sprintf("turn %d: the game is over", i+1)))
			return
		}
		t, err := p.ParseTurn(word)
		if err != nil {
			s.fault(refusePosition(command, fmt.Sprintf("turn %d", i+1), err))
			return
		}
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	s.current = p
}

// rulesOption is the option that says by which rules the next games are played.
const rulesOption = "Rules"

// joinOptions returns the engine's options and, before them, those of the
// server that the engine does not list. An option that both have keeps the
// engine's line, and both setters get each value.
func (s *Server) joinOptions(engine []Option) []Option {
	own := []Option{
		Combo(rulesOption, position.Standard.String(),
			[]string{position.Standard.String(), position.Blitz.String()}, s.setRules),
		Check("Ponder", false, s.setPonder),
	}
	var added []Option
	options := append([]Option(nil), engine...)
	for _, o := range own {
		at := findOption(options, o.Name)
		if at < 0 {
			added = append(added, o)
			continue
		}
		engineSet, serverSet := options[at].set, o.set
		options[at].set = func(value string) error {
			if engineSet != nil {
				if err := engineSet(value); err != nil {
					return err
				}
			}
			return serverSet(value)
		}
		// The engine's default is what the server has to begin with, too.
		_ = serverSet(options[at].Default)
	}
	return append(added, options...)
}

// findOption returns the index of the option with the given name, or -1.
func findOption(options []Option, name string) int {
	for i, o := range options {
		if strings.EqualFold(o.Name, name) {
			return i
		}
	}
	return -1
}

// setOption runs `setoption`.
func (s *Server) setOption(c SetOption) {
	at := findOption(s.options, c.Name)
	if at < 0 {
		s.fault(refuse(c.word(), c.Name, "no such option"))
		return
	}
	o := s.options[at]
	if !c.HasValue && o.Kind != ButtonOption {
		s.fault(refuse(c.word(), o.Name, "needs a value"))
		return
	}
	if err := o.Set(c.Value); err != nil {
		s.fault(refuse(c.word(), c.Value, o.Name+": "+err.Error()))
	}
}

// setPonder is the setter of Ponder.
func (s *Server) setPonder(on bool) error {
	s.ponder = on
	return nil
}

// setRules is the setter of Rules. The current position stays as it is on the
// board, if the new rules allow it; else the start takes its place.
func (s *Server) setRules(value string) error {
	rules, err := position.ParseRules(value)
	if err != nil {
		return err
	}
	s.rules = rules
	kept, err := position.Parse(s.current.String(), rules)
	if err != nil {
		kept = position.Start(rules)
		s.out.note("the position cannot be under " + rules.String() + " rules; back to the start")
	}
	s.current = kept
	return nil
}

// shakeHands runs `ugi` and `uci`.
func (s *Server) shakeHands(c Handshake) {
	s.dialect = c.Dialect
	name, author, version := s.engine.ID()
	lines := []string{"id name " + printable(name+" "+version), "id author " + printable(author)}
	for _, o := range s.options {
		lines = append(lines, o.String())
	}
	s.out.line(strings.Join(append(lines, c.Dialect.accepted()), "\n"))
}

// query runs `query`.
func (s *Server) query(c Query) {
	var answer string
	switch c.About {
	case "gameover":
		answer = fmt.Sprint(s.current.Over())
	case "p1turn":
		answer = fmt.Sprint(s.current.SideToMove() == position.White)
	case "result":
		answer = resultWord(s.current.Result())
	case "moves":
		var words []string
		for _, t := range s.current.Turns(nil) {
			words = append(words, t.String())
		}
		sort.SliceStable(words, func(i, j int) bool { return words[i] < words[j] })
		answer = strings.Join(words, " ")
	case "fen":
		answer = s.current.String()
	case "version":
		name, _, version := s.engine.ID()
		answer = printable(Version + " " + name + " " + version)
	default:
		s.fault(refuse(c.word(), c.About, "knows gameover, p1turn, result, moves, fen and version"))
		return
	}
	s.out.line(strings.TrimSpace("response " + answer))
}

// draw runs `d`.
func (s *Server) draw() {
	p := &s.current
	state := "to move"
	switch {
	case p.Over():
		state = "would be next, but the game is over: " + resultWord(p.Result())
	case p.Placing():
		state = "to place a ring"
	}
	s.out.linef("%s\nfen    %s\nside   %s %s\nrules  %s\nrings  removed %d-%d\npool   %d\nhash   %016x",
		p.Draw(), p, p.SideToMove(), state, p.Rules(),
		p.Removed(position.White), p.Removed(position.Black), p.Pool(), p.Hash())
}

// help runs `help`.
func (s *Server) help() {
	name, author, version := s.engine.ID()
	lines := []string{name + " " + version + " by " + author + ", protocol " + Version}
	for _, f := range forms() {
		lines = append(lines, fmt.Sprintf("  %-56s %s", f.usage, f.about))
	}
	s.out.line(strings.Join(lines, "\n"))
}
