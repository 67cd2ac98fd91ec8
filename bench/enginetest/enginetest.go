// Package enginetest provides engines for tests, as real programs: some play well,
// others misbehave in one way each. Start them with [Program] or [Script], and call [Play]
// first in TestMain: a test binary becomes an engine where there is no Go command to build a smaller one.
// [Build] returns a program of this module.
// [Address] returns an address for a hub that a test starts again.
package enginetest

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// faultySearch is the number of the search in a game in which faulty engines misbehave.
const faultySearch = 3

// server is an engine that is always ready. The hash of the position selects its turn, so
// it always plays the same turn in the same position.
type server struct {
	in    io.Reader
	out   io.Writer
	local bool // whether it runs inside the test's program

	current  position.Position
	rules    position.Rules
	searches int // of this game

	begin     func()                       // called first, may end the program; nil for none
	fault     func(s *server, line string) // replaces the faulty search and handles the stop after it; nil for none
	faulting  bool
	deaf      bool // whether it never answers the handshake
	stubborn  bool // whether it ignores quit and the end of input
	picky     bool // whether it rejects every option except Rules
	onlyStart bool // whether it accepts only positions from the start
	forgets   bool // whether it answers queries with the start
	counts    bool // whether it has the option nodestime and reports CountedNodes
	frail     bool // whether it dies in every search
	mute      bool // whether it prints no reports
	lies      bool // whether it reports a win with each turn, and an illegal line
	tunes     bool // whether it has the options of tuned, which change its turns
	tuned     [2]int
	ponders   bool // whether it has the option Ponder and reports the expected turn
	pondering bool
	mortal    bool // whether it dies at ponderhit
	lags      bool // whether it answers a stop while pondering only after Lag
}

// serve answers the commands of its input.
func (s *server) serve() {
	if s.begin != nil {
		s.begin()
	}
	lines := bufio.NewScanner(s.in)
	for lines.Scan() {
		line := lines.Text()
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case first == "ugi" && !s.deaf:
			fmt.Fprintln(s.out, "id name Test\nid author Nobody\noption name Hash type spin default 1 min 1 max 1024\n"+
				"option name MoveOverhead type spin default 10 min 0 max 5000\n"+
				"option name Rules type combo default standard var standard var blitz")
			if s.counts {
				fmt.Fprintln(s.out, "option name nodestime type spin default 0 min 0 max 1000000")
			}
			if s.tunes {
				fmt.Fprintln(s.out, "option name Alpha type spin default 3 min 0 max 12\noption name Beta type spin default 6 min 1 max 30\n"+
					"option name EvalFile type string default <empty>\noption name LogFile type string default <empty>")
			}
			if s.ponders {
				fmt.Fprintln(s.out, "option name Ponder type check default false")
			}
			fmt.Fprintln(s.out, "ugiok")
		case first == "setoption" && strings.HasPrefix(rest, "name Rules value "):
			s.rules, _ = position.ParseRules(strings.TrimPrefix(rest, "name Rules value "))
		case first == "setoption" && s.tunes:
			_, _ = fmt.Sscanf(rest, "name Alpha value %d", &s.tuned[0]) // or another option
			_, _ = fmt.Sscanf(rest, "name Beta value %d", &s.tuned[1])
		case first == "setoption" && s.picky:
			fmt.Fprintf(s.out, "info string error setoption: %q: no weights there\n", rest)
		case first == "isready":
			fmt.Fprintln(s.out, "readyok")
		case first == "uginewgame":
			s.searches = 0
		case first == "position":
			s.setPosition(rest)
		case line == "query fen":
			if s.forgets {
				s.current = position.Start(s.rules)
			}
			fmt.Fprintln(s.out, "response", &s.current)
		case first == "go" && strings.Contains(line, " ponder"):
			s.pondering = true
		case s.pondering && (first == "ponderhit" || first == "stop"):
			s.pondering = false
			if s.mortal && first == "ponderhit" {
				os.Exit(9)
			}
			if s.lags && first == "stop" {
				time.Sleep(Lag)
			}
			s.search(line)
		case first == "go":
			s.search(line)
		case first == "stop" && s.faulting:
			s.fault(s, line)
		case first == "quit" && !s.stubborn:
			return
		}
	}
	if s.stubborn {
		time.Sleep(time.Hour)
	}
}

