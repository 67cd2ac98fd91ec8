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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gyre/position"
	"gyre/position/plaintext"
	"gyre/search"
	"gyre/search/events"
)

// Engine is an engine for a [Server] to serve. The server calls its methods one
// at a time.
type Engine interface {
	// ID returns the engine's name, author and version, without line breaks. They
	// never change. The handshake answers `id name NAME VERSION`.
	ID() (name, author, version string)

	// Options returns the engine's options, each bound to its setter. The
	// server calls it once and lists the options in this order, after its own:
	// Rules and Ponder, which the engine must not list.
	Options() []Option

	// NewGame clears the state that belongs to one game: tables and histories.
	NewGame()

	// Search chooses a turn at root and blocks until it has one. It returns a
	// legal turn, or position.None if the game is over, and the expected reply
	// as ponder, or position.None.
	//
	// Search returns soon after ctx is done. If limits.Ponder is set,
	// limits.PonderHit is closed as soon as the opponent plays the expected turn;
	// the clock runs from then on. Both may happen before Search begins. Search may return
	// early from an infinite or pondering search: the server holds the answer
	// back until the protocol allows it.
	//
	// Search may call report from any goroutine, but not after it has returned.
	// The last report should hold the final node count and time.
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(Info)) (best, ponder position.Turn)

	// Evaluate explains the static evaluation of p to a human reader, in one or
	// more lines of text.
	Evaluate(p *position.Position) string

	// Bench runs the benchmark and writes a human-readable report to out. args
	// are the words after `bench`. Bench returns soon after ctx is done.
	Bench(ctx context.Context, args []string, out io.Writer) error
}

// Version is the version of the protocol that PROTOCOL.md describes.
const Version = "1.0"

// Server serves one engine to one client. Its state belongs to the goroutine that
// runs Serve or RunCommand; only Interrupt may be called from others. Reading and
// the running job have their own goroutines.
type Server struct {
	engine                Engine
	name, author, version string // of the engine
	options               []Option
	in                    io.Reader
	out                   *lineWriter

	dialect Dialect
	ponder  bool // the option Ponder: bestmove includes the expected reply
	rules   position.Rules
	current position.Position

	running *job  // nil when idle
	waiting queue // commands that need the engine while a job runs

	ending     bool  // return as soon as nothing runs or waits
	closed     bool  // the client cannot send stop anymore: do not wait for it
	quitting   bool  // start no further searches; waiting ones answer `bestmove none`
	firstFault error // the first error reported to the client
	unready    int   // the isready without an answer

	abandoned context.Context // done after quit: files of options are not needed
	abandon   context.CancelFunc

	interrupt     chan struct{}
	interruptOnce sync.Once
}

// job is a search, a benchmark or a count that runs in the background. A nil job
// means that the server is idle.
type job struct {
	signals   *signals
	infinite  bool // a search that answers only after `stop`
	pondering bool // a search that answers only after `ponderhit` or `stop`

	done   chan struct{} // closed when the work is done
	answer string        // the last line; set before done is closed
	loads  bool          // a setoption that reads a file
	apply  func() error  // what ends it, unless nil; set before done is closed
	err    error         // to report to the client; set before done is closed
}

// finished returns a channel that is closed when the work is done. It returns nil
// if there is no job, or if its answer is held back.
func (j *job) finished() <-chan struct{} {
	if j == nil || j.isDone() && j.held() {
		return nil
	}
	return j.done
}

func (j *job) isDone() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// held reports whether the answer must be held back.
func (j *job) held() bool {
	return j != nil && !j.signals.stopped() &&
		(j.infinite || j.pondering && j.signals.hit.Err() == nil)
}

// signals carries `stop` and `ponderhit` to one job. It is made when the command is
// read, before the job begins, so that an early signal is not lost.
type signals struct {
	ctx       context.Context // done after stop
	stop      context.CancelFunc
	hit       context.Context // done after ponderHit: the opponent played the expected turn
	ponderHit context.CancelFunc
}

func newSignals() *signals {
	s := new(signals)
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.hit, s.ponderHit = context.WithCancel(context.Background())
	return s
}

func (s *signals) stopped() bool { return s.ctx.Err() != nil }

