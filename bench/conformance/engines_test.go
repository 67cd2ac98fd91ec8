package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// flaw is a fault of an engine.
type flaw struct {
	name     string
	sections string // the sections that fail, starting with the first
	engine   func(e *sound)
	wiring   func(w *wiring)
}

// flaws lists engines with one fault each.
var flaws = []flaw{
	{"is silent", "handshake", nil, input(func(string) []string { return nil })},
	{"has no author", "handshake", nil, output(drop("id author"))},
	{"begins in the middle of a line", "handshake answers", nil, output(replace("id name", "Starting...id name"))},
	{"ends at the second game", "positions", nil, func(w *wiring) {
		games := 0
		w.in = func(line string) []string {
			if isWord(line, "uginewgame") {
				if games++; games > 1 {
					w.exit(0, "")
				}
			}
			return []string{line}
		}
	}},
	{"reports a score with a fraction", "answers", nil, output(replace("score cp 0 ", "score cp 0.5 "))},
	{"glues its second readyok", "handshake", nil, func(w *wiring) {
		first := true
		w.out = func(line string) []string {
			if line == "readyok" && !first {
				line = "0readyok"
			}
			first = first && line != "readyok"
			return []string{line}
		}
	}},
	{"does not know query result", "handshake", nil, input(drop("query result"))},
	{"lists a default out of bounds", "options", nil, output(replace("default 16 min 1", "default 16 min 17"))},
	{"lists an option twice", "options", nil, output(replace("option name Clear Hash type button", "option name Hash type button"))},
	{"accepts any option", "options", nil, output(drop("info string error setoption"))},
	{"matches options case-sensitively", "options", nil, input(func(line string) []string {
		return when(!strings.Contains(line, "setoption name hash"), line, "setoption name none")
	})},
	{"stops reading turns", "positions turns ends", nil, input(func(line string) []string {
		words := strings.Fields(line)
		return []string{strings.Join(words[:min(len(words), 40)], " ")}
	})},
	{"reads only lower-case turns", "positions", nil, input(func(line string) []string {
		_, turns, _ := strings.Cut(line, " moves ")
		return when(turns == strings.ToLower(turns), line, "position none")
	})},
	{"resets the position at a new game", "positions", nil, input(func(line string) []string {
		return when(line != "uginewgame", line, "position startpos")
	})},
	{"accepts only the start", "positions", nil, input(func(line string) []string {
		return when(!strings.HasPrefix(line, "position fen"), line, "position none")
	})},
	{"omits a legal turn", "turns", nil, output(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "response") && len(words) > 5 {
			line = strings.Join(words[:len(words)-1], " ")
		}
		return []string{line}
	})},
	{"does not remove rows", "turns", nil, output(func(line string) []string {
		turn, _, _ := strings.Cut(line, ";")
		return when(!isWord(line, "bestmove"), line, turn)
	})},
	{"plays blitz as standard", "turns ends errors", nil, input(drop("setoption name Rules value blitz"))},
	{"confuses the players", "ends", nil, output(replace("response p1win", "response p2win"))},
	{"is silent when the game is over", "ends end", nil, output(drop("bestmove none"))},
	{"always adds a reply", "answers", nil, output(func(line string) []string {
		return when(!isWord(line, "bestmove"), line, line+" ponder a2")
	})},
	{"reports an illegal pv", "answers", func(e *sound) { e.strangeLine = true }, nil},
	{"claims mates", "answers", func(e *sound) { e.claims = true }, nil},
	{"repeats a line", "answers", func(e *sound) { e.copies = true }, nil},
	{"greets its user", "answers", nil, output(func(line string) []string {
		if line == "ugiok" {
			return []string{line, "Welcome to YINSH!"}
		}
		return []string{line}
	})},
	{"reports after bestmove", "answers", nil, output(func(line string) []string {
		if isWord(line, "bestmove") {
			return []string{line, "info depth 1 nodes 50 time 0"}
		}
		return []string{line}
	})},
	{"prints a line of 5 MB", "answers", nil, func(w *wiring) {
		printed := false
		w.out = func(line string) []string {
			if !printed && isWord(line, "bestmove") {
				printed = true
				return []string{"info string " + strings.Repeat("x", 5<<20), line}
			}
			return []string{line}
		}
	}},
	{"dies of a large Hash", "options", nil, func(w *wiring) {
		w.in = func(line string) []string {
			if strings.Contains(line, "name Hash value 1024") {
				w.exit(2, "out of memory")
			}
			return []string{line}
		}
	}},
	{"goes beyond depth and nodes", "limits", func(e *sound) { e.beyondNodes = true }, nil},
	{"ignores searchmoves", "limits", func(e *sound) { e.anyTurn = true }, nil},
	{"applies one limit at a time", "limits time", nil, input(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "go") && len(words) == 5 && !strings.Contains(line, "ponder") && !strings.Contains(line, "searchmoves") {
			line = strings.Join(words[:3], " ")
		}
		return []string{line}
	})},
	{"is late by movetime", "time", func(e *sound) { e.lateMoveTime = true }, nil},
	{"is late when its clock has run out", "time", func(e *sound) { e.lateFlag = true }, nil},
	{"uses the opponent's clock", "time ponder", nil, input(func(line string) []string {
		return []string{strings.NewReplacer("p1time", "p2time", "p2time", "p1time").Replace(line)}
	})},
	{"reports without end", "turns", nil, func(w *wiring) {
		w.out = func(line string) []string {
			if isWord(line, "bestmove") {
				return slices.Repeat([]string{"info depth 1 score cp 0 nodes 50 time 0 pv a2"}, 1<<20)
			}
			return []string{line}
		}
	}},
	{"ignores isready in a search", "waiting", nil, deafInSearch("isready")},
	{"ignores stop", "stop", nil, input(drop("stop"))},
	{"answers infinite searches early", "stop", nil, input(func(line string) []string {
		return when(line != "go infinite", line, "go depth 1")
	})},
	{"answers each search twice", "turns", nil, output(func(line string) []string {
		if isWord(line, "bestmove") {
			return []string{line, line}
		}
		return []string{line}
	})},
	{"answers a stop when nothing runs", "stop waiting answers", nil, func(w *wiring) {
		searched := false // since the last stop
		var owed atomic.Bool
		w.in = func(line string) []string {
			if line == "stop" && !searched {
				owed.Store(true)
			}
			searched = line != "stop" && (searched || isWord(line, "go"))
			return []string{line}
		}
		w.out = func(line string) []string { // the answer comes before readyok, which every check asks for next
			if isWord(line, "readyok") && owed.Swap(false) {
				return []string{"info depth 1 score cp 0 nodes 50 time 0 pv f6", "bestmove f6", line}
			}
			return []string{line}
		}
	}},
	{"ignores ponderhit", "ponder", nil, input(drop("ponderhit"))},
	{"ponders like any search", "ponder", nil, input(replace("go ponder", "go"))},
	{"drops commands in a search", "waiting lines end", nil, deafInSearch("position", "go", "setoption", "query")},
	{"rejects positions silently", "errors", nil, output(drop("info string error position"))},
	{"goes back to the start after an error", "errors", nil, func(w *wiring) {
		w.out = func(line string) []string {
			if isWord(line, "info string error position:") {
				w.feed("position startpos")
			}
			return []string{line}
		}
	}},
	{"does not answer an invalid go", "errors", nil, input(func(line string) []string {
		command, _, err := protocol.ParseCommand(line)
		_, search := command.(protocol.Go)
		return when(err == nil || !search, line)
	})},
	{"ends at an unknown word", "errors lines", nil, func(w *wiring) {
		w.in = func(line string) []string {
			if _, skipped, _ := protocol.ParseCommand(line); skipped.Count > 0 {
				w.exit(3, "")
			}
			return []string{line}
		}
	}},
	{"rejects carriage returns", "lines", nil, input(func(line string) []string { return when(!strings.HasSuffix(line, "\r"), line) })},
	{"reads 64 KiB", "lines", nil, func(w *wiring) {
		w.in = func(line string) []string {
			if len(line) > 64<<10 {
				w.exit(1, "token too long")
			}
			return []string{line}
		}
	}},
	{"loses answers in a flood", "lines", nil, func(w *wiring) {
		readies := 0 // one after the other
		w.out = func(line string) []string {
			if readies++; line != "readyok" {
				readies = 0
			}
			return when(readies != 500, line)
		}
	}},
	{"ignores quit", "end", nil, func(w *wiring) { w.in, w.stays = drop("quit"), true }},
	{"ends with status 1", "end", nil, func(w *wiring) { w.status = 1 }},
	{"ends at once when the input ends", "end", nil, func(w *wiring) { w.hasty = true }},
	{"keeps running unread", "end", nil, func(w *wiring) { w.deaf = true }},
	{"dies in a position with two rows", "positions", nil, func(w *wiring) {
		w.in = func(line string) []string {
			if strings.HasPrefix(line, "position fen W2B/W5B/1wwwww2/") {
				w.exit(7, "index out of range")
			}
			return []string{line}
		}
	}},
}

