package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gyre/cmd/gyre-board/internal/session"
)

// TestAWholeGame has two levels play blitz to the end, as the page does: a turn,
// and then all about the game.
func TestAWholeGame(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	turns := []string{}
	for search := 1; search < 200; search++ {
		words, err := json.Marshal(turns)
		if err != nil {
			t.Fatal(err)
		}
		path := fmt.Sprintf(`"path":{"rules":"blitz","start":"startpos","turns":%s}`, words)
		var game struct {
			Next struct {
				View   struct{ Over bool }
				Prompt string
			}
			Turns []struct{ Words string }
		}
		if err := json.Unmarshal(p.order(`"do":"game",`+path).OK, &game); err != nil {
			t.Fatal(err)
		}
		if len(game.Turns) != len(turns) || game.Next.Prompt == "" {
			t.Fatalf("after %q: %+v", turns, game)
		}
		if game.Next.View.Over {
			if last := game.Turns[len(turns)-1].Words; !strings.HasSuffix(last, game.Next.Prompt) {
				t.Errorf("the last turn is told as %q, and the end as %q", last, game.Next.Prompt)
			}
			return
		}
		level := []string{"Beginner", "Casual"}[search%2]
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"Gyre","game":"g",%s,"limits":{"clock":{"white":60000,"black":60000,"inc":0}},"level":%q,"options":{"Hash":1}`, search, path, level))
		var turn string
		if end := p.end(search); json.Unmarshal(end.Turn, &turn) != nil || turn == "" {
			t.Fatalf("search %d ended with %s", search, end.text)
		}
		turns = append(turns, turn)
	}
	t.Error("the game does not end")
}

// TestThreat searches for what the other side would do.
func TestThreat(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const path = `"path":{"start":"W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0"}`
	p.order(`"do":"threat","search":1,"engine":"Gyre",` + path + `,"limits":{"nodes":500}`)
	if end := p.end(1); end.Event != "best" || !strings.Contains(string(end.Turn), "-") {
		t.Errorf("it ended with %s", end.text)
	}
	for _, info := range p.events("info", 1) {
		if info.Side != "b" {
			t.Errorf("the scores are of %q: %s", info.Side, info.text)
		}
	}
}

// TestOptions sets an engine's options from the page, and is told of them.
func TestOptions(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	if m := p.order(`"do":"hello"`); !strings.Contains(string(m.OK), `{"name":"Gyre","options":null}`) {
		t.Errorf("before it was started: %s", m.text)
	}
	if m := p.order(`"do":"engine","engine":"Gyre"`); !strings.Contains(string(m.OK), `"name":"Hash","type":"spin"`) || !strings.Contains(string(m.OK), `"author":"the Gyre authors"`) {
		t.Errorf("it says of itself %s", m.text)
	}
	if m := p.order(`"do":"hello"`); !strings.Contains(string(m.OK), `"name":"Hash","type":"spin"`) {
		t.Errorf("after it was started: %s", m.text)
	}
	for search, test := range []struct{ options, event, reason string }{
		{`{"Hash":1,"Search":"mcts"}`, "best", ""},
		{`{"Hash":0}`, "failed", "out of range"},
		{`{"Program":"sh"}`, "failed", `no option "program"`},
		{`{"Search":"alphabeta\r\nquit"}`, "failed", "Search"},
		{`{}`, "best", ""},
	} {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"Gyre",%s,"limits":{"nodes":50},"options":%s`, search+1, start, test.options))
		if end := p.end(search + 1); end.Event != test.event || !strings.Contains(end.Reason, test.reason) || end.Lost {
			t.Errorf("%s: it ended with %s", test.options, end.text)
		}
	}
}