// The limits of the queue. Most clients queue no commands, or a line or two.
const (
	maxWaiting      = 1000
	maxWaitingBytes = 4 << 20
)

// entry is a command to run, with the signals of the job it may start.
type entry struct {
	command  Command
	rejected bool // a search with an error, which still gets an answer
	size     int  // of its line in bytes
	signals  *signals
}

// needsStop reports whether the entry is a search that ends only after stop or ponderhit. A
// rejected one has depth 1, and one whose ponderhit has come does not ponder.
func (e *entry) needsStop() bool {
	c, isGo := e.command.(Go)
	c.Limits.Ponder = c.Limits.Ponder && e.signals.hit.Err() == nil
	return isGo && !e.rejected && c.needsStop()
}

// queue holds the commands that wait, oldest first. After an overflow it accepts
// nothing until it is empty again, so that no command overtakes a dropped one. Dropped
// searches are only counted, because each still gets an answer.
type queue struct {
	entries         []entry
	bytes           int // of their lines
	overflowed      bool
	droppedSearches int
}

// empty reports whether no command waits and no dropped search needs an answer.
func (q *queue) empty() bool { return len(q.entries) == 0 && q.droppedSearches == 0 }

// add appends an entry. It returns false if there is no room.
func (q *queue) add(e entry) bool {
	if q.empty() {
		q.overflowed = false
	}
	if len(q.entries) >= maxWaiting || q.bytes+e.size > maxWaitingBytes {
		q.overflowed = true
	}
	if q.overflowed {
		q.drop(e)
		return false
	}
	q.entries = append(q.entries, e)
	q.bytes += e.size
	return true
}

// drop counts an entry that is dropped if it needs an answer.
func (q *queue) drop(e entry) {
	if _, isGo := e.command.(Go); isGo {
		q.droppedSearches++
	}
}

// next removes the oldest entry, and reports whether there was one. After the entries come
// the dropped searches.
func (q *queue) next() (entry, bool) {
	if len(q.entries) > 0 {
		e := q.entries[0]
		q.entries = q.entries[1:]
		q.bytes -= e.size
		return e, true
	}
	q.entries = nil
	if q.droppedSearches > 0 {
		q.droppedSearches--
		return entry{command: Go{}, rejected: true, signals: newSignals()}, true
	}
	return entry{}, false
}

// dropAll drops all entries.
func (q *queue) dropAll() {
	for _, e := range q.entries {
		q.drop(e)
	}
	q.entries, q.bytes = nil, 0
}

// NewServer returns a server that reads commands for engine from in and writes
// answers to out. Its first position is the start of a game.
func NewServer(engine Engine, in io.Reader, out io.Writer) *Server {
	s := &Server{engine: engine, in: in, out: newLineWriter(out), interrupt: make(chan struct{})}
	s.name, s.author, s.version = engine.ID()
	s.current = position.Start(s.rules)
	s.abandoned, s.abandon = context.WithCancel(context.Background())
	s.options = append(s.ownOptions(), engine.Options()...)
	return s
}

// Serve answers commands until `quit`, the end of input, Interrupt, or a stream
// error, which it returns. At the end of input it finishes every job that ends by
// itself, and stops an infinite or pondering search, which still answers. If the
// last Read blocks, its goroutine outlives Serve.
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
	if err := context.Cause(s.out.failed); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// RunCommand runs one command, given as its words, and returns when it is done. A
// search without a limit runs until Interrupt. RunCommand returns the first error
// that was reported to the client, or an error of the output.
func (s *Server) RunCommand(words []string) error {
	in := parseInput(strings.Join(words, " "), false)
	s.handle(in)
	if in.command == nil {
		s.fault(reject("line", in.skipped.First, "not a command"))
	}
	s.ending = true
	s.loop(nil)
	if err := context.Cause(s.out.failed); err != nil {
		return err
	}
	return s.firstFault
}

// Interrupt makes Serve and RunCommand stop the running job, let it answer, and
// return, as `quit` does. It may be called more than once and from any goroutine.
func (s *Server) Interrupt() { s.interruptOnce.Do(func() { close(s.interrupt) }) }

