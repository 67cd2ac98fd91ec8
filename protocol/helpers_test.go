package protocol

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gyre/position"
	"gyre/protocol/internal/dialoguetest"
	"gyre/search"
)

// patience is how long tests wait for an event that must come.
const patience = dialoguetest.Patience

// session is a conversation of a test with a server.
type session struct{ *dialoguetest.Dialogue }

// newSession serves engine to the test.
func newSession(t *testing.T, engine Engine) *session {
	t.Helper()
	serve := func(in io.Reader, out io.Writer) error { return NewServer(engine, in, out).Serve() }
	return &session{dialoguetest.Begin(t, serve, timeless)}
}

// silent sends isready and expects only its answer.
func (s *session) silent() {
	s.T.Helper()
	s.Say("isready")
	s.Expect("readyok")
}

// end ends the input and returns the remaining lines.
func (s *session) end() []string {
	s.T.Helper()
	rest, err := s.Finish()
	if err != nil {
		s.T.Fatalf("serving ended with %v", err)
	}
	return rest
}

// times matches the numbers that differ between runs, and the hash, which may differ between
// versions.
var times = regexp.MustCompile(`\b(time|nps|hash)( +)[0-9a-f]+`)

// timeless replaces these numbers in a line.
func timeless(line string) string { return times.ReplaceAllString(line, "$1$2*") }

// demo is an engine for tests. Each iteration reports invented numbers, and its turn is the
// first in the alphabet. Its fields record the settings for the tests.
type demo struct {
	hash, threads, multiPV, overhead, nodesTime, skill, elo int
	search                                                  string
	showWDL                                                 bool
	book                                                    string
	cleared, newGames                                       int

	withBook    bool          // list an option of free text as well
	returnEarly bool          // from an infinite search, instead of waiting
	ignore      bool          // answer no legal turn
	limits      search.Limits // of the last search
	searching   atomic.Bool   // whether a search runs
	overlaps    atomic.Int32
	searches    atomic.Int32 // begun
}

func (d *demo) ID() (name, author, version string) {
	if d.searching.Load() {
		d.overlaps.Add(1)
	}
	return "Gyre", "the Gyre authors", "1.0.0"
}

func (d *demo) Options() []Option {
	number := func(into *int) func(int) error {
		return func(n int) error { *into = n; return nil }
	}
	options := []Option{
		Spin("Hash", 64, 1, 65536, number(&d.hash)),
		Button("Clear Hash", func() error { d.cleared++; return nil }),
		Spin("Threads", 1, 1, 128, number(&d.threads)),
		Spin("MultiPV", 1, 1, 64, number(&d.multiPV)),
		Spin("MoveOverhead", 10, 0, 5000, number(&d.overhead)),
		Spin("nodestime", 0, 0, 1000000, number(&d.nodesTime)),
		Combo("Search", "alphabeta", []string{"alphabeta", "mcts"}, func(s string) error { d.search = s; return nil }),
		Text("EvalFile", "", func(string) error { return nil }),
		Check("OwnBook", false, func(bool) error { return nil }),
		Text("BookFile", "", func(string) error { return nil }),
		Spin("BookDeviation", 0, 0, 1000, func(int) error { return nil }),
		Spin("Skill", 20, 0, 20, number(&d.skill)),
		Check("UCI_LimitStrength", false, func(bool) error { return nil }),
		Spin("UCI_Elo", 3000, 0, 3000, number(&d.elo)),
		Check("ShowWDL", false, func(on bool) error { d.showWDL = on; return nil }),
	}
	if !d.withBook {
		return options
	}
	return append(options, Text("Book File", "", func(name string) error {
		if name == "missing" {
			return fmt.Errorf("cannot be opened")
		}
		d.book = name
		return nil
	}))
}

func (d *demo) NewGame() { d.newGames++ }

