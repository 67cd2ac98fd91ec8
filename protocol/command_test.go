package protocol

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
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
		{"go depth 5 quickly", Go{Limits: Limits{Depth: 5}}, 1},
		{"go depth 0 nodes 0 movestogo 0", Go{Limits: Limits{Depth: 1, Nodes: 1}}, 0},
		{"go p1time 1000 p2time -5 p1inc 10 p2inc 20 movestogo 3", Go{Limits: Limits{MovesToGo: 3,
			Clock: [2]Clock{{Set: true, Left: time.Second, Increment: 10 * time.Millisecond}, {Set: true, Increment: 20 * time.Millisecond}}}}, 0},
		{"go wtime 7 btime 8", Go{Dialect: UCI, Limits: Limits{
			Clock: [2]Clock{{Set: true, Left: 7 * time.Millisecond}, {Set: true, Left: 8 * time.Millisecond}}}}, 0},
		{"go ponder infinite searchmoves f6 g7 mate 3 movetime 0", Go{Turns: []string{"f6", "g7"},
			Limits: Limits{Ponder: true, Infinite: true, Mate: 3, MoveTime: 1}}, 0},
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

func TestRefusedCommands(t *testing.T) {
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
		{"query", "query: needs a word: gameover, p1turn, result, moves, fen or version"},
		{"perft", "perft: needs a depth"},
		{"divide x", `divide: "x": depth is not a whole number`},
		{"perft \x00\xff" + strings.Repeat("y", 100), `perft: "\x00\xff` + strings.Repeat("y", 38) + `"...: depth is not a whole number`},
	}
	for _, c := range cases {
		command, _, err := ParseCommand(c.line)
		var refused *Error
		if !errors.As(err, &refused) {
			t.Errorf("%q: error %v", c.line, err)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%q: %s", c.line, diff)
		}
		if command == nil || command.word() != refused.Command {
			t.Errorf("%q: refused as %v", c.line, command)
		}
	}
}

// TestSettle checks the engine's limits if some are missing.
func TestSettle(t *testing.T) {
	clock := Clock{Set: true, Left: time.Second}
	cases := []struct {
		name      string
		in, want  Limits
		openEnded bool
	}{
		{"nothing", Limits{}, Limits{Infinite: true}, true},
		{"own clock", Limits{Clock: [2]Clock{clock}}, Limits{Clock: [2]Clock{clock}}, false},
		{"other clock", Limits{Clock: [2]Clock{position.Black: clock}}, Limits{Clock: [2]Clock{clock, clock}}, false},
		{"increment", Limits{Clock: [2]Clock{{Increment: 1}}}, Limits{Infinite: true}, true},
		{"depth", Limits{Depth: 1}, Limits{Depth: 1}, false},
		{"ponder", Limits{Ponder: true, Mate: 2}, Limits{Ponder: true, Mate: 2}, true},
	}
	for _, c := range cases {
		got := c.in.settle(position.White)
		if c.name == "increment" {
			got.Clock = [2]Clock{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if open := (Go{Limits: c.in}).openEnded(); open != c.openEnded {
			t.Errorf("%s: open-ended %t", c.name, open)
		}
	}
}

// FuzzParseCommand checks that a command's text parses as the same command.
func FuzzParseCommand(f *testing.F) {
	for _, form := range forms() {
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