// greet prints a greeting if the input is a terminal.
func (s *Server) greet() {
	file, ok := s.in.(*os.File)
	if !ok {
		return
	}
	stat, err := file.Stat()
	if err != nil || stat.Mode()&os.ModeCharDevice == 0 {
		return
	}
	if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(stat, null) {
		return // a character device, too, but nobody types there
	}
	s.out.note(s.name + " " + s.version + `: "help" lists the commands, "quit" ends`)
}

// loop handles inputs, one at a time, until the server is done.
func (s *Server) loop(inputs <-chan input) {
	interrupt, failed := s.interrupt, s.out.failed.Done()
	for {
		s.runWaiting()
		s.answerReady()
		if s.ending && s.running == nil {
			return
		}
		if s.closed {
			inputs = nil
		}
		select {
		case in, ok := <-inputs:
			if ok {
				s.handle(in)
			} else {
				s.endInput()
			}
		case <-s.running.finished():
			s.endJob()
		case <-interrupt:
			interrupt = nil
			s.quit()
		case <-failed:
			failed = nil
			s.quit()
		}
	}
}

// answerReady answers each isready, unless an option reads its file: the client may need to know that it has its value.
func (s *Server) answerReady() {
	for ; s.unready > 0 && (s.running == nil || !s.running.loads); s.unready-- {
		s.out.line("readyok")
	}
}

// input is one line that was read.
type input struct {
	command Command // nil if the line holds none
	size    int     // of the line in bytes
	skipped Skipped
	err     error // why the command is rejected
}

