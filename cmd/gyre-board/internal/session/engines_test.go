package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
)

// recorder is an engine that records commands.
type recorder struct{ heard []string }

func (*recorder) ID() (name, author, version string) { return "Recorder", "Nobody", "1" }

func (r *recorder) Options() []protocol.Option {
	note := func(name string) func(int) error {
		return func(n int) error { r.heard = append(r.heard, fmt.Sprint(name, " ", n)); return nil }
	}
	return []protocol.Option{
		protocol.Combo("Rules", "standard", []string{"standard", "blitz"}, func(rules string) error {
			r.heard = append(r.heard, rules)
			return nil
		}),
		protocol.Spin("Hash", 16, 1, 64, note("Hash")),
		protocol.Check("UCI_LimitStrength", false, func(on bool) error {
			r.heard = append(r.heard, fmt.Sprint("UCI_LimitStrength ", on))
			return nil
		}),
		protocol.Spin("UCI_Elo", 3000, 0, 3000, note("UCI_Elo")),
		protocol.Spin("MultiPV", 1, 1, 64, note("MultiPV")),
	}
}

func (r *recorder) NewGame() { r.heard = append(r.heard, "new game") }

func (*recorder) Search(_ context.Context, root position.Position, _ protocol.Limits, _ <-chan struct{}, _ func(protocol.Info)) (best, ponder position.Turn) {
	return root.Turns(nil)[0], position.None
}

func (*recorder) Evaluate(*position.Position) string { return "" }

func (*recorder) Bench(context.Context, []string, io.Writer) error { return nil }

// TestSettings changes settings from task to task. The engine receives only changes, and options
// that are no longer set return to their defaults.
func TestSettings(t *testing.T) {
	r := &recorder{}
	client, err := protocol.Local(func() protocol.Engine { return r }).Start(protocol.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Quit() }()
	beginner, err := findLevel(&levels[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(value string) map[string]optionValue { return map[string]optionValue{"hash": optionValue(value)} }
	var told settings
	for _, step := range []struct {
		name  string
		want  settings
		heard []string
	}{
		{"the first game", newSettings(position.Standard, "a", nil, 1, fullStrength), []string{"standard", "UCI_LimitStrength false", "MultiPV 1", "new game"}},
		{"the same again", newSettings(position.Standard, "a", nil, 1, fullStrength), nil},
		{"an analysis", newSettings(position.Standard, "a", hash("32"), 3, fullStrength), []string{"Hash 32", "MultiPV 3"}},
		{"a level", newSettings(position.Standard, "a", nil, 1, beginner), []string{"Hash 16", "UCI_LimitStrength true", "UCI_Elo 200", "MultiPV 1"}},
		{"another game", newSettings(position.Blitz, "b", nil, 1, beginner), []string{"blitz", "new game"}},
	} {
		r.heard = nil
		if err := told.apply(client, step.want); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if err := client.Ready(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.heard, r.heard); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	if err := told.apply(client, newSettings(position.Blitz, "b", hash("9999"), 1, beginner)); err == nil {
		t.Error("a value out of range is accepted")
	}
	if err := told.apply(client, newSettings(position.Blitz, "b", hash("1\nquit"), 1, beginner)); err == nil {
		t.Error("a value of two lines is accepted")
	}
	if !limitsStrength(client) {
		t.Error("the options that limit strength are not found")
	}
}

// TestRejectedOptions sets options that do not exist, or that a page may not set.
func TestRejectedOptions(t *testing.T) {
	listed := []protocol.Option{
		protocol.Spin("Hash", 16, 1, 64, nil), protocol.Text("LogFile", "", nil), protocol.Button("Clear Hash", nil),
	}
	for _, test := range []struct{ name, refused string }{
		{"hash", ""},
		{"uci_elo", ""},
		{"logfile", "only the engine's command line can set it"},
		{"clear hash", "is a button"},
		{"speed", `no option "speed"`},
	} {
		err := checkOptions(listed, map[string]string{test.name: "1"})
		if ok := err == nil; ok != (test.refused == "") || !ok && !strings.Contains(err.Error(), test.refused) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
