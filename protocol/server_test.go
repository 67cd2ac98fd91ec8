package protocol

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/position/plaintext"
	"gyre/position/plaintext/plaintexttest"
	"gyre/protocol/protocoltest"
	"gyre/search"
)

// serve feeds a whole input to a server and returns its lines without times.
func serve(t *testing.T, engine Engine, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := NewServer(engine, strings.NewReader(input), &out).Serve(); err != nil {
		t.Fatalf("serving ended with %v", err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, timeless(strings.TrimSuffix(line, "\n")))
	}
	return lines
}

// bestmoves returns the lines that answer searches.
func bestmoves(lines []string) []string {
	var best []string
	for _, line := range lines {
		if strings.HasPrefix(line, "bestmove") {
			best = append(best, line)
		}
	}
	return best
}

func TestEndOfInputLetsFiniteSearchAnswer(t *testing.T) {
	t.Parallel()
	got := bestmoves(serve(t, new(demo), "position startpos\ngo depth 4"))
	if diff := cmp.Diff([]string{"bestmove a2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEndOfInputStopsOpenSearches(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"go", "go infinite", "go ponder p1time 1000", "go ponder", "go infinite depth 2"} {
		got := bestmoves(serve(t, new(demo), command+"\nposition startpos moves f6 f7\n"+command+"\n"))
		if diff := cmp.Diff([]string{"bestmove a2", "bestmove a2"}, got); diff != "" {
			t.Errorf("%s: %s", command, diff)
		}
	}
}

// TestManyTurns asks for all turns of positions that have very many. The answer fits in a line, or
// there is none.
func TestManyTurns(t *testing.T) {
	t.Parallel()
	for board, lists := range map[string]bool{
		"WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0": false,
		"WWWW/W6/8/9/10/wwwwwwwww/wwwwww4/9/8/6B/BBBB w 0-0":                                          true,
	} {
		p, err := position.Parse(board, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if n := p.Count(); n < MaxTurns/10 || n <= MaxTurns != lists {
			t.Errorf("%v has %d turns", &p, n)
		}
		longest := 0
		for _, turn := range p.Turns(nil) {
			longest = max(longest, len(" "+turn.String()))
		}
		if len("response")+MaxTurns*longest > MaxLine {
			t.Errorf("%v: %d turns of %d bytes take more than a line", &p, MaxTurns, longest)
		}
		var out strings.Builder
		err = NewServer(new(demo), strings.NewReader("position fen "+board+"\nquery moves\n"), &out).Serve()
		if answered := strings.Contains(out.String(), "response"); err != nil || answered != lists || answered == strings.Contains(out.String(), "error") {
			t.Errorf("%v: %v, answer of %d bytes: %.80q", &p, err, out.Len(), out.String())
		}
	}
}

// TestFinishedGame checks that a finished game has no turn, and that even then an infinite
// search holds its answer.
func TestFinishedGame(t *testing.T) {
	t.Parallel()
	const over = "position fen 4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0"
	s := newSession(t, new(demo))
	s.Say(over, "query gameover", "query result", "query moves")
	s.Expect("response true", "response p1win", "response")
	s.Say("go depth 3")
	s.Expect("info string the game is over: p1win", "bestmove none")
	s.Say("go infinite")
	s.Expect("info string the game is over: p1win")
	s.silent()
	s.Say("stop")
	s.Expect("bestmove none")
	s.Say("moves f6")
	s.Expect(`info string error moves: "f6": turn 1: the game is over`)
	s.end()
}

// TestEngineWithoutTurn checks that the server answers for an engine that returns no legal
// turn.
func TestEngineWithoutTurn(t *testing.T) {
	t.Parallel()
	got := serve(t, &demo{ignore: true}, "go depth 1\n")
	if diff := cmp.Diff([]string{"bestmove a2"}, bestmoves(got)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(got[0], "info string error go: ") {
		t.Errorf("no error before the answer: %q", got)
	}
}

// TestLongLines checks lines of ten megabytes: with and without an end, with many words, and
// of a search, which still gets an answer.
func TestLongLines(t *testing.T) {
	t.Parallel()
	const size = 10 << 20
	for name, line := range map[string]string{
		"one word":   strings.Repeat("x", size),
		"many words": "position startpos moves " + strings.Repeat("f6 ", size/3),
		"zeros":      strings.Repeat("\x00", size),
	} {
		got := serve(t, new(demo), line+"\nposition startpos moves f6\nquery p1turn\n"+line)
		if len(got) != 3 || !strings.HasPrefix(got[0], "info string error line: ") || got[1] != "response false" {
			t.Errorf("%s: %q", name, got)
		}
		for _, answer := range got {
			if len(answer) > 600 {
				t.Errorf("%s: an answer of %d bytes", name, len(answer))
			}
		}
	}
	got := serve(t, new(demo), "go searchmoves "+strings.Repeat("f6 ", size/3)+"\n")
	if diff := cmp.Diff([]string{"bestmove a2"}, bestmoves(got)); diff != "" {
		t.Error(diff)
	}
}

// TestEndlessLine checks that an endless line neither takes memory nor blocks the end.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	s := newSession(t, new(demo))
	s.Say("go infinite")
	for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
	}
	chunk := bytes.Repeat([]byte("y"), 1<<20)
	for range 30 {
		if _, err := s.In.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	s.Say("")
	if got := s.Hear(); !strings.HasPrefix(got, "info string error line: ") {
		t.Errorf("got %q", got)
	}
	s.Say("stop")
	s.Expect("bestmove a2")
	s.end()
}

// TestDamagedPositions checks that an invalid position never changes the current one.
func TestDamagedPositions(t *testing.T) {
	t.Parallel()
	damaged := []string{
		"position", "position startpo", "position startpos f6", "position fen", "position fen 4/7/8/9/10/9/10/9/8/7/4",
		"position fen 4/7/8/9/10/9/10/9/8/7/4 w", "position fen 4/7/8/9/10/9/10/9/8/7/4 w moves f6",
		"position fen 4/7/8/9/10/9/10/9/8/7/4 w 0-0 0", "position fen 4/7/8/9/10/9/10/9/8/7/5 w 0-0",
		"position fen 4/7/8/9/10/9/10/9/8/7/4 x 0-0", "position fen 4/7/8/9/10/9/10/9/8/7/4 w 9-0",
		"position startpos moves f6 f6", "position startpos moves f6 pass", "position startpos moves f6 \xff\x00\x80",
		"position startpos moves a1", "position startpos moves " + strings.Repeat("f6", 1000),
		"position fen 4/7/8/9/10/9/10/9/8/7/4 w 0-0 move f6", "moves e5 e4-e4", "moves f6",
	}
	for _, line := range damaged {
		got := serve(t, new(demo), "position startpos moves f6\n"+line+"\nquery fen\n")
		if len(got) != 2 || !strings.HasPrefix(got[0], "info string error ") || got[1] != "response 4/7/8/9/10/4W4/10/9/8/7/4 b 0-0" {
			t.Errorf("%.60q: %q", line, got)
		}
	}
}

// TestRules checks how a change of the rules affects the position.
func TestRules(t *testing.T) {
	t.Parallel()
	s := newSession(t, new(demo))
	s.Say("position fen 4/7/8/9/10/9/10/9/2WWWWB/2BBBB1/4 b 1-0")
	if got := s.Hear(); !strings.HasPrefix(got, "info string error position: ") {
		t.Fatalf("got %q", got)
	}
	s.Say("position startpos moves f6 f7", "setoption name rules value BLITZ", "query fen")
	s.Expect("response 4/7/8/9/10/4WB3/10/9/8/7/4 w 0-0")
	s.Say("setoption name Rules value none")
	s.Expect(`info string error setoption: "none": Rules: none of standard, blitz`)
	const level = "4/7/8/9/10/9/10/9/2WWWW2/2BBBB1/4 w 1-1"
	s.Say("position fen " + level)
	if got := s.Hear(); !strings.HasPrefix(got, "info string error position: ") {
		t.Fatalf("blitz takes 1-1: %q", got)
	}
	s.Say("setoption name Rules value standard", "position fen "+level, "query fen")
	s.Expect("response " + level)
	s.Say("setoption name Rules value blitz", "query fen")
	s.Expect("info string the position is impossible under blitz rules; back to the start", "response 4/7/8/9/10/9/10/9/8/7/4 w 0-0")
	s.end()
}

// TestWriteError checks that the server ends if its client closes the output.
func TestWriteError(t *testing.T) {
	t.Parallel()
	hungUp := errors.New("hung up")
	answers, out := io.Pipe()
	answers.CloseWithError(hungUp)
	in, _ := io.Pipe()
	first := io.MultiReader(strings.NewReader("go infinite\nisready\n"), in)
	if err := NewServer(new(demo), first, out).Serve(); !errors.Is(err, hungUp) {
		t.Errorf("serving ended with %v", err)
	}
}

// TestReadError checks that Serve returns an error of the input.
func TestReadError(t *testing.T) {
	t.Parallel()
	torn := errors.New("torn")
	in, feed := io.Pipe()
	feed.CloseWithError(torn)
	if err := NewServer(new(demo), in, io.Discard).Serve(); !errors.Is(err, torn) {
		t.Errorf("serving ended with %v", err)
	}
}

// TestRunCommand checks single commands and their errors.
func TestRunCommand(t *testing.T) {
	t.Parallel()
	cases := []struct {
		words string
		want  string
		fails bool
	}{
		{"perft 2", "perft 2 nodes 7140 time * nps *\n", false},
		{"go depth 1", "info depth 1 seldepth 2 multipv 1 score cp 10 nodes 100 nps * hashfull 1 time * pv a2\nbestmove a2\n", false},
		{"bench", "600 nodes 600000 nps\n", false},
		{"bench twice", "info string error bench: does not know \"twice\"\n", true},
		{"perft", "info string error perft: needs a depth\n", true},
		{"nonsense", "info string skipped unknown word \"nonsense\"\ninfo string error line: \"nonsense\": not a command\n", true},
	}
	for _, c := range cases {
		var out bytes.Buffer
		err := NewServer(new(demo), nil, &out).RunCommand(strings.Fields(c.words))
		if diff := cmp.Diff(c.want, timeless(out.String())); diff != "" || (err != nil) != c.fails {
			t.Errorf("%s: error %v, %s", c.words, err, diff)
		}
	}
}

// TestDivide checks that the counts of the first turns come before the total and add up to
// it.
func TestDivide(t *testing.T) {
	t.Parallel()
	lines := serve(t, new(demo), "divide 2\n")
	turns, total := lines[:len(lines)-1], lines[len(lines)-1]
	if total != "perft 2 nodes 7140 time * nps *" || len(turns) != 85 {
		t.Errorf("%d lines and %q", len(turns), total)
	}
	for _, line := range turns {
		if word, count, _ := strings.Cut(line, " "); count != "84" || len(word) < 2 {
			t.Errorf("a line %q", line)
		}
	}
}

// TestHeldAnswers checks that the server holds back the answer of an engine that returns early.
func TestHeldAnswers(t *testing.T) {
	t.Parallel()
	cases := []struct{ ask, release string }{
		{"go infinite", "stop"},
		{"go", "stop"},
		{"go ponder depth 1", "ponderhit"},
		{"go ponder depth 1", "stop"},
	}
	for _, c := range cases {
		t.Run(c.ask+" "+c.release, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSession(t, &demo{returnEarly: true})
				s.Say(c.ask)
				for !strings.Contains(s.Hear(), "pv a2") {
				}
				for strings.HasPrefix(c.ask, "go infinite") && !strings.HasPrefix(s.Hear(), "info depth 3 ") {
				}
				synctest.Wait() // until the engine has returned
				s.Say("isready")
				for s.Hear() != "readyok" {
				}
				s.Say(c.release)
				s.Expect("bestmove a2")
				s.silent()
				s.end()
			})
		})
	}
}