// misread lists engines whose authors read a rule wrongly.
var misread = []flaw{
	{"lists a move over a ring", "turns", nil, output(replace("response a2 ", "response a2 f6-f8 "))},
	{"lists turns in capitals", "turns", nil, output(replace("response a2 ", "response A2 "))},
	{"writes turns in capitals", "turns", nil, output(func(line string) []string {
		turn, answers := strings.CutPrefix(line, "bestmove ")
		return when(!answers, line, "bestmove "+strings.ToUpper(turn))
	})},
	{"rejects passes", "positions", nil, input(replace("moves pass", "moves a1"))},
	{"rejects late turns", "positions", nil, input(func(line string) []string {
		return when(!strings.HasPrefix(line, "position startpos") || len(strings.Fields(line)) < 26, line, "position startpos moves a1")
	})},
	{"rejects searched turns", "limits", nil, func(w *wiring) {
		var searched atomic.Value // string: the output has a goroutine of its own
		searched.Store("")
		w.in = func(line string) []string {
			_, turn, _ := strings.Cut(line, "searchmoves ")
			searched.Store(turn)
			return []string{strings.Replace(line, "searchmoves "+turn, "", min(len(turn), 1))}
		}
		w.out = func(line string) []string {
			if turn := searched.Load(); turn != "" && isWord(line, "bestmove") {
				return []string{fmt.Sprintf("info string error go: %q: not legal", turn), line}
			}
			return []string{line}
		}
	}},
}

