package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// flaw is a way in which an engine is not sound.
type flaw struct {
	name     string
	sections string // with checks that fail, the first of them first
	engine   func(e *sound)
	wiring   func(w *wiring)
}

// flaws are the engines with one fault each.
var flaws = []flaw{
	{"is silent", "handshake", nil, input(func(string) []string { return nil })},
	{"has no author", "handshake", nil, output(drop("id author"))},
	{"does not know query result", "handshake", nil, input(drop("query result"))},
	{"lists a default out of bounds", "options", nil, output(replace("default 16 min 1", "default 16 min 17"))},
	{"lists an option twice", "options", nil, output(replace("option name Clear Hash type button", "option name Hash type button"))},
	{"takes any option", "options", nil, output(drop("info string error setoption"))},
	{"knows options in their own case alone", "options", nil, input(func(line string) []string {
		return when(!strings.Contains(line, "setoption name hash"), line, "setoption name none")
	})},
	{"stops reading turns", "positions turns ends", nil, input(func(line string) []string {
		words := strings.Fields(line)
		return []string{strings.Join(words[:min(len(words), 40)], " ")}
	})},
	{"reads turns in lower case alone", "positions", nil, input(func(line string) []string {
		_, turns, _ := strings.Cut(line, " moves ")
		return when(turns == strings.ToLower(turns), line, "position none")
	})},
	{"begins a new game from the start", "positions", nil, input(func(line string) []string {
		return when(line != "uginewgame", line, "position startpos")
	})},
	{"takes no position but the start", "positions", nil, input(func(line string) []string {
		return when(!strings.HasPrefix(line, "position fen"), line, "position none")
	})},
	{"leaves a legal turn out", "turns", nil, output(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "response") && len(words) > 5 {
			line = strings.Join(words[:len(words)-1], " ")
		}
		return []string{line}
	})},
	{"forgets its rows", "turns", nil, output(func(line string) []string {
		turn, _, _ := strings.Cut(line, ";")
		return when(!isWord(line, "bestmove"), line, turn)
	})},
	{"plays blitz as standard", "turns ends errors", nil, input(drop("setoption name Rules value blitz"))},
	{"takes one player for the other", "ends", nil, output(replace("response p1win", "response p2win"))},
	{"says nothing when the game is over", "ends end", nil, output(drop("bestmove none"))},
	{"always tells a reply", "answers", nil, output(func(line string) []string {
		return when(!isWord(line, "bestmove"), line, line+" ponder a2")
	})},
	{"tells a line that cannot be played", "answers", func(e *sound) { e.strangeLine = true }, nil},
	{"claims mates", "answers", func(e *sound) { e.claims = true }, nil},
	{"tells one line several times", "answers", func(e *sound) { e.copies = true }, nil},
	{"greets its user", "answers", nil, output(func(line string) []string {
		if line == "ugiok" {
			return []string{line, "Welcome to YINSH!"}
		}
		return []string{line}
	})},
	{"goes beyond depth and nodes", "limits", func(e *sound) { e.beyondNodes = true }, nil},
	{"does not look at searchmoves", "limits", func(e *sound) { e.anyTurn = true }, nil},
	{"knows one limit at a time", "limits time", nil, input(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "go") && len(words) == 5 && !strings.Contains(line, "ponder") && !strings.Contains(line, "searchmoves") {
			line = strings.Join(words[:3], " ")
		}
		return []string{line}
	})},
	{"is late by movetime", "time", func(e *sound) { e.lateMoveTime = true }, nil},
	{"is late when its clock has run out", "time", func(e *sound) { e.lateFlag = true }, nil},
	{"thinks by the other clock", "time ponder", nil, input(func(line string) []string {
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
	{"does not hear isready in a search", "waiting", nil, deafInSearch("isready")},
	{"does not hear stop", "stop", nil, input(drop("stop"))},
	{"answers infinite searches early", "stop", nil, input(func(line string) []string {
		return when(line != "go infinite", line, "go depth 1")
	})},
	{"answers each search twice", "turns", nil, output(func(line string) []string {
		if isWord(line, "bestmove") {
			return []string{line, line}
		}
		return []string{line}
	})},
	{"answers a stop when nothing runs", "stop waiting", nil, func(w *wiring) {
		searched := false // since the last stop
		w.in = func(line string) []string {
			stray := line == "stop" && !searched
			searched = line != "stop" && (searched || isWord(line, "go"))
			return when(!stray, line, "go depth 1")
		}
	}},
	{"does not hear ponderhit", "ponder", nil, input(drop("ponderhit"))},
	{"ponders like any search", "ponder", nil, input(replace("go ponder", "go"))},
	{"drops what comes in a search", "waiting lines end", nil, deafInSearch("position", "go", "setoption", "query")},
	{"refuses positions in silence", "errors", nil, output(drop("info string error position"))},
	{"goes back to the start after an error", "errors", nil, func(w *wiring) {
		w.out = func(line string) []string {
			if isWord(line, "info string error position:") {
				w.feed("position startpos")
			}
			return []string{line}
		}
	}},
	{"does not answer a go that is wrong", "errors", nil, input(func(line string) []string {
		command, _, err := protocol.ParseCommand(line)
		_, search := command.(protocol.Go)
		return when(err == nil || !search, line)
	})},
	{"ends at an unknown word", "errors lines", nil, input(func(line string) []string {
		if _, skipped, _ := protocol.ParseCommand(line); skipped.Count > 0 {
			os.Exit(3)
		}
		return []string{line}
	})},
	{"knows no carriage return", "lines", nil, input(func(line string) []string { return when(!strings.HasSuffix(line, "\r"), line) })},
	{"reads 64 KiB", "lines", nil, input(func(line string) []string {
		if len(line) > 64<<10 {
			fmt.Fprintln(os.Stderr, "token too long")
			os.Exit(1)
		}
		return []string{line}
	})},
	{"loses answers in a flood", "lines", nil, func(w *wiring) {
		readies := 0
		w.out = func(line string) []string {
			if line == "readyok" {
				readies++
			}
			return when(line != "readyok" || readies%10_000 != 0, line)
		}
	}},
	{"ignores quit", "end", nil, func(w *wiring) { w.in, w.stays = drop("quit"), true }},
	{"ends with status 1", "end", nil, func(w *wiring) { w.status = 1 }},
	{"ends at once when the input ends", "end", nil, func(w *wiring) { w.hasty = true }},
	{"lives on unread", "end", nil, func(w *wiring) { w.deaf = true }},
	{"dies in a position with two rows", "positions", nil, input(func(line string) []string {
		if strings.HasPrefix(line, "position fen W2B/W5B/1wwwww2/") {
			fmt.Fprintln(os.Stderr, "index out of range")
			os.Exit(7)
		}
		return []string{line}
	})},
}

// spare are engines that are sound, and do without much.
var spare = []flaw{
	{"knows uci alone", "", nil, input(drop("ugi"))},
	{"is an engine of UCI", "", nil, input(func(line string) []string {
		first, _, _ := strings.Cut(line, " ")
		return when(!slices.Contains([]string{"ugi", "query", "moves", "perft"}, first), line)
	})},
}

// wiring is what lies between an engine and its client: filters of lines, which
// return what becomes of each.
type wiring struct {
	in, out func(line string) []string
	feed    func(line string) // to the engine

	stays  bool // does not end
	status int  // of the exit
	hasty  bool // ends at the end of input
	deaf   bool // to the end of its output
}

func input(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.in = filter }
}

func output(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.out = filter }
}