// TestPonderHitOnInfinite checks that ponderhit does not end an infinite search.
func TestPonderHitOnInfinite(t *testing.T) {
	t.Parallel()
	s := newSession(t, &demo{returnEarly: true})
	s.Say("go ponder infinite depth 1")
	s.Hear()
	s.Say("ponderhit")
	s.silent()
	s.Say("stop")
	s.Expect("bestmove a2")
	s.end()
}

// TestWaitingKeepsOrder checks that commands wait during a search, that commands that only
// read wait only behind others, and that isready never waits.
func TestWaitingKeepsOrder(t *testing.T) {
	t.Parallel()
	s := newSession(t, new(demo))
	s.Say("go infinite")
	for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
	}
	s.Say("query fen")
	s.Expect("response 4/7/8/9/10/9/10/9/8/7/4 w 0-0")
	s.Say("position startpos moves f6")
	s.Expect("info string position waits until the search is stopped")
	s.Say("query p1turn")
	s.Expect("info string query waits until the search is stopped")
	s.Say("perft 1")
	s.Expect("info string perft waits until the search is stopped")
	s.silent()
	s.Say("stop")
	s.Expect("bestmove a2", "response false", "perft 1 nodes 84 time 0 nps 0")
	s.end()
}

// TestHastyClient checks that a client that never waits gets all answers, and that none of
// its stops is lost.
func TestHastyClient(t *testing.T) {
	t.Parallel()
	const games = 50
	input := strings.Repeat("go infinite\nstop\nposition startpos moves f6\n", games)
	got := bestmoves(serve(t, new(demo), input+"go depth 2\nquit\n"))
	if len(got) != games+1 {
		t.Errorf("%d answers to %d searches", len(got), games+1)
	}
}

