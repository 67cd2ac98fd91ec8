package protocol

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gyre/position"
	"gyre/search"
)

func TestParseCommand(t *testing.T) {
	cases := []struct {
		line    string
		want    Command
		skipped int
	}{
		{"", nil, 0},
		{" \t\r", nil, 0},
		{"nothing known here", nil, 3},
		{"ugi", Handshake{UGI}, 0},
		{"uci", Handshake{UCI}, 0},
		{"please isready now", IsReady{}, 2},
		{"\tstop\r", Stop{}, 0},
		{"setoption name Clear  Hash", SetOption{Name: "Clear Hash"}, 0},
		{"setoption name Book File value a  b", SetOption{Name: "Book File", Value: "a b", HasValue: true}, 0},
		{"setoption name Book File value", SetOption{Name: "Book File", HasValue: true}, 0},
		{"setoption the name Hash value 3", SetOption{Name: "Hash", Value: "3", HasValue: true}, 1},
		{"ucinewgame", NewGame{UCI}, 0},
		{"position startpos", SetPosition{}, 0},
		{"position startpos moves", SetPosition{}, 0},
		{"position startpos moves f6 g7", SetPosition{Turns: []string{"f6", "g7"}}, 0},
		{"position fen B w 0-0 moves f6", SetPosition{Board: []string{"B", "w", "0-0"}, Turns: []string{"f6"}}, 0},
		{"moves f6", PlayTurns{Turns: []string{"f6"}}, 0},
		{"go", Go{}, 0},
		{"go depth 5 quickly", Go{Limits: search.Limits{Depth: 5}}, 1},
		{"go depth 0 nodes 0 movestogo 0", Go{Limits: search.Limits{Depth: 1, Nodes: 1}}, 0},
		{"go p1time 1000 p2time -5 p1inc 10 p2inc 20 movestogo 3", Go{Limits: search.Limits{MovesToGo: 3,
			Clock: [2]search.Clock{{Left: time.Second, Increment: 10 * time.Millisecond}, {Left: 1, Increment: 20 * time.Millisecond}}}}, 0},
		{"go wtime 7 btime 8", Go{Dialect: UCI, Limits: search.Limits{
			Clock: [2]search.Clock{{Left: 7 * time.Millisecond}, {Left: 8 * time.Millisecond}}}}, 0},
		{"go ponder infinite searchmoves f6 g7 mate 3 movetime 0", Go{Turns: []string{"f6", "g7"},
			Limits: search.Limits{Ponder: true, Infinite: true, Mate: 3, MoveTime: 1}}, 0},
		{"query fen please", Query{"fen"}, 1},
		{"bench 1 2", Bench{Args: []string{"1", "2"}}, 0},
		{"perft 3", CountTurns{Depth: 3}, 0},
		{"divide 2", CountTurns{Depth: 2, Divide: true}, 0},
	}
	for _, c := range cases {
		got, skipped, err := ParseCommand(c.line)
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: %s", c.line, diff)
		}
		if skipped.Count != c.skipped {
			t.Errorf("%q: %d words skipped, want %d", c.line, skipped.Count, c.skipped)
		}
	}
}

// TestAdjustedNumbers checks that numbers of go out of range count as the nearest within, and
// that the user is informed.
func TestAdjustedNumbers(t *testing.T) {
	for _, c := range []struct {
		line, want string
		adjusted   []string
	}{
		{"go depth -1", "go depth 1", []string{`go: depth "-1" is out of range, taken as 0`}},
		{"go depth 99999999999999999999", "go depth 1000000", []string{`go: depth "99999999999999999999" is out of range, taken as 1000000`}},
		{"go nodes 9223372036854775808", "go nodes 9223372036854775807", nil},
		{"go p1time 1000000000001", "go p1time 1000000000000", []string{`go: p1time "1000000000001" is out of range, taken as 1000000000000`}},
		{"go mate -3 movetime -99999999999999999999", "go movetime 0 mate 1",
			[]string{`go: mate "-3" is out of range, taken as 1`, `go: movetime "-99999999999999999999" is out of range, taken as 0`}},
	} {
		command, skipped, err := ParseCommand(c.line)
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
			continue
		}
		if diff := cmp.Diff(c.want, command.(Go).String()); diff != "" {
			t.Errorf("%q: %s", c.line, diff)
		}
		if diff := cmp.Diff(c.adjusted, skipped.Adjusted); diff != "" {
			t.Errorf("%q: adjusted:\n%s", c.line, diff)
		}
	}
}