// when returns the line if a condition holds, and else others.
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

// deafInSearch loses some commands while a search without a limit runs.
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

// testMargin is how late turns may be in the tests: a busy machine is late.
const testMargin = 2 * time.Second

// sound is an engine that keeps to the protocol, but for its flaws: it wins in one
// turn where it can, and else plays by the hash of the position.
type sound struct {
	multiPV int

	beyondNodes  bool // search further than nodes and depth allow
	anyTurn      bool // do not look at searchmoves
	claims       bool // tell a mate in one wherever it is
	lateMoveTime bool // overstep movetime
	lateFlag     bool // take time when there is none
	strangeLine  bool // tell a pv that cannot be played
	copies       bool // tell one line several times
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

// choose returns the turns of a position that it may play, the best first.
func (e *sound) choose(root *position.Position, limits *protocol.Limits) []position.Turn {
	turns := limits.SearchTurns
	if len(turns) == 0 || e.anyTurn {
		turns = root.Turns(nil)
	}
	best := int(root.Hash() % uint64(len(turns)))
	for i, t := range turns {
		if end := after(*root, t); wins(&end, root.SideToMove()) {
			best = i
		}
	}
	return append([]position.Turn{turns[best]}, append(turns[:best:best], turns[best+1:]...)...)
}

// A depth takes so many nodes; it goes no deeper than this.
const (
	nodesADepth = 50
	deepest     = 30
)

func (e *sound) Search(ctx context.Context, root position.Position, limits protocol.Limits, ponderHit <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	if root.Over() {
		return position.None, position.None
	}
	turns := e.choose(&root, &limits)
	end := after(root, turns[0])
	mate := wins(&end, root.SideToMove())
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
	e.wait(ctx, &limits, root.SideToMove(), ponderHit)
	return turns[0], position.None
}

// wait takes a part of the time that it has, if nothing else ends the search.
func (e *sound) wait(ctx context.Context, limits *protocol.Limits, side position.Side, ponderHit <-chan struct{}) {
	if limits.Ponder {
		select {
		case <-ponderHit:
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
	case clock.Set:
		think = clock.Left / 30
	}
	if e.lateMoveTime && limits.MoveTime == 100*time.Millisecond || e.lateFlag && clock.Set && clock.Left == 0 {
		think += testMargin + 500*time.Millisecond
	}
	select {
	case <-time.After(think):
	case <-ctx.Done():
	}
}

func (e *sound) Evaluate(*position.Position) string { return "0" }

func (e *sound) Bench(context.Context, []string, io.Writer) error { return errors.New("none") }

// flawVariable names, in the environment of a re-executed test binary, the flaw of the
// engine that it is to be; empty for a sound one.
const flawVariable = "GYRE_TEST_FLAW"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(flawVariable); ok {
		f := flaw{}
		all := slices.Concat(flaws, spare)
		if i := slices.IndexFunc(all, func(f flaw) bool { return f.name == name }); i >= 0 {
			f = all[i]
		}
		os.Exit(f.play())
	}
	os.Exit(m.Run())
}

// testSubject is an engine with a flaw, or without if the name is empty.
func testSubject(t *testing.T, name string) Subject {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Subject{Margin: testMargin, Program: protocol.Program{Path: path,
		Env: []string{flawVariable + "=" + name, "GORACE=atexit_sleep_ms=0"}}} // with the race detector it would end a second later
}

// play is the engine on standard input and output; it returns the exit status.
func (f *flaw) play() int {
	engine := new(sound)
	if f.engine != nil {
		f.engine(engine)
	}
	w := &wiring{}
	commands, feed := io.Pipe()
	var mu sync.Mutex
	w.feed = func(line string) {
		go func() { // the server may be the one that waits
			mu.Lock()
			defer mu.Unlock()
			_, _ = io.WriteString(feed, line+"\n")
		}()
	}
	if f.wiring != nil {
		f.wiring(w)
	}
	if w.deaf {
		signal.Ignore(syscall.SIGPIPE)
	}
	go func() {
		in := bufio.NewReader(os.Stdin)
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
			os.Exit(0)
		}
		feed.Close()
	}()
	err := protocol.NewServer(engine, commands, &answersTo{w: w}).Serve()
	for w.stays || err != nil && w.deaf {
		time.Sleep(time.Hour)
	}
	return w.status
}

// filtered is what a filter makes of a line.
func filtered(filter func(string) []string, line string) []string {
	if filter == nil {
		return []string{line}
	}
	return filter(line)
}

// answersTo writes an engine's lines to standard output by way of a filter. The server
// writes each line in one go, from several goroutines, but one at a time.
type answersTo struct{ w *wiring }

func (a *answersTo) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		for _, line := range filtered(a.w.out, strings.TrimSuffix(line, "\n")) {
			if _, err := io.WriteString(os.Stdout, line+"\n"); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}