// spare lists sound engines with few optional features.
var spare = []flaw{
	{"answers only uci", "", nil, input(drop("ugi"))},
	{"writes blanks around lines", "", nil, output(func(line string) []string { return []string{" \t" + line + " \t \r"} })},
	{"writes error with a colon", "", nil, output(replace("info string error ", "info string Error: "))},
	{"is an engine of UCI", "", nil, input(func(line string) []string {
		first, _, _ := strings.Cut(line, " ")
		return when(!slices.Contains([]string{"ugi", "query", "moves", "perft"}, first), line)
	})},
}

// wiring connects an engine and its client. The filters in and out replace each line by
// others.
type wiring struct {
	in, out func(line string) []string
	feed    func(line string)               // sends a line to the engine
	exit    func(status int, stderr string) // ends the program; does not return

	stays  bool // do not end
	status int  // of the exit
	hasty  bool // end at the end of input, without waiting for answers
	deaf   bool // do not end when the output is closed
}

func input(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.in = filter }
}

func output(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.out = filter }
}

// when returns the line if a condition holds, and otherwise others.
func when(holds bool, line string, others ...string) []string {
	if holds {
		return []string{line}
	}
	return others
}

func drop(prefix string) func(line string) []string {
	return func(line string) []string { return when(!strings.HasPrefix(line, prefix), line) }
}

func replace(old, new string) func(line string) []string {
	return func(line string) []string { return []string{strings.ReplaceAll(line, old, new)} }
}

// deafInSearch drops some commands while an infinite search runs.
func deafInSearch(commands ...string) func(w *wiring) {
	return func(w *wiring) {
		searching := false
		w.in = func(line string) []string {
			first, _, _ := strings.Cut(line, " ")
			deaf := searching && slices.Contains(commands, first)
			searching = searching && first != "stop" || line == "go infinite"
			return when(!deaf, line)
		}
	}
}

// testMargin is how late turns may come in the tests, for busy machines.
const testMargin = 2 * time.Second

// sound is an engine that follows the protocol, except for its flaws. It plays a win in one turn
// if there is one; otherwise the hash of the position selects its turn.
type sound struct {
	multiPV int

	beyondNodes  bool // search further than nodes and depth allow
	anyTurn      bool // do not look at searchmoves
	claims       bool // report a mate in one in every position
	lateMoveTime bool // overstep movetime
	lateFlag     bool // take time although the clock has run out
	strangeLine  bool // report a pv that is not legal
	copies       bool // report the same line several times
}

func (e *sound) ID() (name, author, version string) { return "Sound", "the tests", "1" }

