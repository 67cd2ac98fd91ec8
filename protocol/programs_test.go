package protocol

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gyre/position"
)

// programVariable names, in the environment of a re-executed test binary, which
// of the programs it is to be.
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

// testProgram is one of the programs, as something to start.
func testProgram(t *testing.T, name string) Program {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{Path: path, Env: []string{programVariable + "=" + name}}
}

// floodBytes is how much a flooding program says.
const floodBytes = 100 << 20

// programs are engines with one fault each.
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
			for range 2 * mostStrays {
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
	"refuses options": func() {
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

// pretend plays an engine that knows one handshake, is always ready unless
// search is nil, and leaves `go` and `stop` to search, other lines to others.
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
