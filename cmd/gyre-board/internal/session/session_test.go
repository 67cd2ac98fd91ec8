package session

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/protocol"

	"github.com/google/go-cmp/cmp"
)

// script is a page that sends its messages, receives the replies and disconnects.
type script struct {
	says    []string
	replies []string
	replied chan struct{}
}

func (c *script) Read(ctx context.Context) ([]byte, error) {
	if len(c.says) == 0 {
		return nil, io.EOF
	}
	message := c.says[0]
	c.says = c.says[1:]
	return []byte(message), nil
}

func (c *script) Write(_ context.Context, message []byte) error {
	c.replies = append(c.replies, string(message))
	c.replied <- struct{}{}
	return nil
}

// answers returns the replies of a session without engines.
func answers(t testing.TB, messages ...string) []string {
	t.Helper()
	c := &script{says: messages, replied: make(chan struct{}, len(messages))}
	pause := &pausing{script: c, wanted: len(messages)}
	NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), pause)
	return c.replies
}

// pausing stays connected until all replies have arrived.
type pausing struct {
	*script
	wanted int
}

func (c *pausing) Read(ctx context.Context) ([]byte, error) {
	message, err := c.script.Read(ctx)
	if errors.Is(err, io.EOF) {
		for range c.wanted {
			<-c.replied
		}
	}
	return message, err
}

// TestReplies checks the replies to requests that need no engine.
func TestReplies(t *testing.T) {
	for _, test := range []struct{ request, reply string }{
		{`x`, `{"error":{"message":"not a request: invalid character 'x' looking for beginning of value","where":""}}`},
		{`{"id":1}`, `{"id":1,"error":{"message":"unknown request \"\"","where":""}}`},
		{`{"id":2,"do":"fly"}`, `{"id":2,"error":{"message":"unknown request \"fly\"","where":""}}`},
		{`{"id":3,"do":"steps","path":7}`, `{"id":3,"error":{"message":"steps: json: cannot unmarshal number into Go struct field`},
		{`{"id":4,"do":"steps","path":{"turns":["f6","f6"]}}`, `{"id":4,"error":{"message":"turn \"f6\": f6 is not vacant","where":"turn 2"}}`},
		{`{"id":5,"do":"read","text":"f6"}`, `{"id":5,"ok":{"kind":"turns","games":[{"path":{"rules":"standard","start":"startpos","turns":["f6"]},"tags":[],"comments":{},"result":"*"}]}}`},
		{`{"id":6,"do":"write","path":{"turns":["f6"]},"comments":{"1":"so"}}`, `{"id":6,"ok":{"text":"[Result \"*\"]\n[Rules \"standard\"]\n\n1.f6 {so} *\n\n"}}`},
		{`{"id":7,"do":"stop","search":9}`, `{"id":7,"ok":{}}`},
		{`{"id":8,"do":"think","engine":"sh -c x","limits":{"nodes":1}}`, `{"id":8,"error":{"message":"unknown engine \"sh -c x\"","where":""}}`},
		{`{"id":9,"do":"restart","engine":""}`, `{"id":9,"error":{"message":"unknown engine \"\"","where":""}}`},
		{`{"id":10,"do":"think","level":"Genius"}`, `{"id":10,"error":{"message":"unknown level \"Genius\"","where":""}}`},
		{`{"id":11,"do":"think","multipv":17}`, `{"id":11,"error":{"message":"multipv 17 is not between 1 and 16","where":""}}`},
		{`{"id":12,"do":"think","limits":{"depth":-1}}`, `{"id":12,"error":{"message":"limits: depth -1 is not between 1 and 1000","where":""}}`},
		{`{"id":13,"do":"think","path":{"start":"W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2"}}`, `{"id":13,"error":{"message":"the game is over","where":""}}`},
		{`{"id":14,"do":"threat","path":{}}`, `{"id":14,"error":{"message":"nothing is threatened while rings are placed","where":""}}`},
		{`{"id":15,"do":"review","path":{"turns":["f6"]}}`, `{"id":15,"error":{"message":"nodes 0 is not between 1 and 1000000000000","where":""}}`},
		{`{"id":16,"do":"review","nodes":5}`, `{"id":16,"error":{"message":"there are no turns to review","where":""}}`},
		{`{"id":17,"do":"think","options":{"Hash":[1]}}`, `{"id":17,"error":{"message":"think: an option's value must be a string, a number, true or false","where":""}}`},
		{`{"id":18,"do":"why","better":"f6"}`, `{"id":18,"error":{"message":"there is no turn","where":"path"}}`},
		{`{"id":19,"do":"why","path":{"turns":["f6"]},"better":"f66"}`, `{"id":19,"error":{"message":"turn \"f66\":`},
		{`{"id":20,"do":"why","path":{"start":"W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0","turns":["a2-a3"]},"better":"f3-f2;xf3-f7xa2"}`, `{"id":20,"ok":{"against":[{"kind":"misses-row","side":"w","turn":"f3-f2;xf3-f7xa2","left":1}],"for":[{"kind":"takes-rows","side":"w","rows":[["f3","f7"]]}`},
		{`{"id":21,"do":"match","rules":"chess"}`, `{"id":21,"error":{"message":"rules \"chess\"`},
		{`{"id":22,"do":"match","games":3,"limits":{"nodes":1}}`, `{"id":22,"error":{"message":"games 3 is not an even number between 2 and 2000","where":""}}`},
		{`{"id":23,"do":"match","games":2,"results":"wwd"}`, `{"id":23,"error":{"message":"results has 3 games, but the match only 2","where":""}}`},
		{`{"id":24,"do":"match","games":2,"limits":{"infinite":true}}`, `{"id":24,"error":{"message":"limits: a match needs nodes, a depth or a time for each turn","where":""}}`},
		{`{"id":25,"do":"match","games":2,"players":[{"engine":"sh"}]}`, `{"id":25,"error":{"message":"unknown engine \"sh\"","where":""}}`},
		{`{"id":26,"do":"standing","results":"wl"}`, `{"id":26,"ok":{"wins":1,"draws":0,"losses":1,"pairs":[0,0,1,0,0],"elo":null`},
	} {
		if got := answers(t, test.request); len(got) != 1 || !strings.HasPrefix(got[0], test.reply) {
			t.Errorf("%s is answered\n%s\nwant\n%s", test.request, got, test.reply)
		}
	}
}