// cancelCounter is an engine that counts the searches that begin canceled.
type cancelCounter struct {
	demo
	canceled atomic.Int32
}

func (c *cancelCounter) Search(ctx context.Context, root position.Position, limits search.Limits, report func(Info)) (best, ponder position.Turn) {
	if ctx.Err() != nil {
		c.canceled.Add(1)
	}
	return c.demo.Search(ctx, root, limits, report)
}

// TestStopKeepsBoundedSearches checks that stop cancels no queued search that ends by itself:
// a rejected one has depth 1, and after ponderhit the other limits apply.
func TestStopKeepsBoundedSearches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines    []string
		canceled int32
	}{
		{[]string{"go depth two"}, 0},
		{[]string{"go infinite depth two"}, 0},
		{[]string{"go ponder depth 3", "ponderhit"}, 0},
		{[]string{"go ponder", "ponderhit"}, 1}, // infinite
		{[]string{"go ponder depth 3"}, 1},
		{[]string{"go infinite"}, 1},
	} {
		engine := new(cancelCounter)
		s := newSession(t, engine)
		s.Say("go infinite")
		for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
		}
		s.Say(c.lines...)
		s.Say("isready")
		for s.Hear() != "readyok" {
		}
		s.Say("stop")
		if got := bestmoves(s.end()); len(got) != 2 {
			t.Errorf("%q: %d answers, want 2", c.lines, len(got))
		}
		if got := engine.canceled.Load(); got != c.canceled {
			t.Errorf("%q: %d searches begin canceled, want %d", c.lines, got, c.canceled)
		}
	}
}