func TestRejectedCommands(t *testing.T) {
	cases := []struct{ line, want string }{
		{"setoption", "setoption: needs name N"},
		{"setoption Hash 4", `setoption: "Hash": needs name N`},
		{"setoption name", "setoption: the name is missing"},
		{"setoption name value 4", "setoption: the name is missing"},
		{"position", "position: needs startpos or fen"},
		{"position start", `position: "start": needs startpos or fen`},
		{"position startpos f6", `position: "f6": only moves can follow startpos`},
		{"position fen x w", `position: "x w": fen needs three fields, BOARD SIDE SCORE`},
		{"position fen x w 0-0 0 1", `position: "0": only moves can follow the three fields of fen`},
		{"go depth", `go: "depth": needs a number`},
		{"go depth infinite", `go: "infinite": depth is not a whole number`},
		{"go movetime 1.5", `go: "1.5": movetime is not a whole number`},
		{"go searchmoves depth 3", `go: "searchmoves": needs turns`},
		{"query", "query: use one of gameover, p1turn, result, moves, fen, version"},
		{"perft", "perft: needs a depth"},
		{"divide x", `divide: "x": depth is not a whole number`},
		{"perft \x01\xff" + strings.Repeat("y", 100), `perft: "\x01\xff` + strings.Repeat("y", 38) + `"...: depth is not a whole number`},
	}
	for _, c := range cases {
		for _, before := range []string{"", "please "} { // words before a command are skipped
			command, _, err := ParseCommand(before + c.line)
			var rejected *Error
			if !errors.As(err, &rejected) {
				t.Errorf("%q: error %v", before+c.line, err)
				continue
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("%q: %s", before+c.line, diff)
			}
			if command == nil || wordOf(command) != rejected.Command {
				t.Errorf("%q: rejected as %v", before+c.line, command)
			}
		}
	}
}

