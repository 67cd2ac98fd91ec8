package session

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
)

var update = flag.Bool("update", false, "write the page's description of the messages anew")

// described is the page's description of the messages, by which its code is
// checked.
const described = "../../page/_types/messages.d.ts"

// asked are the requests with their answers.
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
}

// told are the events.
var told = map[string]any{
	"info": infoEvent{}, "best": bestEvent{}, "failed": failedEvent{}, "review": reviewEvent{}, "reviewed": reviewedEvent{},
	"worth": worthEvent{},
	"turn":  turnEvent{}, "played": playedEvent{}, "matched": matchedEvent{},
}

// TestMessagesAreDescribed holds the page's description of the messages to the
// values that the server reads and writes.
func TestMessagesAreDescribed(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(maps.Keys(handlers)), slices.Sorted(maps.Keys(asked))); diff != "" {
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
	text := "// The messages between page and server, as the server's Go has them. Made by\n" +
		"// go test ./cmd/gyre-board/internal/session -run MessagesAreDescribed -update\n\n" +
		"export type Side = \"w\" | \"b\";\n\n/** The requests, by what they do. */\nexport interface Requests {\n" + requests.String() +
		"}\n\n/** The events, by their names. */\nexport interface Events {\n" + events.String() + "}\n\n/** The reply to a request. */\n" +
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

// description makes a TypeScript interface of each struct.
type description struct {
	done map[string]string // the fields of interfaces by their names
}

// unions are the fields that have one of a few words, by their names.
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
	panic("no message holds a " + t.String())
}

// structure describes a struct and returns its name.
func (d description) structure(t reflect.Type) string {
	if t.NumField() == 0 {
		return "{}"
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if t == reflect.TypeFor[gametext.Game]() {
		name = "TextGame" // beside that of the rules
	}
	if _, ok := d.done[name]; ok {
		return name
	}
	d.done[name] = "" // it may hold itself
	d.done[name] = d.fields(t)
	return name
}

// fields describes the fields of a struct, those of embedded ones among them.
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