// TestStopOfWhatWaits checks which searches a stop ends.
func TestStopOfWhatWaits(t *testing.T) {
	t.Parallel()
	s := newSession(t, new(demo))
	s.Say("go infinite")
	for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
	}
	s.Say("go depth 5", "go infinite")
	s.Expect("info string go waits until the search is stopped", "info string go waits until the search is stopped")
	s.Say("stop")
	var depths []string
	for len(bestmoves(depths)) < 3 {
		depths = append(depths, s.Hear())
	}
	if !strings.Contains(strings.Join(depths, "\n"), "depth 5") {
		t.Errorf("stop cut a search short that ends by itself: %q", depths)
	}
	s.silent()
	s.end()
}

// TestOverflow checks that a full queue loses no answer.
func TestOverflow(t *testing.T) {
	t.Parallel()
	const many = 3 * maxWaiting
	s := newSession(t, new(demo))
	s.Say("go infinite")
	heard := make(chan int)
	go func() {
		count := 0
		for line := range s.Lines {
			if strings.HasPrefix(line, "bestmove") {
				count++
			}
		}
		heard <- count
	}()
	for range many {
		s.Say("go depth 1")
	}
	s.Say("stop", "position startpos moves f6", "go depth 1")
	s.In.Close()
	if count := <-heard; count != many+2 {
		t.Errorf("%d answers to %d searches", count, many+2)
	}
}

// TestQuitAnswersAll checks that quit ends the running search with a turn, and answers queued
// and lost searches without running them.
func TestQuitAnswersAll(t *testing.T) {
	t.Parallel()
	for name, waiting := range map[string]string{
		"a few":        "go infinite\nperft 50\ngo depth 3\ngo depth x\ngo ponder\n",
		"a full queue": strings.Repeat("go depth 1\n", 3*maxWaiting),
	} {
		t.Run(name, func(t *testing.T) {
			engine := new(demo)
			got := bestmoves(serve(t, engine, "go infinite\n"+waiting+"quit\ngo depth 1\n"))
			want := slices.Repeat([]string{"bestmove none"}, 1+strings.Count(waiting, "go "))
			want[0] = "bestmove a2"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if n := engine.searches.Load(); n != 1 {
				t.Errorf("the engine has searched %d times, want once", n)
			}
		})
	}
}