func (d *demo) Search(ctx context.Context, root position.Position, limits search.Limits, report func(Info)) (best, ponder position.Turn) {
	d.searches.Add(1)
	if d.searching.Swap(true) {
		d.overlaps.Add(1)
	}
	defer d.searching.Store(false)
	d.limits = limits
	line := demoLine(root, limits)
	if d.ignore {
		return position.None, position.None
	}
	deepest := 3
	if limits.Depth > 0 {
		deepest = min(limits.Depth, 20)
	}
	for depth := 1; depth <= deepest && !(depth > 1 && ctx.Err() != nil); depth++ {
		elapsed := depth
		if d.nodesTime > 0 {
			elapsed = 100 * depth / d.nodesTime
		}
		report(Info{
			Depth: depth, SelDepth: depth + 1, MultiPV: 1,
			Score: Score{Value: 10 * depth}, HasScore: true,
			WDL: [3]int{340, 400, 260}, HasWDL: d.showWDL,
			Nodes: uint64(100 * depth), Time: time.Duration(elapsed) * time.Millisecond,
			HashFull: depth, PV: line[:min(depth, len(line))],
		})
	}
	switch {
	case d.returnEarly:
	case limits.Infinite:
		<-ctx.Done()
	case limits.Ponder:
		select {
		case <-ctx.Done():
		case <-limits.PonderHit:
		}
	}
	if len(line) > 1 {
		ponder = line[1]
	}
	return line[0], ponder
}

// firstTurns caches firstTurn by position.
var firstTurns sync.Map

// firstTurn returns the legal turn that is first in the alphabet.
func firstTurn(p *position.Position) position.Turn {
	key := struct {
		hash  uint64
		rules position.Rules
	}{p.Hash(), p.Rules()}
	if t, ok := firstTurns.Load(key); ok {
		return t.(position.Turn)
	}
	t := slices.MinFunc(p.Turns(nil), func(a, b position.Turn) int { return strings.Compare(a.String(), b.String()) })
	firstTurns.Store(key, t)
	return t
}

// demoLine plays up to four turns from root, each the first in the alphabet.
func demoLine(root position.Position, limits search.Limits) []position.Turn {
	var line []position.Turn
	for p := root; len(line) < 4 && !p.Over(); {
		t := firstTurn(&p)
		if len(line) == 0 && len(limits.SearchTurns) > 0 {
			t = limits.SearchTurns[0]
		}
		line = append(line, t)
		p = p.After(t)
	}
	return line
}

func (d *demo) Evaluate(p *position.Position) string {
	return fmt.Sprintf("mobility  white %d, black %d\ntotal     0 cp", p.Mobility(position.White), p.Mobility(position.Black))
}

func (d *demo) Bench(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "forever" {
		<-ctx.Done()
		return ctx.Err()
	}
	if len(args) > 0 {
		return fmt.Errorf("does not know %q", args[0])
	}
	_, err := fmt.Fprintln(out, "600 nodes 600000 nps")
	return err
}

// programVariable holds, in the environment of a restarted test binary, the name of the
// program to play.
const programVariable = "GYRE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(programVariable); name != "" {
		play, ok := programs[name]
		if !ok {
			panic("no program " + name)
		}
		play()
		return
	}
	os.Exit(m.Run())
}

// testProgram returns one of the test programs.
func testProgram(t *testing.T, name string) Program {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{Path: path, Env: []string{programVariable + "=" + name}}
}

// floodBytes is the size of a flooding program's output.
const floodBytes = 20 << 20