func (e *sound) Options() []protocol.Option {
	return []protocol.Option{
		protocol.Spin("Hash", 16, 1, 1024, func(int) error { return nil }),
		protocol.Spin("MultiPV", 1, 1, 8, func(n int) error { e.multiPV = n; return nil }),
		protocol.Button("Clear Hash", func() error { return nil }),
		protocol.Text("Book File", "", func(string) error { return nil }),
	}
}

func (e *sound) NewGame() {}

// choose returns the legal turns, the best first.
func (e *sound) choose(root *position.Position, limits *search.Limits) []position.Turn {
	turns := limits.SearchTurns
	if len(turns) == 0 || e.anyTurn {
		turns = root.Turns(nil)
	}
	best := int(root.Hash() % uint64(len(turns)))
	for i, t := range turns {
		if end := root.After(t); end.Result() == position.WonBy(root.SideToMove()) {
			best = i
		}
	}
	return append([]position.Turn{turns[best]}, append(turns[:best:best], turns[best+1:]...)...)
}

// Each depth takes nodesADepth nodes, up to the depth deepest.
const (
	nodesADepth = 50
	deepest     = 30
)

func (e *sound) Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	if root.Over() {
		return position.None, position.None
	}
	turns := e.choose(&root, &limits)
	end := root.After(turns[0])
	mate := end.Result() == position.WonBy(root.SideToMove())
	last := deepest
	if limits.Depth > 0 {
		last = min(last, limits.Depth)
	}
	for depth := 1; depth <= last && (depth == 1 || ctx.Err() == nil); depth++ {
		nodes := uint64(depth * nodesADepth)
		if limits.Nodes > 0 && nodes > limits.Nodes && !e.beyondNodes {
			break
		}
		if e.beyondNodes {
			nodes, depth = nodes*100_000, depth+3
		}
		for rank := 1; rank <= max(1, min(e.multiPV, len(turns))); rank++ {
			info := protocol.Info{Depth: depth, MultiPV: rank, HasScore: true, Nodes: nodes, PV: turns[rank-1 : rank]}
			if mate && rank == 1 || e.claims {
				info.Score = protocol.Score{Mate: true, Value: 1}
			}
			if e.strangeLine {
				info.PV = []position.Turn{turns[0], turns[0]}
			}
			if e.copies {
				info.PV = turns[:1]
			}
			report(info)
		}
	}
	e.wait(ctx, &limits, root.SideToMove())
	return turns[0], position.None
}

// wait waits for a part of the available time, unless another limit ends the search. The time is
// real in a program only, and otherwise that of testing/synctest.
func (e *sound) wait(ctx context.Context, limits *search.Limits, side position.Side) {
	if limits.Ponder {
		select {
		case <-limits.PonderHit:
		case <-ctx.Done():
		}
	}
	clock := limits.Clock[side]
	var think time.Duration
	switch {
	case limits.Infinite:
		think = time.Hour
	case limits.Depth > 0 && limits.Depth <= deepest, limits.Nodes > 0 && limits.Nodes <= deepest*nodesADepth, limits.Mate > 0:
	case limits.MoveTime > 0:
		think = limits.MoveTime / 2
	case clock.Left > 0:
		think = clock.Left / 30
	}
	if e.lateMoveTime && limits.MoveTime == 100*time.Millisecond || e.lateFlag && clock.Left == 1 {
		think += testMargin + 500*time.Millisecond
	}
	select {
	case <-time.After(think):
	case <-ctx.Done():
	}
}

func (e *sound) Evaluate(*position.Position) string { return "0" }

func (e *sound) Bench(context.Context, []string, io.Writer) error { return errors.New("none") }

// flawVariable holds, in the environment of a restarted test binary, the name of the
// flaw of the engine to play; empty for a sound one.
const flawVariable = "GYRE_TEST_FLAW"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(flawVariable); ok {
		if name == "keeps running unread" {
			signal.Ignore(syscall.SIGPIPE)
		}
		exit := func(status int, stderr string) {
			if stderr != "" {
				fmt.Fprintln(os.Stderr, stderr)
			}
			os.Exit(status)
		}
		exit(flawOf(name).play(os.Stdin, os.Stdout, exit, nil), "")
	}
	enginetest.Parallel()
	os.Exit(m.Run())
}

// flawOf returns the flaw with the given name, or none.
func flawOf(name string) flaw {
	for _, f := range slices.Concat(flaws, misread, spare) {
		if f.name == name {
			return f
		}
	}
	return flaw{}
}

