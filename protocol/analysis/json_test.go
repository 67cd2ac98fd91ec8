package analysis

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// maxNested is the deepest nesting that encoding/json accepts.
const maxNested = 10_000

// hard holds valid and invalid texts that are easy to misread.
var hard = []string{
	`{}`, ` { "a" : [ 1 , { } , [ ] ] } `, `{"a":null,"b":true,"c":false}`, `{"a":-0.5e+3,"b":0,"c":1E-2}`,
	`{"\u0061\n":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, `{"a":"\ud800","b":"\ude00\ud83d","c":"\ud83dx"}`,
	"{\"a\":\"é\xff\xc3\"}", `{"a":1,"a":2}`, "{\"a\":\"\u2028\"}", "{\"\x7f\":\"\x00\"}", "\ufeff{}", "{\"a\":1}\x00",
	``, `{`, `}`, `[]`, `5`, `"a"`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,"a":1}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1}}`, `{"a":1} x`,
	`{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":[1}`, `{"a":{"b":1]}`, `{"a":01}`, `{"a":-}`, `{"a":1.}`, `{"a":.5}`,
	`{"a":1e}`, `{"a":+1}`, `{"a":0x1}`, `{"a":nul}`, `{"a":nulls}`, `{"a":True}`, `{"a":NaN}`, `{"a":"\x"}`, `{"a":"\u12g4"}`,
	`{"a":"\u12"}`, `{"a":"`, `{"a":"\`, `{"a":"\"}`, "{\"a\":\"\n\"}", `{'a':1}`, `{"a":1/**/}`,
	`{"a":` + strings.Repeat("[", maxNested-1) + strings.Repeat("]", maxNested-1) + `}`,
	`{"a":` + strings.Repeat("[", maxNested) + strings.Repeat("]", maxNested) + `}`,
	`{"a":` + strings.Repeat(`{"b":`, 2*maxNested),
}

// FuzzFields compares the parsing of lines with encoding/json: whether they are objects, and
// the names and values of their fields.
func FuzzFields(f *testing.F) {
	for _, text := range hard {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want map[string]json.RawMessage
		wrong := json.Unmarshal([]byte(text), &want)
		if wrong == nil && want == nil {
			return // null
		}
		fields, err := fieldsOf(text)
		if (err != nil) != (wrong != nil) {
			t.Fatalf("%q: %v, and encoding/json says %v", text, err, wrong)
		}
		if err != nil {
			return
		}
		got := map[string]json.RawMessage{}
		for _, f := range fields {
			got[f.name] = json.RawMessage(f.value)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// FuzzDecimal compares the parsing of numbers with math/big.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{
		"0", "-0", "1e5", "2.0", "2.5", "-2.5", "0.05e1", "0.5e1", "12e-1", "120e-1", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "1e19", "-1e300", "1e-300", "0e999999999999", "1E+2", "0.1", "100.00e-2", "1e99999999999999999999",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || strings.TrimSpace(text) != text || len(text) > 100 {
			return
		}
		got, exact, fits, err := decimal(text, 0)
		if err != nil {
			if strings.ContainsAny(text[:1], "-0123456789") {
				t.Errorf("%s: %v", text, err)
			}
			return
		}
		if _, exponent, _ := strings.Cut(strings.ToLower(text), "e"); len(exponent) > 4 {
			return // too large for math/big
		}
		want, _ := new(big.Rat).SetString(text)
		whole := new(big.Int).Quo(want.Num(), want.Denom())
		if fits != whole.IsInt64() {
			t.Errorf("%s fits in an int64: %v", text, fits)
		}
		for _, bound := range []int64{math.MaxInt64, math.MinInt64} {
			if whole.Cmp(big.NewInt(bound)) == big.NewInt(bound).Sign() {
				whole.SetInt64(bound)
			}
		}
		if got != whole.Int64() || exact != want.IsInt() {
			t.Errorf("%s is %d, exactly %v, and for math/big %v", text, got, exact, want)
		}
	})
}

// TestChancesOnEveryArchitecture checks that no share of the points is so close to a rounding
// boundary that the last bit of math.Exp could change the result.
func TestChancesOnEveryArchitecture(t *testing.T) {
	const most = 30_000 // centipawns, more than any evaluation has
	for cp := -most; cp <= most; cp++ {
		x := chanceParts * share(cp)
		if distance := math.Abs(x - math.Floor(x) - 0.5); distance < 1e-9 {
			t.Errorf("%d cp: %v of %d parts", cp, x, chanceParts)
		}
		if sum := chance(protocol.Score{Value: cp}) + chance(protocol.Score{Value: -cp}); math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d cp: the chances of both sides are %v", cp, sum)
		}
	}
}

// TestResults checks the answers for finished games, from the view of either side.
func TestResults(t *testing.T) {
	type root struct {
		CP, Mate *int
		Chance   float64
		Proven   bool
	}
	for text, want := range map[string]struct {
		word   string
		chance float64
	}{
		"4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 b 3-0": {"mate", 0},
		"4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0": {"mate", 1},
		"4/7/8/9/10/9/10/9/2BB4/2WWWWW/4 w 0-3": {"mate", 0},
		drawn:                                   {"cp", 0.5},
	} {
		p, err := position.Parse(text, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Root root }
		a := answer{id: "a", position: &p}
		if err := json.Unmarshal(a.line(), &got); err != nil {
			t.Fatal(err)
		}
		score := got.Root.Mate
		if want.word == "cp" {
			score = got.Root.CP
		}
		if score == nil || *score != 0 || got.Root.Chance != want.chance || !got.Root.Proven {
			t.Errorf("%s: %s", text, a.line())
		}
	}
}

// drawn is a drawn game: the pool is empty.
const drawn = "b1bb/wb2wbB/2wwbbww/3wwb1b1/1w1wb2wWw/1wbbwwBb1/b2WbbbB1b/1bw1bw1wb/bBWWw2w/bbbwWbw/wBbb b 0-0"

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
		`{"id":"a"}`: &Query{ID: "a", Start: start, At: []uint16{0}, Limits: search.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"turns":["F6","e5"],"id":"é\n","rules":"blitz"}`: &Query{
			ID: "é\n", Start: blitz, Turns: played(t, position.Blitz, "f6", "e5"), At: []uint16{2},
			Limits: search.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"id":"a","analyzeTurns":[2,0,2,0.0],"turns":["f6","e5"],"start":"4/7/8/9/10/9/10/9/8/7/4 w 0-0"}`: &Query{
			ID: "a", Start: start, Turns: played(t, position.Standard, "f6", "e5"), At: []uint16{0, 2},
			Limits: search.Limits{Nodes: DefaultNodes}, MultiPV: 1},
		`{"id":"a","maxTimeMs":1e3,"multiPV":64,"priority":-7,"reportDuringSearchEvery":0.25}`: &Query{
			ID: "a", Start: start, At: []uint16{0}, Limits: search.Limits{MoveTime: time.Second}, MultiPV: 64,
			Priority: -7, DuringEach: 250 * time.Millisecond},
		`{"id":"a","maxTimeMs":1000000000000,"maxNodes":9223372036854775807,"rules":null,"action":null,"turns":null}`: &Query{
			ID: "a", Start: start, At: []uint16{0}, Limits: search.Limits{MoveTime: 1e12 * time.Millisecond, Nodes: math.MaxInt64}, MultiPV: 1},
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

// TestRejections checks the errors of invalid lines.
func TestRejections(t *testing.T) {
	for _, c := range []struct{ line, field, reason string }{
		{`[{"id":"a"}]`, "", "not a JSON object: byte 1: an object begins with {"},
		{`{"id":"a"`, "", "not a JSON object: byte 9: "},
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
		{`{"id":"a","action":"clear_cache"}`, "action", `"clear_cache": must be terminate, terminate_all or query_version`},
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
