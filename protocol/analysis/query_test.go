package analysis

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
)

// played parses turns and plays them from the start.
func played(t *testing.T, rules position.Rules, words ...string) (turns []position.Turn) {
	t.Helper()
	now := position.Start(rules)
	for _, word := range words {
		turn, err := now.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		child := now.After(turn)
		now, turns = child, append(turns, turn)
	}
	return turns
}

// TestParse parses valid lines.
func TestParse(t *testing.T) {
	start, blitz := position.Start(position.Standard), position.Start(position.Blitz)
	for line, want := range map[string]Request{
		`{"id":"a"}`: &Query{ID: "a", Start: start, At: []uint16{0}, Limits: protocol.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"turns":["F6","e5"],"id":"é\n","rules":"blitz"}`: &Query{
			ID: "é\n", Start: blitz, Turns: played(t, position.Blitz, "f6", "e5"), At: []uint16{2},
			Limits: protocol.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"id":"a","analyzeTurns":[2,0,2,0.0],"turns":["f6","e5"],"start":"4/7/8/9/10/9/10/9/8/7/4 w 0-0"}`: &Query{
			ID: "a", Start: start, Turns: played(t, position.Standard, "f6", "e5"), At: []uint16{0, 2},
			Limits: protocol.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"id":"a","maxTimeMs":1e3,"multiPV":64,"priority":-7,"reportDuringSearchEvery":0.25}`: &Query{
			ID: "a", Start: start, At: []uint16{0}, Limits: protocol.Limits{MoveTime: time.Second}, MultiPV: 64,
			Priority: -7, DuringEach: 250 * time.Millisecond},
		`{"id":"a","maxTimeMs":1000000000000,"maxNodes":9223372036854775807,"rules":null,"action":null,"turns":null}`: &Query{
			ID: "a", Start: start, At: []uint16{0}, Limits: protocol.Limits{MoveTime: 1e12 * time.Millisecond, Nodes: math.MaxInt64}, MultiPV: 1},
		`{"id":"","action":"terminate","terminateId":"b"}`: &Terminate{TerminateID: "b"},
		`{"action":"query_version","id":"a"}`:              &QueryVersion{ID: "a"},
	} {
		got, unknown, err := Parse(line)
		if err != nil || len(unknown) > 0 {
			t.Errorf("%s: %v, unknown %q", line, err, unknown)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(position.Position.Equal)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// TestUnknownFields checks which unknown fields are reported.
func TestUnknownFields(t *testing.T) {
	many := strings.Repeat(`"A":1,`, 2*MaxUnknown)
	for line, want := range map[string][]string{
		`{"id":"a","maxnodes":1,"turns":[],"":{"id":[1]}}`:               {"maxnodes", ""},
		`{"id":"a","action":"query_version","turns":[]}`:                 {"turns"},
		`{"id":"a","terminateId":"a"}`:                                   {"terminateId"},
		`{` + many + `"id":"a"}`:                                         strings.Split(strings.Repeat(",A", MaxUnknown)[1:], ","),
		`{"id":"a","action":"terminate","terminateId":"a","priority":1}`: {"priority"},
	} {
		if _, got, err := Parse(line); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
}

// TestRefusals checks the errors of invalid lines.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ line, field, reason string }{
		{`[{"id":"a"}]`, "", "not a JSON object: byte 1: an object begins with {"},
		{`{"id":"a"`, "", "not a JSON object: byte 10: neither a comma nor the end of the array or object"},
		{`{}`, "id", "missing"},
		{`{"id":null}`, "id", "missing"},
		{`{"id":["a"]}`, "id", `["a"]: not a string`},
		{`{"id":"a","id":"a"}`, "id", "given twice"},
		{`{"id":"a","rules":"chess"}`, "rules", `rules "chess": `},
		{`{"id":"a","rules":1}`, "rules", "1: not a string"},
		{`{"id":"a","start":"4/7/8 w 0-0"}`, "start", "board "},
		{`{"id":"a","start":"4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0","turns":["pass"]}`, "turns", `number 1: turn "pass": `},
		{`{"id":"a","turns":"f6"}`, "turns", `"f6": not an array`},
		{`{"id":"a","turns":["f6",["e5"]]}`, "turns", `number 2: ["e5"]: not a string`},
		{`{"id":"a","turns":["f6","z9"]}`, "turns", `number 2: turn "z9": `},
		{`{"id":"a","analyzeTurns":[1],"turns":[]}`, "analyzeTurns", "1: out of range 0 to 0"},
		{`{"id":"a","analyzeTurns":[-1]}`, "analyzeTurns", "-1: out of range 0 to 0"},
		{`{"id":"a","analyzeTurns":[]}`, "analyzeTurns", "the array is empty"},
		{`{"id":"a","analyzeTurns":[0.5]}`, "analyzeTurns", "0.5: not a whole number"},
		{`{"id":"a","maxNodes":0}`, "maxNodes", "0: out of range 1 to 9223372036854775807"},
		{`{"id":"a","maxNodes":9223372036854775808}`, "maxNodes", "9223372036854775808: out of range 1 to 9223372036854775807"},
		{`{"id":"a","maxNodes":1e30}`, "maxNodes", "1e30: out of range 1 to 9223372036854775807"},
		{`{"id":"a","maxNodes":1e-1}`, "maxNodes", "1e-1: not a whole number"},
		{`{"id":"a","maxTimeMs":"9"}`, "maxTimeMs", `"9": not a number`},
		{`{"id":"a","maxTimeMs":1e13}`, "maxTimeMs", "1e13: out of range 1 to 1000000000000"},
		{`{"id":"a","multiPV":65}`, "multiPV", "65: out of range 1 to 64"},
		{`{"id":"a","priority":true}`, "priority", "true: not a number"},
		{`{"id":"a","reportDuringSearchEvery":0}`, "reportDuringSearchEvery", "0: out of range 0.001 to 1000000"},
		{`{"id":"a","reportDuringSearchEvery":1e300}`, "reportDuringSearchEvery", "1e300: out of range 0.001 to 1000000"},
		{`{"id":"a","action":"clear_cache"}`, "action", `"clear_cache": neither terminate nor query_version`},
		{`{"id":"a","action":"terminate"}`, "terminateId", "missing"},
		{`{"id":"a","action":"terminate","terminateId":7}`, "terminateId", "7: not a string"},
		{`{"maxNodes":0,"id":"a","rules":"` + strings.Repeat("x", 100) + `"}`, "rules", `rules "` + strings.Repeat("x", 60) + `"...: `},
	} {
		_, _, err := Parse(c.line)
		fault, ok := errors.AsType[*Error](err)
		if !ok || fault.Field != c.field || !strings.HasPrefix(fault.Reason, c.reason) {
			t.Errorf("%s: %v, want %s: %s", c.line, err, c.field, c.reason)
			continue
		}
		if withID := c.field != "" && c.field != "id"; fault.HasID != withID || withID && fault.ID != "a" {
			t.Errorf("%s: the error has the id %q, %v", c.line, fault.ID, fault.HasID)
		}
	}
}

// FuzzParse checks that every line gives a request with valid positions, or an error that can
// be written.
func FuzzParse(f *testing.F) {
	for _, line := range append(hard,
		`{"id":"a","start":"4/7/8/9/10/9/10/9/8/7/4 w 0-0","rules":"blitz","turns":["f6"],"analyzeTurns":[0,1],"maxNodes":20000}`,
		`{"id":"a","maxTimeMs":100,"multiPV":3,"priority":-1,"reportDuringSearchEvery":0.5}`,
		`{"id":"a","action":"terminate","terminateId":"b"}`, `{"id":"a","action":"query_version"}`) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		request, _, err := Parse(line)
		if fault, ok := errors.AsType[*Error](err); ok {
			if answer := faultLine(fault, "", 1); !json.Valid(answer) || fault.Reason == "" {
				t.Errorf("%q: %s", line, answer)
			}
			return
		}
		q, ok := request.(*Query)
		if !ok {
			return
		}
		for i, turns := range q.At {
			p := q.positionAfter(int(turns))
			a := answer{id: q.ID, turns: int(turns), position: &p}
			if !json.Valid(a.line()) || i > 0 && q.At[i-1] >= turns {
				t.Errorf("%q: %v, %s", line, q.At, a.line())
			}
		}
		if len(q.At) == 0 || q.MultiPV < 1 || q.Limits.Nodes == 0 && q.Limits.MoveTime <= 0 {
			t.Errorf("%q: %+v", line, q)
		}
	})
}