// programSubject is an engine with a flaw that runs as a program. Its name is empty for
// a sound engine.
func programSubject(t *testing.T, name string) Subject {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Subject{Margin: testMargin, Program: protocol.Program{Path: path,
		Env: []string{flawVariable + "=" + name, "GORACE=atexit_sleep_ms=0"}}} // the race detector delays the end by a second
}

// localSubject is an engine with a flaw that runs inside the test. In a bubble of
// testing/synctest, its checks take no time to wait. Its pipes have no buffers, so fewer lines
// flood them than the buffers of a program's pipes; the searches are more than the server queues.
func localSubject(name string) Subject {
	return Subject{Margin: testMargin, flood: 1100, run: func() (process, error) { return startLocal(flawOf(name)), nil }}
}

// localProcess is an engine inside the test that behaves like a program.
type localProcess struct {
	stdin, stdout   *io.PipeReader
	toStdin, output *io.PipeWriter

	once   sync.Once
	exited chan struct{}
	status string
	stderr []string
}

func startLocal(f flaw) *localProcess {
	p := &localProcess{exited: make(chan struct{})}
	p.stdin, p.toStdin = io.Pipe()
	p.stdout, p.output = io.Pipe()
	go func() {
		status := f.play(p.stdin, p.output, func(status int, stderr string) {
			p.end(fmt.Sprint("exit status ", status), stderr)
			runtime.Goexit()
		}, p.exited)
		p.end(fmt.Sprint("exit status ", status), "")
	}()
	return p
}

// end ends the process, unless it has ended.
func (p *localProcess) end(status, stderr string) {
	p.once.Do(func() {
		p.status = status
		if stderr != "" {
			p.stderr = []string{stderr}
		}
		p.stdin.Close()
		p.output.Close()
		close(p.exited)
	})
}

func (p *localProcess) Read(b []byte) (int, error)  { return p.stdout.Read(b) }
func (p *localProcess) Write(b []byte) (int, error) { return p.toStdin.Write(b) }
func (p *localProcess) CloseInput() error           { return p.toStdin.Close() }
func (p *localProcess) CloseOutput() error          { return p.stdout.Close() }
func (p *localProcess) Close() error                { return errors.Join(p.toStdin.Close(), p.stdout.Close()) }
func (p *localProcess) Kill()                       { p.end("signal: killed", "") }
func (p *localProcess) Exited() <-chan struct{}     { return p.exited }
func (p *localProcess) Status() string              { return p.status }
func (p *localProcess) Stderr() []string            { return p.stderr }

// play plays the engine and returns the exit status. It ends early when killed is closed.
func (f flaw) play(stdin io.Reader, stdout io.Writer, exit func(status int, stderr string), killed <-chan struct{}) int {
	engine := new(sound)
	if f.engine != nil {
		f.engine(engine)
	}
	w := &wiring{exit: exit}
	commands, feed := io.Pipe()
	var mu sync.Mutex
	w.feed = func(line string) {
		go func() { // the server may be the caller
			mu.Lock()
			defer mu.Unlock()
			_, _ = io.WriteString(feed, line+"\n")
		}()
	}
	if f.wiring != nil {
		f.wiring(w)
	}
	go func() {
		in := bufio.NewReader(stdin)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				break
			}
			for _, line := range filtered(w.in, strings.TrimSuffix(line, "\n")) {
				mu.Lock()
				_, _ = io.WriteString(feed, line+"\n")
				mu.Unlock()
			}
		}
		if w.hasty {
			w.exit(0, "")
		}
		feed.Close()
	}()
	server := protocol.NewServer(engine, commands, &filteredWriter{w: w, to: stdout})
	served := make(chan struct{})
	defer close(served)
	go func() {
		select {
		case <-killed:
			server.Interrupt()
		case <-served:
		}
	}()
	err := server.Serve()
	commands.Close()
	if w.stays || err != nil && w.deaf {
		<-killed
	}
	return w.status
}

// filtered applies a filter to a line.
func filtered(filter func(string) []string, line string) []string {
	if filter == nil {
		return []string{line}
	}
	return filter(line)
}

// filteredWriter filters an engine's lines. The server writes whole lines, one at a time.
type filteredWriter struct {
	w  *wiring
	to io.Writer
}

func (f *filteredWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		for _, line := range filtered(f.w.out, strings.TrimSuffix(line, "\n")) {
			if _, err := io.WriteString(f.to, line+"\n"); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}