// TestSettle checks the engine's limits if some are missing.
func TestSettle(t *testing.T) {
	clock := search.Clock{Left: time.Second}
	cases := []struct {
		name      string
		in, want  search.Limits
		needsStop bool
	}{
		{"nothing", search.Limits{}, search.Limits{Infinite: true}, true},
		{"own clock", search.Limits{Clock: [2]search.Clock{clock}}, search.Limits{Clock: [2]search.Clock{clock}}, false},
		{"other clock", search.Limits{Clock: [2]search.Clock{position.Black: clock}}, search.Limits{Clock: [2]search.Clock{clock, clock}}, false},
		{"other clock and own increment", search.Limits{Clock: [2]search.Clock{{Increment: 2}, {Left: time.Second, Increment: 1}}},
			search.Limits{Clock: [2]search.Clock{{Left: time.Second, Increment: 2}, {Left: time.Second, Increment: 1}}}, false},
		{"increment", search.Limits{Clock: [2]search.Clock{{Increment: 1}}}, search.Limits{Infinite: true}, true},
		{"depth", search.Limits{Depth: 1}, search.Limits{Depth: 1}, false},
		{"ponder", search.Limits{Ponder: true, Mate: 2}, search.Limits{Ponder: true, Mate: 2}, true},
	}
	for _, c := range cases {
		got := settle(c.in, position.White)
		if c.name == "increment" {
			got.Clock = [2]search.Clock{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if needs := (Go{Limits: c.in}).needsStop(); needs != c.needsStop {
			t.Errorf("%s: needs stop: %t", c.name, needs)
		}
	}
}

// FuzzParseCommand checks that a command's text parses as the same command.
func FuzzParseCommand(f *testing.F) {
	for _, form := range forms {
		f.Add(form.usage)
	}
	f.Fuzz(func(t *testing.T, line string) {
		command, _, err := ParseCommand(line)
		if err != nil {
			if text := err.Error(); text != printable(text) {
				t.Errorf("an error that cannot be printed: %q", text)
			}
			return
		}
		if command == nil {
			return
		}
		text := command.String()
		again, skipped, err := ParseCommand(text)
		if err != nil || skipped.Count > 0 {
			t.Fatalf("%q reads back with %v and %v", text, err, skipped)
		}
		if diff := cmp.Diff(text, again.String()); diff != "" {
			t.Errorf("text: %s", diff)
		}
		if third, _, _ := ParseCommand(again.String()); cmp.Diff(again, third) != "" {
			t.Errorf("%q changes when read once more: %s", text, cmp.Diff(again, third))
		}
	})
}

// turnsOf parses turns from the start of a game.
func turnsOf(t *testing.T, text string) []position.Turn {
	t.Helper()
	p := position.Start(position.Standard)
	var turns []position.Turn
	for _, word := range strings.Fields(text) {
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
		p = p.After(turn)
	}
	return turns
}

func TestInfoLines(t *testing.T) {
	pv := turnsOf(t, "f6 g7")
	cases := []struct {
		info Info
		line string
	}{
		{Info{}, ""},
		{Info{Message: "hello\nthere"}, "info string hello?there"},
		{Info{Depth: 5, SelDepth: 9, MultiPV: 1, Score: Score{Value: 34}, HasScore: true, Nodes: 12345, NPS: 1000000,
			HashFull: 12, Time: 12 * time.Millisecond, PV: pv},
			"info depth 5 seldepth 9 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 12 time 12 pv f6 g7"},
		{Info{Depth: 1, Score: Score{Mate: true, Value: -4}, HasScore: true, Bound: search.Upper},
			"info depth 1 score mate -4 upperbound"},
		{Info{Depth: 1, Score: Score{}, HasScore: true, Bound: search.Lower, WDL: [3]int{300, 400, 300}, HasWDL: true},
			"info depth 1 score cp 0 lowerbound wdl 300 400 300"},
		{Info{Nodes: 500, NPS: 250000, Time: 2 * time.Millisecond}, "info nodes 500 nps 250000 time 2"},
	}
	root := position.Start(position.Standard)
	for _, c := range cases {
		if diff := cmp.Diff(c.line, c.info.String()); diff != "" {
			t.Errorf("writing: %s", diff)
		}
		if c.line == "" || c.info.Message != "" {
			continue
		}
		got, ok := ParseInfo(c.line, &root)
		if diff := cmp.Diff(c.info, got); !ok || diff != "" {
			t.Errorf("reading %q: %t %s", c.line, ok, diff)
		}
	}
	both := Info{Nodes: 7, Message: "done"}
	if diff := cmp.Diff("info nodes 7 time 0\ninfo string done", both.String()); diff != "" {
		t.Error(diff)
	}
	spent := Info{Nodes: 500, Time: 2 * time.Millisecond}
	if diff := cmp.Diff("info nodes 500 nps 250000 time 2", spent.String()); diff != "" {
		t.Error(diff)
	}
}

// TestLenientInfo checks lines that other engines write, but not Gyre.
func TestLenientInfo(t *testing.T) {
	root := position.Start(position.Standard)
	pv := turnsOf(t, "f6 g7")
	cases := []struct {
		line string
		want Info
	}{
		{"info", Info{}},
		{"info depth x nodes 5", Info{Nodes: 5, Unread: "depth"}},
		{"info depth -3 nodes 99999999999999999999 time 5", Info{Time: 5 * time.Millisecond, Unread: "depth"}},
		{"info currmove f6 currmovenumber 1 depth 2", Info{Depth: 2}},
		{"info pv f6 g7 g7 f1 depth 2", Info{Depth: 2, PV: pv, Illegal: "g7", Unread: "pv"}},
		{"info pv F6 G7 score cp 5 lowerbound", Info{PV: pv, Score: Score{Value: 5}, HasScore: true, Bound: search.Lower}},
		{"info score lowerbound", Info{}},
		{"info wdl 1 2", Info{Unread: "wdl"}},
		{"info string pv f6 depth 3", Info{Message: "pv f6 depth 3"}},
	}
	for _, c := range cases {
		got, ok := ParseInfo(c.line, &root)
		if diff := cmp.Diff(c.want, got); !ok || diff != "" {
			t.Errorf("%q: %t %s", c.line, ok, diff)
		}
	}
	for _, line := range []string{"", "bestmove f6", "information"} {
		if _, ok := ParseInfo(line, &root); ok {
			t.Errorf("%q is taken for an info line", line)
		}
	}
}

// FuzzParseInfo checks that a parsed line can be written and parsed again.
func FuzzParseInfo(f *testing.F) {
	f.Add("info depth 5 seldepth 9 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 12 time 12 pv f6 g7")
	f.Add("info depth 1 score mate -4 upperbound wdl 1 2 3 string hello")
	f.Fuzz(func(t *testing.T, line string) {
		root := position.Start(position.Standard)
		i, ok := ParseInfo(line, &root)
		if !ok {
			return
		}
		i.Illegal, i.Unread = "", "" // they are not written
		i.Message = ""               // it has its own line
		if i.NPS == 0 && i.Nodes > 0 {
			i.NPS = 1 // or the writer works one out
		}
		text := i.String()
		if text == "" {
			text = "info"
		}
		again, ok := ParseInfo(text, &root)
		if diff := cmp.Diff(i, again); !ok || diff != "" {
			t.Errorf("%q: %t %s", text, ok, diff)
		}
	})
}

// FuzzBestmove checks that any line gives the client either a legal turn or an error.
func FuzzBestmove(f *testing.F) {
	f.Add("bestmove f6")
	f.Add("bestmove f6 ponder g7")
	f.Add("bestmove")
	f.Add("bestmove none")
	f.Add("bestmove f6 ponder k")
	f.Fuzz(func(t *testing.T, line string) {
		s := &Running{client: &Client{warned: map[string]bool{}}, root: position.Start(position.Standard)}
		if !s.readLine(line, time.Now()) {
			return
		}
		answer, err := s.result()
		if (err == nil) != s.root.Legal(answer.Best) {
			t.Errorf("%q: %v with error %v", line, answer, err)
		}
		if answer.Word != printable(answer.Word) {
			t.Errorf("%q: unprintable %q", line, answer.Word)
		}
	})
}

// sameOption compares options without their setters.
var sameOption = cmpopts.IgnoreUnexported(Option{})

func TestOptionLines(t *testing.T) {
	lines := []string{
		"option name Hash type spin default 64 min 1 max 65536",
		"option name Skill Level type spin default -3 min -20 max 20",
		"option name Ponder type check default false",
		"option name Search type combo default alphabeta var alphabeta var mcts",
		"option name Style type combo default very solid var very solid var risky",
		"option name Clear Hash type button",
		"option name Book File type string default <empty>",
		"option name Book File type string default my best max book",
	}
	for _, line := range lines {
		o, err := ParseOption(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		if diff := cmp.Diff(line, o.String()); diff != "" {
			t.Error(diff)
		}
	}
	for _, line := range []string{"", "id name x", "option", "option name x", "option type spin", "option name x type what",
		"option name x type spin default 3 min b max 4", "option name x type spin default 3 min 5 max 4",
		"option name x type spin min 3 max 4", "option name x type check", "option color x"} {
		if o, err := ParseOption(line); err == nil {
			t.Errorf("%q is read as %v", line, o)
		}
	}
	for bound, want := range map[string]string{
		"1e9":                  `option: "1e9": x: max is not a whole number`,
		"":                     "option: x: max is not a whole number",
		"99999999999999999999": fmt.Sprintf(`option: "99999999999999999999": x: max is out of range %d to %d`, math.MinInt, math.MaxInt),
	} {
		_, err := ParseOption("option name x type spin default 3 max " + bound)
		if err == nil || err.Error() != want {
			t.Errorf("max %q: error %v, want %s", bound, err, want)
		}
	}
}

func TestSetOption(t *testing.T) {
	cases := []struct{ name, value, want string }{
		{"hash", "32", ""},
		{"Hash", "0", "out of range 1 to 65536"},
		{"Hash", "99999999999999999999", "out of range 1 to 65536"},
		{"Hash", "many", "not a whole number"},
		{"Hash", "", "not a whole number"},
		{"ShowWDL", "TRUE", ""},
		{"ShowWDL", "yes", "neither true nor false"},
		{"Search", "MCTS", ""},
		{"Search", "magic", "none of alphabeta, mcts"},
		{"Book File", "a book", ""},
		{"Book File", "missing", "cannot be opened"},
		{"Clear Hash", "", ""},
	}
	engine := &demo{withBook: true}
	options := engine.Options()
	for _, c := range cases {
		err := options[findOption(options, c.name)].Set(c.value)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s = %q: error %q, want %q", c.name, c.value, got, c.want)
		}
	}
	got := []any{engine.hash, engine.showWDL, engine.search, engine.book, engine.cleared}
	if diff := cmp.Diff([]any{32, true, "mcts", "a book", 1}, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzParseOption checks that an option's line parses as the same option.
func FuzzParseOption(f *testing.F) {
	f.Add("option name Hash type spin default 64 min 1 max 65536")
	f.Add("option name Search type combo default a b var a b var c")
	f.Add("option name Clear Hash type button")
	f.Add("option name File type string default x min 3")
	f.Fuzz(func(t *testing.T, line string) {
		o, err := ParseOption(line)
		if err != nil {
			return
		}
		again, err := ParseOption(o.String())
		if err != nil {
			t.Fatalf("%q: %v", o.String(), err)
		}
		if diff := cmp.Diff(o, again, sameOption, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		_, _ = o.Canonical(line)
	})
}