// setPosition parses `fen BOARD SIDE SCORE` or `startpos`, and turns after `moves`.
func (s *server) setPosition(text string) {
	board, moves, _ := strings.Cut(strings.TrimPrefix(text, "fen "), " moves ")
	if board == "startpos" {
		board = position.StartText
	}
	if s.onlyStart && board != position.StartText {
		fmt.Fprintln(s.out, "info string error position: only startpos")
		return
	}
	p, err := position.Parse(board, s.rules)
	var turns []position.Turn
	if err == nil {
		turns, err = p.ParseTurns(strings.Fields(moves))
	}
	if err != nil {
		fmt.Fprintln(s.out, "info string error", err)
		return
	}
	s.current = p.AfterAll(turns...)
}

// search answers `go`, or misbehaves.
func (s *server) search(line string) {
	if s.frail {
		die()
	}
	s.searches++
	s.faulting = s.fault != nil && s.searches == faultySearch
	if s.faulting {
		s.fault(s, line)
		return
	}
	s.answer()
}

// answer prints a report and a turn.
func (s *server) answer() {
	s.faulting = false
	t := pick(&s.current)
	if s.tunes {
		turns := s.current.Turns(nil)
		t = turns[(s.current.Hash()^uint64(s.tuned[0]<<8|s.tuned[1])*0x9e3779b97f4a7c15)%uint64(len(turns))]
	}
	if s.mute {
		fmt.Fprintln(s.out, "bestmove", t)
		return
	}
	if s.lies {
		fmt.Fprintf(s.out, "info depth 1 score mate 1 nodes 10 time 1 pv %v %v\nbestmove %v\n", t, t, t)
		return
	}
	fmt.Fprintf(s.out, "info depth 1 score cp %d nodes 10 time 1 pv %v%s\n", int(s.current.Hash()%41)-20, t, s.expected(t))
	if s.counts { // the last report has no score
		fmt.Fprintf(s.out, "info nodes %d\n", CountedNodes(s.searches))
	}
	fmt.Fprintln(s.out, "bestmove", t)
}

// CountedNodes returns the nodes that Counts reports for a search of a game, numbered from
// 1.
func CountedNodes(search int) uint64 { return 1000 + 7*uint64(search) }

// pick returns the turn that all engines play in a position.
func pick(p *position.Position) position.Turn {
	turns := p.Turns(nil)
	return turns[p.Hash()%uint64(len(turns))]
}

// expected returns the reply that a pondering engine expects, with a space before it. The
// guess is right in two of three positions.
func (s *server) expected(t position.Turn) string {
	child := s.current.After(t)
	if !s.ponders || child.Over() {
		return ""
	}
	if child.Hash()%3 > 0 {
		return " " + pick(&child).String()
	}
	return " " + child.Turns(nil)[0].String()
}

