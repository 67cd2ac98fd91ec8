package engine

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
	"gyre/search/evaluation"
)

// option returns an option of the engine.
func option(t *testing.T, e *Engine, name string) protocol.Option {
	t.Helper()
	for _, o := range e.Options() {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("no option %s", name)
	return protocol.Option{}
}

// small returns an engine with little memory, which is soon cleared.
func small(t *testing.T) *Engine {
	t.Helper()
	e := New()
	if err := option(t, e, "Hash").Set("1"); err != nil {
		t.Fatal(err)
	}
	return e
}

// weightsFile writes a file of the program's weights that count being to move so
// much, and returns its path.
func weightsFile(t *testing.T, tempo int16) string {
	t.Helper()
	w := evaluation.DefaultEvaluator().Weights()
	for s := range w.Sets {
		w.Sets[s].Tempo = tempo
	}
	w.About = "a test"
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "with a blank.weights")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tempoOf returns how much the engine counts being to move: its evaluation of
// the start of a game.
func tempoOf(e *Engine) int {
	start := position.Start(position.Standard)
	return e.evaluator.Evaluate(&start)
}

// TestEvalFile loads weights and goes back to those of the program.
func TestEvalFile(t *testing.T) {
	e := small(t)
	own := tempoOf(e)
	o := option(t, e, "EvalFile")
	if err := o.Set(weightsFile(t, 77)); err != nil {
		t.Fatal(err)
	}
	if got := tempoOf(e); got != 77 {
		t.Errorf("being to move counts %d, want 77", got)
	}
	if err := o.Set("<empty>"); err != nil {
		t.Fatal(err)
	}
	if got := tempoOf(e); got != own {
		t.Errorf("being to move counts %d, want %d as before", got, own)
	}
}

// TestEvalFileRefused checks that a file that cannot be used is refused with
// the reason, and that the weights from before stay.
func TestEvalFileRefused(t *testing.T) {
	e := small(t)
	o := option(t, e, "EvalFile")
	if err := o.Set(weightsFile(t, 77)); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(weightsFile(t, 78))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for _, c := range []struct{ path, says string }{
		{filepath.Join(dir, "missing"), "no such file"},
		{dir, "not a regular file"},
		{write("empty", nil), "empty"},
		{write("foreign", []byte("hello, world")), "not a file of weights"},
		{write("short", good[:len(good)-10]), "cut short"},
		{write("long", append(bytes.Clone(good), 0)), "goes on"},
		{write("flipped", flipped), "checksum"},
		{write("old", slices.Concat(good[:8], []byte{2, 0}, good[10:])), "make it anew from its samples: gyre-train fit"},
	} {
		if err := o.Set(c.path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", filepath.Base(c.path), err, c.says)
		}
		if got := tempoOf(e); got != 77 {
			t.Fatalf("%s: being to move counts %d, want 77 as before", filepath.Base(c.path), got)
		}
	}
}

// TestEvalFileForgets checks that what was found with other weights is
// forgotten: a search after the change finds what one of a fresh engine does.
func TestEvalFileForgets(t *testing.T) {
	path := weightsFile(t, 300)
	root, err := position.Parse("ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 0-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	last := func(e *Engine, nodes uint64) (last protocol.Info) {
		e.Search(context.Background(), root, protocol.Limits{Nodes: nodes, HasNodes: true}, nil, func(i protocol.Info) { last = i })
		last.Time = 0
		return last
	}
	for method, nodes := range map[string]uint64{bench.AlphaBeta: 3000, bench.MCTS: 100} {
		fresh, used := small(t), small(t)
		for _, e := range []*Engine{fresh, used} {
			if err := option(t, e, "Search").Set(method); err != nil {
				t.Fatal(err)
			}
		}
		before := last(used, nodes)
		for _, e := range []*Engine{fresh, used} {
			if err := option(t, e, "EvalFile").Set(path); err != nil {
				t.Fatal(err)
			}
		}
		want, got := last(fresh, nodes), last(used, nodes)
		if got.String() != want.String() {
			t.Errorf("%s: %q, and a fresh engine %q", method, got.String(), want.String())
		}
		if got.String() == before.String() {
			t.Errorf("%s: other weights change nothing: %q", method, got.String())
		}
	}
}

// TestEvalFileStays checks that weights stay when the searcher changes.
func TestEvalFileStays(t *testing.T) {
	path := weightsFile(t, 300)
	start := position.Start(position.Standard)
	score := func(e *Engine) (score int) {
		e.Search(context.Background(), start, protocol.Limits{Nodes: 200, HasNodes: true}, nil,
			func(i protocol.Info) { score = i.Score.Value })
		return score
	}
	switched, direct := small(t), small(t)
	for _, set := range []struct {
		e           *Engine
		name, value string
	}{
		{switched, "EvalFile", path}, {switched, "Search", bench.MCTS},
		{direct, "Search", bench.MCTS}, {direct, "EvalFile", path},
	} {
		if err := option(t, set.e, set.name).Set(set.value); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := score(switched), score(direct); got != want {
		t.Errorf("score %d, want %d", got, want)
	}
}