// TestHello checks the list of engines, levels and limits.
func TestHello(t *testing.T) {
	hub := NewHub("1.0", []Engine{{Name: "A"}, {Name: "B"}}, DefaultBounds, DefaultPatience)
	hub.learn("B", []protocol.Option{protocol.Spin("Hash", 16, 1, 64, nil)})
	s := &session{hub: hub}
	got, err := hello(s, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	want := []engineView{{Name: "A"}, {Name: "B", Options: []optionView{{Name: "Hash", Type: "spin", Default: "16", Min: 1, Max: 64, Choices: []string{}}}}}
	if diff := cmp.Diff(want, got.Engines); diff != "" {
		t.Errorf("engines (-want +got):\n%s", diff)
	}
	if len(got.Levels) != len(levels) || got.Limits != DefaultBounds || got.Version != "1.0" {
		t.Errorf("%+v", got)
	}
}

// TestThrottle merges reports. The latest report of each line wins, and values that it does not
// contain stay.
func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent [][]infoLine
		var message string
		reports := newThrottle(func(lines []infoLine, said string) { sent, message = append(sent, lines), said })
		reports.take(protocol.Info{MultiPV: 2, Depth: 3, HasScore: true, Score: protocol.Score{Value: 5}})
		reports.take(protocol.Info{MultiPV: 1, Depth: 3, HasScore: true, Score: protocol.Score{Mate: true, Value: -4}, Bound: protocol.UpperBound})
		reports.take(protocol.Info{Message: "hm"})
		for nodes := range 1000 {
			reports.take(protocol.Info{Nodes: uint64(nodes)})
		}
		reports.finish()
		five, mate := 5, -4
		want := []infoLine{
			{MultiPV: 1, Depth: 3, Score: &scoreView{Mate: &mate}, Bound: "upper", Nodes: 999, PV: []string{}},
			{MultiPV: 2, Depth: 3, Score: &scoreView{CP: &five}, PV: []string{}},
		}
		if diff := cmp.Diff(want, sent[len(sent)-1]); diff != "" || message != "hm" {
			t.Errorf("the last lines, and %q (-want +got):\n%s", message, diff)
		}
		if len(sent) > 3 {
			t.Errorf("%d events, want at most 3", len(sent))
		}
	})
}