// The names of the engines, for Program. A fault in a search happens in the third search
// of each game.
const (
	Good        = "good"
	Exits       = "exits"        // at once
	Silent      = "silent"       // never answers the handshake
	Dies        = "dies"         // in a search
	DiesAlways  = "dies always"  // in every search
	Hangs       = "hangs"        // in a search, and ignores stop
	Late        = "late"         // answers 400 ms after go
	Illegal     = "illegal"      // gives an illegal turn
	Resigns     = "resigns"      // answers `bestmove none`
	Garbage     = "garbage"      // answers with endless noise
	Flood       = "flood"        // reports 8 MiB before it answers
	ClosesPipe  = "closes pipe"  // closes its output in a search and keeps running
	IgnoresQuit = "ignores quit" // otherwise good
	Slow        = "slow"         // good, but takes 20 ms per turn
	OnlyStart   = "only start"   // good, but accepts only positions from the start
	Forgets     = "forgets"      // answers query fen with the start; otherwise good
	Picky       = "picky"        // rejects its options
	Twice       = "twice"        // answers a search twice
	StartsOnce  = "starts once"  // the first process is good, the others exit at once
	Counts      = "counts"       // good, and has the option nodestime; see CountedNodes
	CountsHangs = "counts hangs" // like Counts, but hangs
	CountsNone  = "counts none"  // good, has the option nodestime and reports no nodes
	Tunes       = "tunes"        // good, and has the options Alpha and Beta: other values, other turns; EvalFile and LogFile change nothing
	Lies        = "lies"         // reports a win with each turn, and an illegal line; otherwise good
	Ponders     = "ponders"      // good, and ponders
	PondersDies = "ponders dies" // like Ponders, but dies at ponderhit
	PondersLags = "ponders lags" // like Ponders, but answers a stop while pondering only after Lag
)

// floodBytes is the size of Flood's reports.
const floodBytes = 8 << 20

// lateness is the time of Late's faulty answer.
const lateness = 400 * time.Millisecond

// Lag is how long PondersLags needs to stop pondering.
const Lag = 400 * time.Millisecond

// engines holds the engines. Each process plays a copy.
var engines = map[string]server{
	Good:        {},
	Exits:       {begin: func() { fmt.Fprintln(os.Stderr, "no weights"); os.Exit(3) }},
	Silent:      {deaf: true},
	IgnoresQuit: {stubborn: true},
	Slow: {searches: faultySearch - 1, fault: func(s *server, _ string) {
		time.Sleep(20 * time.Millisecond)
		s.answer()
		s.searches = faultySearch - 1
	}},
	OnlyStart: {onlyStart: true},
	Forgets:   {forgets: true},
	Picky:     {picky: true},
	Twice: {fault: func(s *server, _ string) {
		turn := pick(&s.current)
		fmt.Fprintf(s.out, "bestmove %v\nbestmove %v\n", turn, turn)
	}},
	StartsOnce: {begin: func() {
		started, err := os.OpenFile(os.Getenv(pidsDir)+".started", os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, "only once:", err)
			os.Exit(4)
		}
		started.Close()
	}},
	Tunes:       {tunes: true, tuned: [2]int{3, 6}},
	Lies:        {lies: true},
	Ponders:     {ponders: true},
	PondersDies: {ponders: true, mortal: true},
	PondersLags: {ponders: true, lags: true},
	Counts:      {counts: true},
	CountsHangs: {counts: true, fault: func(s *server, _ string) { s.hang() }},
	CountsNone:  {counts: true, mute: true},
	Dies:        {fault: func(*server, string) { die() }},
	DiesAlways:  {frail: true},
	Hangs: {fault: func(s *server, _ string) {
		if err := leave("hangs"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		s.hang()
	}},
	Late: {fault: func(s *server, line string) {
		if line != "stop" {
			time.Sleep(lateness)
			s.answer()
		}
	}},
	Illegal: {fault: func(s *server, _ string) { fmt.Fprintln(s.out, "bestmove a1") }},
	Resigns: {fault: func(s *server, _ string) { fmt.Fprintln(s.out, "bestmove none") }},
	Garbage: {fault: func(s *server, _ string) {
		for out := bufio.NewWriter(s.out); ; {
			if _, err := out.WriteString("Once upon a time\n"); err != nil {
				return
			}
		}
	}},
	Flood: {fault: func(s *server, _ string) {
		const line = "info depth 5 seldepth 9 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 12 time 12 pv a2 a3 a4\n"
		out := bufio.NewWriterSize(s.out, 1<<16)
		for range floodBytes / len(line) {
			out.WriteString(line)
		}
		out.Flush()
		s.answer()
	}},
	ClosesPipe: {fault: func(*server, string) { os.Stdout.Close(); time.Sleep(time.Hour) }},
}

