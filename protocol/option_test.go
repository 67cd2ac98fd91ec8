package protocol

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

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

// TestJoinedOptions checks that an option of both the engine and the server is listed once,
// and that both setters run.
func TestJoinedOptions(t *testing.T) {
	var told []bool
	engine := &withPonder{set: func(on bool) error {
		told = append(told, on)
		if len(told) > 1 {
			return errors.New("once is enough")
		}
		return nil
	}}
	server := NewServer(engine, nil, nil)
	if !server.ponder {
		t.Error("the engine's default does not count")
	}
	at := findOption(server.options, "Ponder")
	if len(server.options) != 2 || server.options[at].Default != "true" {
		t.Errorf("options %v", server.options)
	}
	if err := server.options[at].Set("false"); err != nil || server.ponder {
		t.Errorf("error %v, ponder %t", err, server.ponder)
	}
	if err := server.options[at].Set("true"); err == nil || server.ponder {
		t.Errorf("a refused value is taken")
	}
	if diff := cmp.Diff([]bool{false, true}, told); diff != "" {
		t.Error(diff)
	}
}

// withPonder is an engine with the option Ponder.
type withPonder struct {
	demo
	set func(bool) error
}

func (w *withPonder) Options() []Option { return []Option{Check("Ponder", true, w.set)} }

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