// TestNoOverlap checks that the engine's methods are called one at a time.
func TestNoOverlap(t *testing.T) {
	t.Parallel()
	engine := new(demo)
	serve(t, engine, strings.Repeat("go depth 3\ngo infinite\nstop\ngo movetime 1\neval\n", 50))
	s := newSession(t, engine)
	s.Say("go infinite")
	s.Hear() // a report: it searches
	s.Say("ugi", "help", "query version")
	s.end()
	if n := engine.overlaps.Load(); n != 0 {
		t.Errorf("%d calls during a search", n)
	}
}

// TestInterrupt checks that an interrupt stops the running job, even before it has begun.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"go infinite", "perft 50", "divide 50", "bench forever"} {
		for _, before := range []func(){func() {}, someWork} {
			server := NewServer(new(demo), nil, io.Discard)
			go func() {
				before()
				server.Interrupt()
			}()
			if err := server.RunCommand(strings.Fields(words)); err != nil {
				t.Errorf("%s: %v", words, err)
			}
		}
	}
}

// someWork takes milliseconds, and longer on a slow machine: enough for a job to begin.
func someWork() {
	start := position.Start(position.Standard)
	position.Perft(&start, 3, func() bool { return false })
}

// TestInterruptAfterInput checks that an interrupt also ends a job that runs after the end of
// input.
func TestInterruptAfterInput(t *testing.T) {
	t.Parallel()
	server := NewServer(new(demo), strings.NewReader("perft 50\n"), io.Discard)
	go func() {
		someWork()
		server.Interrupt()
	}()
	if err := server.Serve(); err != nil {
		t.Error(err)
	}
}

// TestStopOfCounting checks that isready and stop work during a count.
func TestStopOfCounting(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"perft 40", "divide 40", "bench forever"} {
		s := newSession(t, new(demo))
		s.Say(command)
		s.silent()
		s.Say("stop")
		s.Expect(fmt.Sprintf("info string %s stopped", strings.TrimSuffix(command, " forever")))
		s.silent()
		s.end()
	}
}

// TestTranscripts replays every session of testdata.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			replay(t, string(text))
		})
	}
}

// TestSpecification replays the sessions that PROTOCOL.md and the rules show.
func TestSpecification(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"../PROTOCOL.md", "../position/RULES.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		const fence = "```session\n"
		blocks := strings.Split(string(text), fence)[1:]
		if len(blocks) == 0 {
			t.Fatalf("%s shows no session", page)
		}
		for _, block := range blocks {
			session, _, closed := strings.Cut(block, "```")
			if !closed {
				t.Fatalf("a session in %s has no end", page)
			}
			title, _, _ := strings.Cut(session, "\n")
			// The page lists the options of Gyre, which a test of package engine compares.
			t.Run(title, func(t *testing.T) { replay(t, optionLines.ReplaceAllString(session, anyOptions+"\n")) })
		}
	}
}

// anyOptions stands in transcripts for the options of the engine, and anyHelp for the commands
// of the protocol in help.
const (
	anyOptions = "< option ..."
	anyHelp    = "< help ..."
)

// optionLines matches the list of options in a handshake.
var optionLines = regexp.MustCompile(`(?m)(^< option name .*\n)+`)

// TestSpecificationNamesAll checks that PROTOCOL.md mentions every command and the right
// version.
func TestSpecificationNamesAll(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		if !strings.Contains(string(text), "`"+f.word) {
			t.Errorf("PROTOCOL.md does not mention %s", f.word)
		}
	}
	if !strings.Contains(string(text), "Version "+Version) {
		t.Errorf("PROTOCOL.md is not about version %s", Version)
	}
}

// replay plays a transcript. Lines after "> " go to the engine. Lines after "< " must come from
// it in this order, and no others; anyOptions and anyHelp are lists. All other lines are
// comments. Times and speeds are not compared.
func replay(t *testing.T, transcript string) {
	t.Helper()
	s := newSession(t, new(demo))
	for line := range strings.Lines(transcript) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, ">"):
			s.Say(strings.TrimPrefix(line[1:], " "))
		case line == anyOptions:
			for _, o := range NewServer(new(demo), strings.NewReader(""), io.Discard).options {
				s.Expect(o.String())
			}
		case line == anyHelp:
			for _, f := range forms {
				if got := s.Hear(); !strings.HasPrefix(got, "  "+f.usage+" ") || !strings.HasSuffix(got, " "+f.about) {
					t.Errorf("help has %q for %s", got, f.word)
				}
			}
		case strings.HasPrefix(line, "<"):
			s.Expect(strings.TrimPrefix(line[1:], " "))
		}
	}
	if rest := s.end(); len(rest) > 0 {
		t.Errorf("unexpected lines: %q", rest)
	}
}

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

