package protocol

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// heavy reports whether a command takes long by design.
func heavy(command Command) bool {
	count, ok := command.(CountTurns)
	bench, isBench := command.(Bench)
	return ok && count.Depth > 1 || isBench && len(bench.Args) > 0
}

// searchesIn counts the searches of an input, up to a quit, and reports whether it contains a
// heavy command.
func searchesIn(text []byte) (searches int, tooHeavy bool) {
	lines := NewLineReader(bytes.NewReader(text))
	for {
		line, cut, err := lines.Next()
		if err != nil {
			return searches, tooHeavy
		}
		in := parseInput(line, cut)
		switch in.command.(type) {
		case Go:
			searches++
		case Quit:
			return searches, tooHeavy
		}
		tooHeavy = tooHeavy || heavy(in.command)
	}
}

// judge reads a server's output, counts the answers to searches, and checks that each line is
// printable.
func judge(out io.Reader) (answers int, fault error) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "bestmove ") {
			answers++
			if words := strings.Fields(line); len(words) != 2 && len(words) != 4 {
				fault = fmt.Errorf("%d words in %q", len(words), line)
			}
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			fault = fmt.Errorf("not printable: %q", line)
		}
	}
	if err := lines.Err(); err != nil {
		fault = err
	}
	return answers, fault
}

// FuzzServer feeds arbitrary bytes to a server, which must end and answer each search once.
func FuzzServer(f *testing.F) {
	f.Add([]byte("ugi\nisready\nuginewgame\nposition startpos moves f6 g7\ngo depth 2\nquery fen\nd\neval\nbench\nhelp\nperft 1\ndivide 1\nquit\n"))
	f.Add([]byte("uci\nsetoption name Ponder value true\ngo ponder wtime 5\nponderhit\ngo infinite\ngo depth x\nstop\n"))
	f.Add([]byte("setoption name Rules value blitz\nposition fen 4/7/8/9/10/9/10/9/8/7/4 w 0-0 moves a2\nmoves f6 zz\ngo searchmoves f7"))
	f.Fuzz(func(t *testing.T, input []byte) {
		searches, tooHeavy := searchesIn(input)
		if tooHeavy {
			t.Skip()
		}
		var out bytes.Buffer
		if err := NewServer(new(demo), bytes.NewReader(input), &out).Serve(); err != nil {
			t.Fatal(err)
		}
		answers, err := judge(&out)
		if err != nil {
			t.Error(err)
		}
		if answers != searches {
			t.Errorf("%d answers to %d searches", answers, searches)
		}
	})
}

// vocabulary holds the words of random lines.
var vocabulary = strings.Fields(`ugi uci isready setoption name value Hash Threads MultiPV Ponder Rules Search ShowWDL
	Clear 1 -1 0 2 64 99999999999999999999 true false blitz standard mcts uginewgame ucinewgame position startpos fen
	moves f6 g7 e4-e10 a1 pass xb3-b7xb2 c5-a3;xb3-b7xb2 4/7/8/9/10/9/10/9/8/7/4 w b 0-0 3-0 go depth movetime nodes
	infinite ponder searchmoves p1time wtime btime movestogo mate winc ponderhit stop query gameover p1turn result
	version d eval bench help perft divide \x00 é 界 ; / -`)

// starts holds beginnings of lines that are likely to be valid.
var starts = []string{"position startpos moves", "position fen", "go depth 1", "go", "go infinite", "stop", "moves",
	"setoption name", "query", "query moves", "isready", "ponderhit", "perft 1", "divide 1", "go ponder depth", ""}

// randomLine returns a random line that is not heavy.
func randomLine(rng *rand.Rand) string {
	for {
		var b strings.Builder
		b.WriteString(starts[rng.IntN(len(starts))])
		for range rng.IntN(6) {
			b.WriteByte(' ')
			if rng.IntN(20) > 0 {
				b.WriteString(vocabulary[rng.IntN(len(vocabulary))])
				continue
			}
			for range rng.IntN(20) {
				b.WriteByte(byte(rng.IntN(256)))
			}
		}
		line := strings.ReplaceAll(b.String(), "\n", "")
		if command, _, _ := ParseCommand(line); !heavy(command) && command != Command(Quit{}) {
			return line
		}
	}
}

// randomServers is how many servers TestRandomLines runs in parallel.
const randomServers = 4

var stress = flag.Bool("stress", false, "serve many more random lines: a minute")

// TestRandomLines serves many random lines, fewer with -short and more with -stress.
func TestRandomLines(t *testing.T) {
	count := 100_000
	switch {
	case *stress:
		count = 5_000_000
	case testing.Short():
		count = 20_000
	}
	for seed := range uint64(randomServers) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			serveRandomLines(t, rand.New(rand.NewPCG(1, seed)), count/randomServers)
		})
	}
}

func serveRandomLines(t *testing.T, rng *rand.Rand, count int) {
	in, feed := io.Pipe()
	out, say := io.Pipe()
	searches := 0
	go func() {
		writer := bufio.NewWriter(feed)
		for range count {
			line := randomLine(rng)
			if command, _, _ := ParseCommand(line); command != nil && command.word() == "go" {
				searches++
			}
			fmt.Fprintln(writer, line)
			if rng.IntN(50) == 0 {
				fmt.Fprintln(writer, "stop")
			}
		}
		writer.Flush()
		feed.Close()
	}()
	go func() {
		buffered := bufio.NewWriterSize(say, 1<<16)
		err := NewServer(&demo{returnEarly: true}, in, buffered).Serve()
		buffered.Flush()
		say.CloseWithError(err)
	}()
	answers, err := judge(out)
	if err != nil {
		t.Error(err)
	}
	if answers != searches {
		t.Errorf("%d answers to %d searches", answers, searches)
	}
}