// FuzzRequest checks that every message gets one reply, which is JSON.
func FuzzRequest(f *testing.F) {
	for _, message := range []string{
		`{"id":1,"do":"hello"}`,
		`{"id":1,"do":"game","path":{"rules":"blitz","start":"startpos","turns":["f6"]}}`,
		`{"id":1,"do":"steps","path":{},"prefix":[{"do":"place","to":"f6"}]}`,
		`{"id":1,"do":"steps","path":{"start":"W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"},"prefix":[{"do":"row","row":["f3","f7"]}]}`,
		`{"id":1,"do":"read","text":"(;SU[Yinsh];P0[1 place wr e 5])"}`,
		`{"id":1,"do":"write","path":{"turns":["f6"]},"tags":[["White","x"]],"comments":{"1":"x"},"result":"3-0"}`,
		`{"id":1,"do":"think","search":1,"engine":"x","limits":{"clock":{"white":1,"black":2,"inc":3}},"level":"Club","options":{"Hash":1}}`,
		`{"id":1,"do":"stop","search":1}`,
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got := answers(t, message)
		if len(got) != 1 || !json.Valid([]byte(got[0])) {
			t.Errorf("%q is answered %q", message, got)
		}
	})
}

// TestRepliesAreInOrder sends many requests at once.
func TestRepliesAreInOrder(t *testing.T) {
	messages := slices.Repeat([]string{`{"id":1,"do":"game"}`, `{"id":2,"do":"hello"}`}, 100)
	for i, reply := range answers(t, messages...) {
		if want := `{"id":` + string('1'+rune(i%2)) + `,"ok":`; !strings.HasPrefix(reply, want) {
			t.Fatalf("reply %d is %.100s", i, reply)
		}
	}
}

var update = flag.Bool("update", false, "update the TypeScript types of the messages")

// described contains the types of the messages for the page's code.
const described = "../../page/_types/messages.d.ts"

// asked are the requests and their answers.
var asked = map[string][2]any{
	"hello": {struct{}{}, greeting{}},
	"game":  {pathQuestion{}, referee.Game{}},
	"steps": {stepsQuestion{}, referee.Steps{}},
	"read":  {textQuestion{}, gametext.Text{}},
	"why":   {turnQuestion{}, turnAnswer{}},
	"write": {textOrder{}, textAnswer{}},
	"setup": {referee.Setting{}, referee.SetUp{}},

	"openings": {pathQuestion{}, openingsAnswer{}},
	"think":    {thinkOrder{}, nothing{}},
	"threat":   {thinkOrder{}, nothing{}},
	"review":   {reviewOrder{}, nothing{}},
	"worth":    {worthOrder{}, nothing{}},
	"match":    {matchOrder{}, nothing{}},
	"standing": {standingQuestion{}, standing{}},
	"stop":     {stopOrder{}, nothing{}},
	"engine":   {engineOrder{}, engineAnswer{}},
	"restart":  {engineOrder{}, engineAnswer{}},

	"host":    {hostOrder{}, rooms.Keys{}},
	"enter":   {enterOrder{}, rooms.State{}},
	"leave":   {roomOrder{}, nothing{}},
	"play":    {playOrder{}, nothing{}},
	"resign":  {roomOrder{}, nothing{}},
	"rematch": {roomOrder{}, nothing{}},
}