// FuzzServer feeds arbitrary bytes to a server, which must end and answer each search once, unless
// they are no text that it reads.
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
		first, _, _ := NewLineReader(bytes.NewReader(input)).Next()
		foreign := plaintext.Check(first)
		if err := NewServer(new(demo), bytes.NewReader(input), &out).Serve(); !cmp.Equal(err, foreign) {
			t.Fatalf("error %v, want %v", err, foreign)
		}
		if foreign != nil {
			return
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
	count := 40_000
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
			if command, _, _ := ParseCommand(line); command != nil && wordOf(command) == "go" {
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

// TestOddForms serves a command in the forms in which files come. A text in UTF-16 ends the server.
func TestOddForms(t *testing.T) {
	plaintexttest.Run(t, "isready\n", func(content string) (string, error) {
		var out bytes.Buffer
		err := NewServer(new(demo), strings.NewReader(content), &out).Serve()
		return out.String(), err
	})
}

// TestOddCommands sends lines that no client should send.
func TestOddCommands(t *testing.T) {
	protocoltest.OddCommands(t, func(in io.Reader, out io.Writer) error { return NewServer(new(demo), in, out).Serve() })
}

// slowFile is an engine with an option whose file comes when the test lets it. A path "bad" is rejected.
type slowFile struct {
	*demo
	come chan struct{}
	set  string
}

func (e *slowFile) Options() []Option {
	return []Option{File("File", "", func(path string) (func() error, error) {
		<-e.come
		if path == "bad" {
			return nil, errors.New("it is bad")
		}
		return func() error { e.set = path; return nil }, nil
	})}
}

// TestLoading sends commands while an option reads its file. Only quit ends that, isready waits for it, and everything
// else happens in order.
func TestLoading(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, input   string
		before, after string // what is printed until the file comes, and from then on
		set           string
		ended         bool // before the file comes
	}{
		{"a good file", "setoption name File value good\nisready\n", "", "readyok\n", "good", false},
		{"a bad file", "setoption name File value bad\nisready\n", "", "error readyok\n", "", false},
		{"two files", "setoption name File value good\nsetoption name File value bad\nisready\n", "", "error readyok\n", "good", false},
		{"isready twice", "isready\nsetoption name File value good\nisready\nisready\n", "readyok\n", "readyok\nreadyok\n", "good", false},
		{"stop", "setoption name File value good\nstop\nisready\n", "", "readyok\n", "good", false},
		{"a search stopped", "setoption name File value good\ngo infinite\nstop\nisready\n", "", "readyok bestmove\n", "good", false},
		{"quit", "setoption name File value good\nisready\nquit\n", "readyok\n", "", "", true},
		{"quit with two files", "setoption name File value good\nsetoption name File value bad\nquit\n", "", "", "", true},
		{"the end of the input", "setoption name File value good\n", "", "", "good", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &slowFile{demo: new(demo), come: make(chan struct{})}
				var out bytes.Buffer
				in, client := io.Pipe()
				ended := make(chan error, 1)
				go func() { ended <- NewServer(e, in, &out).Serve() }()
				go func() {
					_, _ = io.WriteString(client, test.input) // not all of it after quit
					if test.name == "the end of the input" {
						_ = client.Close()
					}
				}()
				synctest.Wait()
				if got := kinds(out.String()); got != kinds(test.before) || (len(ended) == 1) != test.ended {
					t.Errorf("before the file comes: %q, ended: %v", out.String(), len(ended) == 1)
				}
				out.Reset()
				close(e.come)
				synctest.Wait()
				if got := kinds(out.String()); got != kinds(test.after) || e.set != test.set {
					t.Errorf("after the file came: %q, and the option is %q", out.String(), e.set)
				}
				_ = client.Close()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// kinds returns the words of an output that say what each line is.
func kinds(output string) string {
	var all []string
	for word := range strings.FieldsSeq(output) {
		if word == "readyok" || word == "bestmove" || word == "error" {
			all = append(all, word)
		}
	}
	return strings.Join(all, " ")
}