// programs holds engines with one fault each.
var programs = map[string]func(){
	"good": func() {
		if err := NewServer(&demo{withBook: true}, os.Stdin, os.Stdout).Serve(); err != nil {
			panic(err)
		}
	},
	"uci only": func() {
		pretend("uci", func(string) { fmt.Println("bestmove a2 ponder a3") }, func(line string) {
			if strings.HasPrefix(line, "query") {
				os.Exit(9) // no word of UCI
			}
		})
	},
	"silent":  func() { pretend("nothing", func(string) {}) },
	"sleeper": func() { time.Sleep(time.Hour) },
	"dies at start": func() {
		fmt.Fprintln(os.Stderr, "no such\x07 weights")
		os.Exit(3)
	},
	"dies in search": func() {
		pretend("ugi", func(string) {
			fmt.Println("info depth 1 score cp 5 pv a2")
			fmt.Fprint(os.Stderr, strings.Repeat("noise\n", 10_000), "index out of range")
			os.Exit(7)
		})
	},
	"closes output": func() {
		pretend("ugi", func(string) {
			os.Stdout.Close()
			time.Sleep(time.Hour)
		})
	},
	"never answers": func() { pretend("ugi", func(string) {}) },
	"never ready":   func() { pretend("ugi", nil) },
	"does not quit": func() {
		pretend("ugi", func(string) {})
		time.Sleep(time.Hour)
	},
	"answers late": func() {
		pretend("ugi", func(line string) {
			if line == "stop" {
				fmt.Println("bestmove a2")
			}
		})
	},
	"noise": func() {
		pretend("ugi", func(string) {
			for range 2 * maxStrays {
				fmt.Println("thinking hard")
			}
		})
	},
	"banner": func() {
		fmt.Println("Welcome!\n\n(c) nobody")
		pretend("ugi", func(string) { fmt.Println("oh\ninfo nonsense\nbestmove a2") })
	},
	"answers twice":    func() { pretend("ugi", func(string) { fmt.Println("bestmove a2\nbestmove a3") }) },
	"answers stop too": func() { pretend("ugi", func(string) { fmt.Println("bestmove a2") }) },
	"rejects options": func() {
		pretend("ugi", func(string) { fmt.Println("bestmove a2") }, func(line string) {
			if strings.HasPrefix(line, "setoption") {
				fmt.Println("info string something else\ninfo string error setoption: \"7\": Level: not today")
			}
		})
	},
	"only startpos": func() {
		pretend("ugi", func(string) { fmt.Println("bestmove a2") }, func(line string) {
			if strings.HasPrefix(line, "position fen") {
				fmt.Println("info string error position: only startpos")
			}
		})
	},
	"forgets": func() {
		pretend("ugi", func(string) { fmt.Println("bestmove a2") }, func(line string) {
			if line == "query fen" {
				fmt.Println("response " + position.StartText)
			}
		})
	},
	"bare answer": func() { pretend("ugi", func(string) { fmt.Println("bestmove") }) },
	"illegal":     func() { pretend("ugi", func(string) { fmt.Println("bestmove a1\x1b") }) },
	"gives up":    func() { pretend("ugi", func(string) { fmt.Println("bestmove none") }) },
	"flood": func() {
		pretend("ugi", func(string) {
			const line = "info depth 5 seldepth 9 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 12 time 12 pv a2 a3 a4\n"
			out := bufio.NewWriterSize(os.Stdout, 1<<16)
			for range floodBytes / len(line) {
				out.WriteString(line)
			}
			out.WriteString("bestmove a2\n")
			out.Flush()
		})
	},
	"endless flood": func() {
		pretend("ugi", func(string) {
			out := bufio.NewWriterSize(os.Stdout, 1<<16)
			for {
				if _, err := out.WriteString("info depth 1\n"); err != nil {
					return
				}
			}
		})
	},
	"long line": func() {
		pretend("ugi", func(string) {
			chunk := strings.Repeat("info pv a2 ", 1<<16)
			for range 15 {
				fmt.Print(chunk)
			}
			fmt.Println("\nbestmove a2")
		})
	},
	"deaf": func() {
		fmt.Println("id name Deaf\nugiok")
		time.Sleep(time.Hour)
	},
	"leaves a child": func() {
		pretend("ugi", func(string) {
			path, _ := os.Executable()
			child := exec.Command(path)
			child.Env = append(os.Environ(), programVariable+"=sleeper")
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
			if err := child.Start(); err != nil {
				panic(err)
			}
			fmt.Fprintln(os.Stderr, child.Process.Pid)
			os.Exit(1)
		})
	},
}

// pretend plays an engine with one handshake. It answers isready unless search is nil, passes
// `go` and `stop` to search, and other lines to others.
func pretend(handshake string, search func(line string), others ...func(line string)) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		first, _, _ := strings.Cut(lines.Text(), " ")
		switch {
		case first == handshake:
			fmt.Printf("id name Pretender\nid author Nobody\noption name Level type spin default 1 min 1 max 9\n%sok\n", first)
		case first == "isready" && search != nil:
			fmt.Println("readyok")
		case first == "go" || first == "stop":
			search(lines.Text())
		case first == "quit":
			return
		default:
			for _, other := range others {
				other(lines.Text())
			}
		}
	}
}
