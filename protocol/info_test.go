package protocol

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

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
		{Info{Depth: 1, Score: Score{Mate: true, Value: -4}, HasScore: true, Bound: UpperBound},
			"info depth 1 score mate -4 upperbound"},
		{Info{Depth: 1, Score: Score{}, HasScore: true, Bound: LowerBound, WDL: [3]int{300, 400, 300}, HasWDL: true},
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
		{"info depth x nodes 5", Info{Nodes: 5}},
		{"info depth -3 nodes 99999999999999999999 time 5", Info{Time: 5 * time.Millisecond}},
		{"info currmove f6 currmovenumber 1 depth 2", Info{Depth: 2}},
		{"info pv f6 g7 g7 f1 depth 2", Info{Depth: 2, PV: pv, Illegal: "g7"}},
		{"info pv F6 G7 score cp 5 lowerbound", Info{PV: pv, Score: Score{Value: 5}, HasScore: true, Bound: LowerBound}},
		{"info score lowerbound", Info{}},
		{"info wdl 1 2", Info{}},
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
		i.Illegal = "" // it is not written
		i.Message = "" // its line is one of its own
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
	f.Fuzz(func(t *testing.T, line string) {
		s := &clientSearch{client: new(Client), root: position.Start(position.Standard)}
		if !s.take(line, time.Now()) {
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