// hang does nothing until the program is killed, or the connection of a local engine is
// closed.
func (s *server) hang() {
	if s.local {
		_, _ = io.Copy(io.Discard, s.in)
		return
	}
	time.Sleep(time.Hour)
}

// die ends the program like a crash.
func die() {
	fmt.Fprintln(os.Stderr, "index out of range")
	os.Exit(7)
}

// The environment variables that turn a test binary into an engine.
const (
	variable = "GYRE_TEST_ENGINE" // the name of the engine
	pidsDir  = "GYRE_TEST_PIDS"   // the directory for a file named by the process id
)

// Parallel lets more parallel tests run at a time than there are processors, unless -parallel
// is given: tests with programs often wait. Call it in TestMain, when [Play] has returned.
func Parallel() {
	moreGarbage()
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
}

// moreGarbage lets the tests and the programs that they start have more garbage, unless GOGC is given:
// collecting that of many short programs and connections takes up to a quarter of the time.
func moreGarbage() {
	const garbage = 400 // in percent of the memory in use
	if _, given := os.LookupEnv("GOGC"); given {
		return
	}
	debug.SetGCPercent(garbage)
	if err := os.Setenv("GOGC", strconv.Itoa(garbage)); err != nil {
		panic(err)
	}
}

// Play plays an engine and ends the program, if the program was started as an engine. Call
// it first in TestMain.
func Play() {
	readScript()
	name, ok := os.LookupEnv(variable)
	if !ok {
		moreGarbage()
		return
	}
	s, ok := engines[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "no engine", name)
		os.Exit(2)
	}
	if err := leave(""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	s.in, s.out = os.Stdin, os.Stdout
	s.serve()
	os.Exit(0)
}

// Local returns a function that starts the named engine inside this program, for tests
// under testing/synctest. The engine must not exit, close its output, or ignore `quit`.
func Local(name string) func(protocol.Config) (*protocol.Client, error) {
	return func(config protocol.Config) (*protocol.Client, error) {
		commands, toEngine := io.Pipe()
		answers, fromEngine := io.Pipe()
		ended := make(chan struct{})
		s := engines[name]
		s.in, s.out, s.local = commands, fromEngine, true
		go func() {
			defer close(ended)
			s.serve()
			_ = commands.Close()
			_ = fromEngine.Close()
		}()
		return protocol.Connect(pipes{answers, toEngine, ended}, config)
	}
}

// pipes is a connection to an engine inside this program.
type pipes struct {
	*io.PipeReader
	*io.PipeWriter
	ended <-chan struct{}
}

// Close closes both pipes and waits until the engine has ended. It never fails.
func (p pipes) Close() error {
	_ = p.PipeWriter.Close()
	_ = p.PipeReader.Close()
	<-p.ended
	return nil
}

// raceSettings makes a program with the race detector end without a delay of one second.
const raceSettings = "GORACE=atexit_sleep_ms=0"

// leave writes a note to the file of this process.
func leave(note string) error {
	dir := os.Getenv(pidsDir)
	if dir == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), []byte(note), 0o600)
}

// Program returns the named engine. Each process creates a file in dir, named by its process
// id. Hangs writes to it when it begins to hang. If dir is empty, there are no files.
func Program(name, dir string) protocol.Program {
	return protocol.Program{Path: player(), Env: []string{variable + "=" + name, pidsDir + "=" + dir, raceSettings}}
}

// player returns the path of the program that plays the engines: command play, because tests start
// hundreds of engines, and a test binary takes three times as long to start. Without a Go command it is the
// test binary.
var player = sync.OnceValue(func() string {
	if path, err := Build("gyre/bench/enginetest/play"); err == nil {
		return path
	}
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return path
})

// sources is the folder that tests begin in, which is in the module.
var sources, _ = os.Getwd()

// programs holds functions that build the programs of Build once.
var (
	programs   = map[string]func() (string, error){}
	programsMu sync.Mutex
)