// told are the events.
var told = map[string]any{
	"info": infoEvent{}, "best": bestEvent{}, "failed": failedEvent{}, "review": reviewEvent{}, "reviewed": reviewedEvent{},
	"worth": worthEvent{}, "room": roomEvent{},
	"turn": turnEvent{}, "played": playedEvent{}, "matched": matchedEvent{},
}

// TestMessagesAreDescribed checks that the TypeScript types match the Go types.
func TestMessagesAreDescribed(t *testing.T) {
	handled := maps.Clone(handlers)
	maps.Copy(handled, roomHandlers(nil))
	if diff := cmp.Diff(slices.Sorted(maps.Keys(handled)), slices.Sorted(maps.Keys(asked))); diff != "" {
		t.Errorf("requests (-handled +described):\n%s", diff)
	}
	d := description{done: map[string]string{}}
	var requests, events strings.Builder
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		fmt.Fprintf(&requests, "  %s: { question: %s; answer: %s };\n", name, d.kind(reflect.TypeOf(asked[name][0])), d.kind(reflect.TypeOf(asked[name][1])))
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		fmt.Fprintf(&events, "  %s: %s;\n", name, d.kind(reflect.TypeOf(told[name])))
	}
	reply := d.kind(reflect.TypeFor[refusal]())
	text := "// The messages between page and server. Generated from the server's Go types by\n" +
		"// go test ./cmd/gyre-board/internal/session -run MessagesAreDescribed -update\n\n" +
		"export type Side = \"w\" | \"b\";\n\n/** The requests by name. */\nexport interface Requests {\n" + requests.String() +
		"}\n\n/** The events by name. */\nexport interface Events {\n" + events.String() + "}\n\n/** The reply to a request. */\n" +
		"export type Reply = { id: number; ok?: unknown; error?: " + reply + " };\n"
	for _, name := range slices.Sorted(maps.Keys(d.done)) {
		text += "\nexport interface " + name + " {\n" + d.done[name] + "}\n"
	}
	if *update {
		if err := os.WriteFile(described, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(described)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), text); diff != "" {
		t.Errorf("run it with -update (-described +is):\n%s", diff)
	}
}

// description generates a TypeScript interface for each struct.
type description struct {
	done map[string]string // the fields of interfaces by name
}

// unions are the types of fields with a fixed set of words, by field name.
var unions = map[string]string{
	"side":  "Side",
	"rules": `"standard" | "blitz"`,
	"label": `"" | "inaccuracy" | "mistake" | "blunder"`,
	"bound": `"" | "lower" | "upper"`,
}

// kind returns the TypeScript type of a Go type.
func (d description) kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return "number"
	case t == reflect.TypeFor[optionValue]():
		return "string | number | boolean"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.kind(t.Elem()) + " | null"
	case reflect.Slice:
		return d.kind(t.Elem()) + "[]"
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(d.kind(t.Elem())+", ", t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + d.kind(t.Elem()) + ">"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct:
		return d.structure(t)
	}
	if t.ConvertibleTo(reflect.TypeFor[float64]()) {
		return "number"
	}
	panic("unexpected type " + t.String())
}

// structure describes a struct and returns its name.
func (d description) structure(t reflect.Type) string {
	if t.NumField() == 0 {
		return "{}"
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if t == reflect.TypeFor[gametext.Game]() {
		name = "TextGame" // referee.Game is Game
	}
	if _, ok := d.done[name]; ok {
		return name
	}
	d.done[name] = "" // the struct may contain itself
	d.done[name] = d.fields(t)
	return name
}

// fields describes the fields of a struct, including those of embedded structs.
func (d description) fields(t reflect.Type) string {
	var text strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		tag, ok := field.Tag.Lookup("json")
		if field.Anonymous && !ok {
			text.WriteString(d.fields(field.Type))
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !ok || name == "-" {
			continue
		}
		kind, union := unions[name]
		if !union || field.Type.Kind() != reflect.String {
			kind = d.kind(field.Type)
		}
		if options == "omitempty" {
			name, kind = name+"?", strings.TrimSuffix(kind, " | null")
		}
		fmt.Fprintf(&text, "  %s: %s;\n", name, kind)
	}
	return text.String()
}
