package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
)

// judged is the pair of a match that testdata/result.json is a true result of, and that.
func judged(t testing.TB) (*Executor, *unit, *resultMessage) {
	t.Helper()
	text, err := os.ReadFile("testdata/result.json")
	if err != nil {
		t.Fatal(err)
	}
	result, err := parseResult(text, "attic")
	if err != nil {
		t.Fatal(err)
	}
	m := &match.Match{ID: "test", Schedule: match.RoundRobin(2, 1), Openings: randomOpenings{},
		Conditions: game.Conditions{Adjudication: game.Adjudication{MaxTurns: 30}}}
	for i, program := range result.Games[0].Programs {
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint("good", i), Program: program, Limits: game.Limits{Nodes: 1}})
	}
	if err := m.CheckEngines(context.Background()); err != nil { // it starts none
		t.Fatal(err)
	}
	opening, err := m.Openings.Opening(0)
	if err != nil {
		t.Fatal(err)
	}
	u := &unit{}
	for number := range result.Games {
		u.jobs = append(u.jobs, match.Job{Game: m.Schedule.Game(number), Opening: opening})
	}
	crew := &Executor{match: m}
	if err := crew.verify(u, result); err != nil {
		t.Fatal(err)
	}
	return crew, u, result
}

// TestResultShown lets a worker report an engine's fault with control characters for a terminal:
// only those are removed. A result with a game that is null is rejected.
func TestResultShown(t *testing.T) {
	crew, u, result := judged(t)
	lost := result.Games[0]
	lost.Turns, lost.Result, lost.Reason, lost.Score = lost.Turns[:1], "white", game.Disconnect, "3-0"
	lost.Detail = "it died\x1b[2J\n" + strings.Repeat("!", 2*maxDetail)
	parse := func() (*resultMessage, error) {
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return parseResult(text, result.Worker)
	}
	read, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	if err := crew.verify(u, read); err != nil {
		t.Error(err)
	}
	if detail := read.Games[0].Detail; !strings.HasPrefix(detail, "it died?[2J !!!") || len(detail) != maxDetail {
		t.Errorf("%d bytes are told: %.40q", len(detail), detail)
	}
	result.Games[1] = nil
	if _, err := parse(); err == nil {
		t.Error("a result with a game that is null was read")
	}
}

// FuzzNext parses any text as a request. A request that was parsed does not change when it is
// written and parsed again.
func FuzzNext(f *testing.F) {
	text, err := (&nextMessage{Version: wire.Version, Unit: 7, Attempt: 2, Next: true, result: []byte(`{"version":7}`)}).text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"type":"io.nats.jetstream.api.v1.account_info_response"}`))
	f.Add([]byte(`{"version":7,"unit":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseNext(text)
		if err != nil {
			return
		}
		again, err := m.text()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseNext(again); err != nil || cmp.Diff(m, got, cmp.AllowUnexported(nextMessage{}), cmpopts.EquateEmpty()) != "" {
			t.Errorf("%+v became %+v, %v", m, got, err)
		}
	})
}

// FuzzResult verifies any text as the result of a job: it is accepted or rejected, and an accepted
// one is printable.
func FuzzResult(f *testing.F) {
	crew, u, result := judged(f)
	text, err := json.Marshal(result)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":7,"worker":"attic","games":[null,null]}`))
	f.Add([]byte(`{"version":7,"worker":"attic","refused":"no\u001b place","system":"\n"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseResult(text, "attic")
		if err != nil || r.Refused == "" && crew.verify(u, r) != nil {
			return
		}
		told := r.Refused + r.System
		for _, line := range r.Games {
			told += line.Detail
		}
		if strings.ContainsFunc(told, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("it tells %q", told)
		}
	})
}