// Build returns the path of a program of this module, built with more flags. The program is in Go's cache, and
// is built only if its sources have changed.
func Build(source string, flags ...string) (path string, err error) {
	key := fmt.Sprint(source, flags)
	programsMu.Lock()
	if programs[key] == nil {
		programs[key] = sync.OnceValues(func() (string, error) { return build(source, flags) })
	}
	once := programs[key]
	programsMu.Unlock()
	return once()
}

func build(source string, flags []string) (path string, err error) {
	echo, err := exec.LookPath("echo")
	if err != nil {
		return "", err
	}
	for range 2 { // the program that go run has just built is not the one in the cache, and is gone
		command := exec.Command("go", append(append([]string{"run", "-ldflags=-s -w", "-exec", echo}, flags...), source)...)
		command.Dir = sources
		if !slices.Contains(flags, "-race") { // like releases; with the C library a program starts a third later
			command.Env = append(os.Environ(), "CGO_ENABLED=0")
		}
		output, err := command.Output()
		if err != nil {
			return "", fmt.Errorf("go run %s: %w", source, err)
		}
		path = strings.TrimSpace(string(output))
		if _, err = os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("go run keeps no program %s", source)
}

// links numbers the scripts of Script.
var links atomic.Int64

// Script writes a script to dir that runs the named engine, for callers that cannot set an environment, and
// returns its path. pids is the dir of Program. The player itself interprets the script, because tests start
// hundreds of engines and a shell would be one more program for each.
func Script(dir, name, pids string) (string, error) {
	const longest = 250 // bytes of the first line, on Linux
	self := player()
	if len(self) > longest || strings.ContainsAny(self, " \t") {
		return "", fmt.Errorf("no script can name the program %s", self)
	}
	if runtime.GOOS == "windows" {
		return "", errors.ErrUnsupported
	}
	path := filepath.Join(dir, fmt.Sprintf("engine%d", links.Add(1)))
	text := fmt.Sprintf("#!%s\n%s=%s\n%s=%s\n", self, variable, name, pidsDir, pids)
	// A process that starts meanwhile inherits the open file for a moment, and Linux does not run
	// a file that is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return path, os.WriteFile(path, []byte(text), 0o700)
}

// readScript sets the environment that a script of Script names, if this program was started by one.
func readScript() {
	if len(os.Args) < 2 {
		return
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return // it is another argument
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "#!") || !strings.HasPrefix(lines[1], variable+"=") {
		return
	}
	for _, line := range lines[1:3] {
		key, value, _ := strings.Cut(line, "=")
		if err := os.Setenv(key, value); err != nil {
			panic(err)
		}
	}
}

// Address returns a HOST:PORT of this machine where a test can listen, stop, and listen again. Systems
// do not give such a port to programs that ask for any, and no other test gets it until this one ends.
func Address(t testing.TB) string {
	t.Helper()
	const first, count, attempts = 20_000, 10_000, 1000
	for range attempts {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(count)))
		mark, err := net.ListenPacket("udp", address) // keeps other tests from this port
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = mark.Close() })
		if listener, err := net.Listen("tcp", address); err == nil && listener.Close() == nil {
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// patience is how long Left waits for processes to end. They should end at once; the limit
// is for a busy machine.
const patience = time.Minute

// Left waits until the processes with a file in dir have ended. It returns the ids of those
// that still run after a minute, and the number of all processes.
func Left(dir string) (left []int, all int, err error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		left, all, err = running(dir)
		if len(left) == 0 || time.Now().After(deadline) {
			return left, all, err
		}
	}
}

func running(dir string) (left []int, all int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		pid, err := strconv.Atoi(file.Name())
		if err != nil {
			return nil, 0, fmt.Errorf("the file name is not a process id: %w", err)
		}
		if !ended(pid) {
			left = append(left, pid)
		}
	}
	return left, len(files), nil
}

// ended reports whether a process has ended. A zombie counts, because in a container there
// may be no process that reaps it.
func ended(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return strings.Contains(string(stat), ") Z ")
	}
	process, err := os.FindProcess(pid)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}