// parseInput parses a line. cut reports that the line was too long.
func parseInput(line string, cut bool) input {
	if cut {
		in := input{err: reject("line", line, "too long and skipped")}
		if first, _ := (&words{rest: fields(line)}).next(); first == "go" {
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
	for first := true; ; first = false {
		line, cut, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil && first {
			err = plaintext.Check(line)
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

// handle runs an input, or queues it while a job runs.
//
// `isready`, `stop`, `ponderhit` and `quit` always act at once, but readyok waits for an option's file. A command for which
// runsDuringJob is true acts at once if the queue is empty. Everything else is queued, so
// commands take effect in the order in which they came.
func (s *Server) handle(in input) {
	if in.err == nil && in.skipped.Count > 0 {
		s.out.note(in.skipped.String())
	}
	for _, adjusted := range in.skipped.Adjusted {
		s.out.note(adjusted)
	}
	if in.err != nil {
		s.fault(in.err)
		if _, isGo := in.command.(Go); !isGo {
			return
		}
	}
	switch in.command.(type) {
	case nil:
	case IsReady:
		s.unready++
	case Stop:
		s.stop()
	case PonderHit:
		s.broadcast(func(signals *signals) { signals.ponderHit() })
	case Quit:
		s.quit()
	default:
		s.runOrWait(in)
	}
}

// runOrWait runs an input now or queues it.
func (s *Server) runOrWait(in input) {
	e := entry{command: in.command, rejected: in.err != nil, size: in.size, signals: newSignals()}
	if (s.running == nil || runsDuringJob(in.command)) && s.waiting.empty() {
		s.run(e)
		return
	}
	if !s.waiting.add(e) {
		s.fault(reject(wordOf(in.command), "", "too many commands wait for the search to end"))
		return
	}
	if s.running.held() {
		s.out.note(wordOf(in.command) + " waits until the search is stopped")
	}
}

// runsDuringJob reports whether a command may run while a job runs: it neither calls the engine
// nor changes the position.
func runsDuringJob(command Command) bool {
	switch command.(type) {
	case Handshake, Query, Draw, Help:
		return true
	}
	return false
}

// runWaiting runs queued commands, in order, until one starts a job.
func (s *Server) runWaiting() {
	for s.running == nil {
		e, ok := s.waiting.next()
		if !ok {
			return
		}
		s.run(e)
	}
}

// run runs one command. No job is running, unless runsDuringJob is true for the command.
func (s *Server) run(e entry) {
	switch c := e.command.(type) {
	case Handshake:
		s.shakeHands(c)
	case SetOption:
		s.setOption(c, e.signals)
	case NewGame:
		s.engine.NewGame()
	case SetPosition:
		s.setPosition(c)
	case PlayTurns:
		s.playFrom(s.current, "moves", c.Turns)
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

// stop stops the running job and every queued search without a limit. A second
// stop, when the running job was stopped before, stops all queued jobs too, so
// that stop always brings an answer.
func (s *Server) stop() {
	all := s.running != nil && s.running.signals.stopped()
	for _, e := range s.waiting.entries {
		if all || e.needsStop() {
			e.signals.stop()
		}
	}
	if s.running != nil {
		s.running.signals.stop()
	}
	s.endJob()
}

// broadcast sends a signal to the running job and to all queued commands.
func (s *Server) broadcast(signal func(*signals)) {
	if s.running != nil {
		signal(s.running.signals)
	}
	for _, e := range s.waiting.entries {
		signal(e.signals)
	}
	s.endJob()
}

// endInput handles the end of input: queued commands still run, and no answer is
// held back, because the client cannot send stop anymore.
func (s *Server) endInput() {
	s.ending, s.closed = true, true
	if s.running.held() {
		s.running.signals.stop()
	}
	s.endJob()
}

// quit stops the running job and drops the queue. Each search still answers.
func (s *Server) quit() {
	s.ending, s.closed, s.quitting = true, true, true
	s.abandon()
	s.broadcast(func(signals *signals) { signals.stop() })
	s.waiting.dropAll()
}

// fault reports an error to the client.
func (s *Server) fault(err error) {
	if s.firstFault == nil {
		s.firstFault = err
	}
	s.out.fault(err)
}

// noTurn follows bestmove when there is no turn.
const noTurn = "none"

// search runs `go`. A `go` with an error still gets a turn, from a search of depth
// 1. After `quit` there is no turn.
func (s *Server) search(c Go, e entry) {
	if s.quitting {
		s.out.line("bestmove " + noTurn)
		return
	}
	turns, err := s.rootTurns(c)
	if err != nil {
		s.fault(err)
	}
	if e.rejected || err != nil {
		c, turns = Go{Limits: search.Limits{Depth: 1}}, nil
	}
	root := s.current
	limits := settle(c.Limits, root.SideToMove())
	limits.SearchTurns, limits.PonderHit = turns, e.signals.hit.Done()
	withReply := s.ponder && s.dialect == UCI
	j := &job{signals: e.signals, infinite: limits.Infinite, pondering: limits.Ponder}
	s.start(j, func() (string, error) { return s.think(root, limits, j.signals, withReply) })
}

// think runs the engine's search and returns the answer line. It runs in its own
// goroutine.
func (s *Server) think(root position.Position, limits search.Limits, signals *signals, withReply bool) (string, error) {
	if root.Over() {
		s.out.note("the game is over: " + ResultWord(root.Result()))
		return "bestmove " + noTurn, nil
	}
	best, reply := s.engine.Search(signals.ctx, root, limits, func(i Info) { s.out.line(i.String()) })
	if !root.Legal(best) {
		err := reject("go", best.String(), "the engine returned no legal turn; playing the first legal turn instead")
		return "bestmove " + root.Turns(nil)[0].String(), err
	}
	answer := "bestmove " + best.String()
	if child := root.After(best); withReply && child.Legal(reply) {
		answer += " ponder " + reply.String()
	}
	return answer, nil
}

// rootTurns returns the turns that `searchmoves` lists.
func (s *Server) rootTurns(c Go) ([]position.Turn, error) {
	var turns []position.Turn
	for _, word := range c.Turns {
		t, err := s.current.ParseTurn(word)
		if err != nil {
			return nil, rejectPosition("go", "searchmoves", err)
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// ResultWord returns the word that `query result` answers.
func ResultWord(r position.Result) string {
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

// start runs work in the background as the server's job. work returns the job's
// last line.
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

// endJob writes the answer of the job, if it is done and its answer need not be held back.
// The server is idle then.
func (s *Server) endJob() {
	j := s.running
	if j == nil || !j.isDone() || j.held() {
		return
	}
	s.running = nil
	j.signals.stop() // releases the context
	if j.apply != nil {
		j.err = j.apply()
	}
	if j.err != nil {
		s.fault(j.err)
	}
	s.out.line(j.answer)
}

// count runs `perft` or `divide`.
func (s *Server) count(c CountTurns, signals *signals) {
	root := s.current
	var stopped atomic.Bool
	context.AfterFunc(signals.ctx, func() { stopped.Store(true) })
	var yielder events.Yielder
	stop := func() bool {
		yielder.Yield(time.Now)
		return stopped.Load()
	}
	s.start(&job{signals: signals}, func() (string, error) {
		begin := time.Now()
		var nodes uint64
		if c.Divide {
			nodes = position.Divide(&root, c.Depth, stop, func(t position.Turn, nodes uint64) {
				if !signals.stopped() {
					s.out.linef("%s %d", t, nodes)
				}
			})
		} else {
			nodes = position.Perft(&root, c.Depth, stop)
		}
		if signals.stopped() {
			return "info string " + c.String() + " stopped", nil
		}
		elapsed := time.Since(begin)
		return fmt.Sprintf("perft %d nodes %d time %d nps %d",
			c.Depth, nodes, elapsed.Milliseconds(), perSecond(nodes, elapsed)), nil
	})
}

func (s *Server) bench(c Bench, signals *signals) {
	s.start(&job{signals: signals}, func() (string, error) {
		err := s.engine.Bench(signals.ctx, c.Args, s.out)
		switch {
		case err != nil && signals.stopped():
			return "info string bench stopped", nil
		case err != nil:
			err = reject("bench", "", err.Error())
		}
		return "", err
	})
}

func (s *Server) setPosition(c SetPosition) {
	p := position.Start(s.rules)
	if len(c.Board) > 0 {
		var err error
		if p, err = position.Parse(strings.Join(c.Board, " "), s.rules); err != nil {
			s.fault(rejectPosition("position", "", err))
			return
		}
	}
	s.playFrom(p, "position", c.Turns)
}

// playFrom plays turns from p and makes the result the current position, if all
// turns are legal.
func (s *Server) playFrom(p position.Position, command string, turns []string) {
	for i, word := range turns {
		if p.Over() {
			s.fault(reject(command, word, fmt.Sprintf("turn %d: the game is over", i+1)))
			return
		}
		t, err := p.ParseTurn(word)
		if err != nil {
			s.fault(rejectPosition(command, fmt.Sprintf("turn %d", i+1), err))
			return
		}
		p = p.After(t)
	}
	s.current = p
}

// rulesOption is the option that selects the rules of the next games.
const rulesOption = "Rules"

// ownOptions returns the server's own options.
func (s *Server) ownOptions() []Option {
	return []Option{
		Combo(rulesOption, position.Standard.String(),
			[]string{position.Standard.String(), position.Blitz.String()}, s.setRules),
		Check("Ponder", false, func(on bool) error { s.ponder = on; return nil }),
	}
}

// findOption returns the index of the option with the given name, or -1.
func findOption(options []Option, name string) int {
	return slices.IndexFunc(options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
}

func (s *Server) setOption(c SetOption, signals *signals) {
	at := findOption(s.options, c.Name)
	if at < 0 {
		s.fault(reject("setoption", c.Name, "no such option"+s.missingValueHint(c)))
		return
	}
	o := s.options[at]
	if !c.HasValue && o.Kind != ButtonOption {
		s.fault(reject("setoption", o.Name, "needs a value"))
		return
	}
	if o.load != nil {
		s.load(o, c.Value, signals)
	} else if err := o.Set(c.Value); err != nil {
		s.fault(rejectValue(o, c.Value, err))
	}
}

func rejectValue(o Option, value string, err error) error {
	return reject("setoption", value, o.Name+": "+err.Error())
}

// load reads the file of an option as a job. Only quit ends it early, and what reads the file may outlive it.
func (s *Server) load(o Option, value string, signals *signals) {
	path, _ := o.Canonical(value) // any text is one
	j := &job{signals: signals, loads: true}
	s.start(j, func() (string, error) {
		type loaded struct {
			set func() error
			err error
		}
		read := make(chan loaded, 1)
		go func() {
			set, err := o.load(path)
			read <- loaded{set, err}
		}()
		select {
		case r := <-read:
			if r.err != nil {
				return "", rejectValue(o, value, r.err)
			}
			j.apply = func() error {
				if err := r.set(); err != nil {
					return rejectValue(o, value, err)
				}
				return nil
			}
		case <-s.abandoned.Done():
		}
		return "", nil
	})
}

// missingValueHint returns a hint if an unknown option is the name of an option and a value,
// without the word value between them.
func (s *Server) missingValueHint(c SetOption) string {
	for _, o := range s.options {
		if n := len(o.Name); o.Kind != ButtonOption && n < len(c.Name) && strings.EqualFold(c.Name[:n], o.Name) && c.Name[n] == ' ' {
			return "; use setoption name " + o.Name + " value " + c.Name[n+1:]
		}
	}
	return ""
}

// setRules sets the option Rules. It keeps the current position if the new rules
// allow it, and otherwise goes back to the start of a game.
func (s *Server) setRules(value string) error {
	rules, err := position.ParseRules(value)
	if err != nil {
		return err
	}
	s.rules = rules
	kept, err := position.Parse(s.current.String(), rules)
	if err != nil {
		kept = position.Start(rules)
		s.out.note("the position is impossible under " + rules.String() + " rules; back to the start")
	}
	s.current = kept
	return nil
}

func (s *Server) shakeHands(c Handshake) {
	s.dialect = c.Dialect
	lines := []string{"id name " + printable(s.name+" "+s.version), "id author " + printable(s.author)}
	for _, o := range s.options {
		lines = append(lines, o.String())
	}
	s.out.line(strings.Join(append(lines, c.Dialect.accepted()), "\n"))
}

// movesQuery is the query whose answer may be too long.
const movesQuery = "moves"

// queries lists the words that `query` knows, with their answers.
var queries = []struct {
	about  string
	answer func(s *Server) string
}{
	{"gameover", func(s *Server) string { return strconv.FormatBool(s.current.Over()) }},
	{"p1turn", func(s *Server) string { return strconv.FormatBool(s.current.SideToMove() == position.White) }},
	{"result", func(s *Server) string { return ResultWord(s.current.Result()) }},
	{movesQuery, func(s *Server) string {
		words := position.Words(s.current.Turns(nil))
		slices.Sort(words)
		return strings.Join(words, " ")
	}},
	{"fen", func(s *Server) string { return s.current.String() }},
	{"version", func(s *Server) string { return printable(Version + " " + s.name + " " + s.version) }},
}

// queryWords returns the words that `query` knows.
func queryWords() (words []string) {
	for _, q := range queries {
		words = append(words, q.about)
	}
	return words
}

// rejectQuery returns the error of a query that is none of queries.
func rejectQuery(about string) error {
	return reject("query", about, "use one of "+strings.Join(queryWords(), ", "))
}

func (s *Server) query(c Query) {
	at := slices.Index(queryWords(), c.About)
	if at < 0 {
		s.fault(rejectQuery(c.About))
		return
	}
	if c.About == movesQuery && s.current.CountTo(MaxTurns+1) > MaxTurns {
		s.fault(reject("query", c.About, fmt.Sprintf("the position has more than %d turns", MaxTurns)))
		return
	}
	s.out.line(strings.TrimSpace("response " + queries[at].answer(s)))
}

func (s *Server) draw() {
	p := &s.current
	state := "to move"
	switch {
	case p.Over():
		state = "would be next, but the game is over: " + ResultWord(p.Result())
	case p.Placing():
		state = "to place a ring"
	}
	s.out.linef("%s\nfen    %s\nside   %s %s\nrules  %s\nrings  removed %d-%d\npool   %d\nhash   %016x",
		p.Draw(), p, p.SideToMove(), state, p.Rules(),
		p.Removed(position.White), p.Removed(position.Black), p.Pool(), p.Hash())
}

func (s *Server) help() {
	lines := []string{s.name + " " + s.version + " by " + s.author + ", protocol " + Version}
	for _, f := range forms {
		lines = append(lines, fmt.Sprintf("  %-56s %s", f.usage, f.about))
	}
	s.out.line(strings.Join(lines, "\n"))
}
