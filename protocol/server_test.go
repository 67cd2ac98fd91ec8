package protocol

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// serve feeds a whole input to a server and returns its lines, times aside.
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
	got := bestmoves(serve(t, new(demo), "position startpos\ngo depth 4"))
	if diff := cmp.Diff([]string{"bestmove a2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEndOfInputStopsOpenSearches(t *testing.T) {
	for _, command := range []string{"go", "go infinite", "go ponder p1time 1000", "go ponder", "go infinite depth 2"} {
		got := bestmoves(serve(t, new(demo), command+"\nposition startpos moves f6 f7\n"+command+"\n"))
		if diff := cmp.Diff([]string{"bestmove a2", "bestmove a2"}, got); diff != "" {
			t.Errorf("%s: %s", command, diff)
		}
	}
}

// TestFinishedGame checks that a game that is over has no turn to tell, and
// that even then an infinite search holds its answer.
func TestFinishedGame(t *testing.T) {
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

// TestEngineWithoutTurn checks that an engine that gives no legal turn is
// answered for.
func TestEngineWithoutTurn(t *testing.T) {
	got := serve(t, &demo{ignore: true}, "go depth 1\n")
	if diff := cmp.Diff([]string{"bestmove a2"}, bestmoves(got)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(got[0], "info string error go: ") {
		t.Errorf("no error before the answer: %q", got)
	}
}

// TestLongLines checks lines of ten megabytes: with and without an end, with
// many words, and of a search, which is answered.
func TestLongLines(t *testing.T) {
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

// TestEndlessLine checks that a line without end holds neither memory nor stop.
func TestEndlessLine(t *testing.T) {
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
		t.Errorf("heard %q", got)
	}
	s.Say("stop")
	s.Expect("bestmove a2")
	s.end()
}

// TestDamagedPositions checks that whatever is wrong with a position, the one
// before it stays.
func TestDamagedPositions(t *testing.T) {
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

// TestRules checks what becomes of the position when the rules change.
func TestRules(t *testing.T) {
	s := newSession(t, new(demo))
	s.Say("position fen 4/7/8/9/10/9/10/9/2WWWWB/2BBBB1/4 b 1-0")
	if got := s.Hear(); !strings.HasPrefix(got, "info string error position: ") {
		t.Fatalf("heard %q", got)
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
	s.Expect("info string the position cannot be under blitz rules; back to the start", "response 4/7/8/9/10/9/10/9/8/7/4 w 0-0")
	s.end()
}

// TestWriteError checks that a client that hangs up ends the server.
func TestWriteError(t *testing.T) {
	hungUp := errors.New("hung up")
	answers, out := io.Pipe()
	answers.CloseWithError(hungUp)
	in, _ := io.Pipe()
	first := io.MultiReader(strings.NewReader("go infinite\nisready\n"), in)
	if err := NewServer(new(demo), first, out).Serve(); !errors.Is(err, hungUp) {
		t.Errorf("serving ended with %v", err)
	}
}

// TestReadError checks that an error of the input is told.
func TestReadError(t *testing.T) {
	torn := errors.New("torn")
	in, feed := io.Pipe()
	feed.CloseWithError(torn)
	if err := NewServer(new(demo), in, io.Discard).Serve(); !errors.Is(err, torn) {
		t.Errorf("serving ended with %v", err)
	}
}

// TestRunCommand checks single commands and what is told of wrong ones.
func TestRunCommand(t *testing.T) {
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
		{"nonsense", "info string skipped unknown word \"nonsense\"\ninfo string error line: \"nonsense\": no command in it\n", true},
	}
	for _, c := range cases {
		var out bytes.Buffer
		err := NewServer(new(demo), nil, &out).RunCommand(strings.Fields(c.words))
		if diff := cmp.Diff(c.want, timeless(out.String())); diff != "" || (err != nil) != c.fails {
			t.Errorf("%s: error %v, %s", c.words, err, diff)
		}
	}
}

// TestDivide checks that the counts of the first turns add up, and stand before
// the total.
func TestDivide(t *testing.T) {
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
