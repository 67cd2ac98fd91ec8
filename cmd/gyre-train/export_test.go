package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"gyre/cmd/internal/commandline"
	"gyre/search/evaluation"
)

// TestExport converts weights to a model and back. Only their description changes.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	own := evaluation.DefaultEvaluator().Weights()
	own.About = "those of the program"
	writeWeights(t, in("own.weights"), own)
	do(t, "export", in("own.weights"), "-o", in("own.model"))
	if text := contents(t, dir, "own.model"); !strings.Contains(text, "\nabout them: those of the program\n") {
		t.Errorf("the model lacks the description of its weights:\n%.500s", text)
	}
	do(t, "export", in("own.model"), "-o", in("again.weights"), "-about", "made again")
	again, err := readModel(in("again.weights"))
	if err != nil {
		t.Fatal(err)
	}
	own.About = "made again"
	if !reflect.DeepEqual(own, again.weights) {
		t.Errorf("weights (-before +after):\n%s", cmp.Diff(own, again.weights))
	}
	origin := contents(t, dir, "again.weights.txt")
	for _, line := range []string{"again.weights: weights of the engine's evaluation", "about: made again", "about them: those of the program", "made of: weights own.weights, xxh3 "} {
		if !strings.Contains("\n"+origin, "\n"+line) {
			t.Errorf("the text about the weights lacks %q:\n%s", line, origin)
		}
	}
}

// TestExportRefuses exports files that are invalid.
func TestExportRefuses(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	writeWeights(t, in("weights"), evaluation.DefaultEvaluator().Weights())
	do(t, "export", in("weights"), "-o", in("model"))
	write := func(name, content string) {
		if err := os.WriteFile(in(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	weights, model := contents(t, dir, "weights"), contents(t, dir, "model")
	write("cut weights", weights[:1000])
	write("changed weights", weights[:1000]+"x"+weights[1001:])
	write("cut model", model[:1000])
	large := strings.Replace(model, "\nown tempo ", "\nown tempo 1000000", 1)
	write("changed model", large)
	large = large[:strings.LastIndex(large, "checksum ")]
	write("large model", large+fmt.Sprintf("checksum %016x\n", xxh3.HashString(large)))
	write("old model", strings.Replace(model, "gyre model 4\n", "gyre model 3\n", 1))
	write("old weights", weights[:8]+"\x03\x00"+weights[10:])
	write("text", "just text")
	for _, test := range []struct{ name, message string }{
		{"none", "open " + in("none") + ": no such file or directory"},
		{"text", in("text") + ": neither a model nor weights"},
		{"cut weights", in("cut weights") + ": weights: cut short: "},
		{"changed weights", in("changed weights") + ": weights: damaged: "},
		{"cut model", in("cut model") + ": damaged: "},
		{"changed model", in("changed model") + ": damaged: "},
		{"old model", in("old model") + ": model of another version "},
		{"old weights", in("old weights") + ": weights: made for another version: its format has version 3, and this program reads 5; rebuild it from its samples: gyre-train fit "},
		{"large model", in("large model") + ": rounding weights: own tempo: "},
	} {
		got := runArgs("export", in(test.name), "-o", in("out"))
		if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+test.message) {
			t.Errorf("%s: status %d, %q", test.name, got.Status, got.Stderr)
		}
		if left, _ := filepath.Glob(in("out*")); len(left) > 0 {
			t.Fatalf("%s: files left behind: %v", test.name, left)
		}
	}
	if got := runArgs("export", in("weights"), "-o", in("out"), "-about", "x"); got.Status != commandline.ExitUsage {
		t.Errorf("-about was accepted for a model: %+v", got)
	}
}
