package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/fit"
	"gyre/cmd/internal/commandline"
)

// learnableFiles generates sample files by the number of random turns, each once for all tests.
var learnableFiles = map[string]func() string{}

func init() {
	for _, turns := range []string{"8", "7"} {
		learnableFiles[turns] = sync.OnceValue(func() string {
			dir, err := os.MkdirTemp("", "gyre-train-test-*")
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(dir)
			path := filepath.Join(dir, "samples")
			if got := runArgs(quick(path, "-games", "120", "-random-turns", turns)...); got.Status != commandline.ExitSuccess {
				panic(got.Stderr)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				panic(err)
			}
			return string(text)
		})
	}
}

// learnable writes one or two sample files into a folder and returns their paths.
func learnable(t *testing.T, dir string, names ...string) (paths []string) {
	t.Helper()
	for i, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(learnableFiles[string(rune('8'-i))]()), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// fitWords returns the arguments of a short fit. It uses only scores, because the results of a few
// held-out games are too noisy.
func fitWords(samples []string, path string, more ...string) []string {
	words := append([]string{"fit"}, samples...)
	return append(append(words, "-o", path, "-epochs", "3", "-batch", "200", "-share", "0", "-scale", "100"), more...)
}

func TestFitCommandLines(t *testing.T) {
	all := fit.AllPatterns()
	for _, test := range []struct{ line, message, hint string }{
		{"fit", "fit: no sample files given", "gyre-train help fit"},
		{"fit x", "fit: no output file given; use -o MODEL", "gyre-train help fit"},
		{"fit x -o y -plot z.png", "fit: -plot z.png: plots are SVG, so the name must end in .svg", "gyre-train help fit"},
		{"fit x -o y -share 2", "fit: share 2: must be from 0 to 1", "gyre-train help fit"},
		{"fit x -o y -hold 1", "fit: hold 1: the share of held-out games must be between 0 and 1", "gyre-train help fit"},
		{"fit x -o y -keep 0", "fit: keep 0: the share of used positions must be above 0 and at most 1", "gyre-train help fit"},
		{"fit x -o y -progress loud", `fit: -progress "loud": give one of auto, bar, lines, none`, "gyre-train help fit"},
		{"fit x -o y -patterns five,none", `fit: -patterns: unknown pattern "none": use names from ` + all.String(), "gyre-train help fit"},
		{"fit x -o y.svg -plot ./y.svg", "fit: -o and -plot name the same file y.svg", "gyre-train help fit"},
		{"fit x -o y -from ./y", "fit: -o would overwrite -from ./y; use another name", "gyre-train help fit"},
		{"fit x -o y z", `fit: unexpected argument "z"`, "gyre-train help fit"},
		{"export", "export: no model or weights given", "gyre-train help export"},
		{"export x", "export: no output file given; use -o FILE", "gyre-train help export"},
		{"export x y -o z", `export: unexpected argument "y"`, "gyre-train help export"},
	} {
		want := outcome{commandline.ExitUsage, "", "gyre-train: " + test.message + "\nTry \"" + test.hint + "\".\n"}
		if diff := cmp.Diff(want, runArgs(strings.Fields(test.line)...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.line, diff)
		}
	}
}

// TestFit fits a model, again with other threads, and continues from it.
func TestFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	samples := learnable(t, dir, "first", "second")
	model := func(name string, more ...string) string {
		do(t, fitWords(samples, filepath.Join(dir, name), more...)...)
		return contents(t, dir, name)
	}
	want := model("one.model", "-threads", "1", "-plot", filepath.Join(dir, "one.svg"))
	if model("two.model", "-threads", "2") != want {
		t.Error("two threads made another model")
	}
	if model("three.model", "-seed", "2") == want {
		t.Error("another seed made the same model")
	}
	if !strings.Contains(contents(t, dir, "one.svg"), "<svg") {
		t.Error("the plot is not SVG")
	}
	for _, line := range []string{
		`flags: -apart 300 -batch 200 -epochs 3 -even 1000 .*-unit 100`,
		`samples 1: first, xxh3 [0-9a-f]{16}: 120 games, \d+ positions, white .*; nodes a turn: 40; .*`,
		`samples 2: second, xxh3 [0-9a-f]{16}: 120 games, .*`,
		`learned from: \d+ positions of \d+ games; held out: \d+ positions of \d+ games`,
		`fitted: epoch \d of 3, loss held out 0\.\d{6}; centipawns of the scores per logit: opening \d+\.\d, 0-0 .*, 2-2 .*, blitz \d+\.\d`,
	} {
		if !regexp.MustCompile("(?m)^" + line + "$").MatchString(want) {
			t.Errorf("the model lacks a line %s:\n%.1500s", line, want)
		}
	}
	on := do(t, fitWords(samples, filepath.Join(dir, "on.model"), "-from", filepath.Join(dir, "one.model"), "-rate", "1e-9")...)
	reached := regexp.MustCompile(`loss held out (0\.\d{6})`).FindStringSubmatch(want)[1]
	if !strings.Contains(on, "\n    0         -  "+reached) {
		t.Errorf("the fit from a model does not begin at %s:\n%s", reached, on)
	}
}

// TestFitDamaged fits a model to files of which one is damaged.
func TestFitDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	samples := learnable(t, dir, "file")
	content := []byte(contents(t, dir, "file"))
	content[len(content)/2] ^= 1
	if err := os.WriteFile(samples[0], content[:len(content)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "model")
	got := runArgs(fitWords(samples, path)...)
	if got.Status != commandline.ExitSuccess || strings.Count(got.Stderr, "file: damaged from byte ") != 2 {
		t.Errorf("outcome %+v", got)
	}
	if model := contents(t, dir, "model"); !strings.Contains(model, ": 118 games, ") || !strings.Contains(model, ", damaged in 2 places; ") {
		t.Errorf("the model does not mention the damage:\n%.1000s", model)
	}
}

// TestFitRefuses checks files that fit must reject.
func TestFitRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	samples := learnable(t, dir, "file")
	write := func(name, content string) {
		if err := os.WriteFile(in(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("copy", contents(t, dir, "file"))
	write("text", "just text")
	generated(t, dir, "game", "-games", "1")
	for _, test := range []struct {
		words   []string
		message string
	}{
		{fitWords([]string{in("none")}, in("model")), "open " + in("none") + ": no such file or directory"},
		{fitWords([]string{in("text")}, in("model")), in("text") + ": not a file of samples"},
		{fitWords([]string{samples[0], in("copy")}, in("model")), samples[0] + " and " + in("copy") + " were made by the same command and contain the same games"},
		{fitWords(samples, in("model"), "-from", in("text")), in("text") + ": neither a model nor weights"},
		{fitWords(samples, in("none/model")), "open " + in("none/model")},
		{fitWords(samples, in("model"), "-rate", "1e9"), "no epoch predicts better than a constant"},
	} {
		got := runArgs(test.words...)
		if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+test.message) {
			t.Errorf("%q: status %d, %q", test.message, got.Status, got.Stderr)
		}
		if _, err := os.Stat(in("model")); err == nil {
			t.Fatalf("%q: a model was written", test.message)
		}
	}
}

// TestFitShowsSomeEpochs runs a fit of many epochs that stops early. The output shows some of them,
// with the first and the last.
func TestFitShowsSomeEpochs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	samples := learnable(t, dir, "file")
	output := do(t, fitWords(samples, filepath.Join(dir, "model"), "-epochs", "100", "-batch", "100000", "-patience", "7", "-rate", "0.003")...)
	var shown []string
	for _, line := range regexp.MustCompile(`(?m)^ +(\d+) +[-0-9]`).FindAllStringSubmatch(output, -1) {
		shown = append(shown, line[1])
	}
	best := regexp.MustCompile(`model: epoch (\d+) of 100`).FindStringSubmatch(output)
	if best == nil {
		t.Fatalf("no result in %s", output)
	}
	number, _ := strconv.Atoi(best[1])
	last := number + 7 // the patience
	var want []string
	for n := 0; n < last; n += 5 {
		want = append(want, strconv.Itoa(n))
	}
	want = append(want, strconv.Itoa(last))
	if diff := cmp.Diff(want, shown); diff != "" || last >= 100 {
		t.Errorf("epochs shown (-want +got):\n%s\n%s", diff, output)
	}
}

// TestFitInterrupted interrupts a fit once it has saved a model.
func TestFitInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	learnable(t, dir, "file")
	s := start(t, dir, "fit", "file", "-o", "model", "-epochs", "1000000", "-patience", "1000000")
	s.untilGrown(t, filepath.Join(dir, "model"), 1)
	if err := s.Process.Signal(syscall.SIGINT); err != nil {
		t.Skip(err)
	}
	_ = s.Wait() // the exit status is checked below
	if s.ProcessState.ExitCode() != commandline.ExitInterrupted || s.stderr.String() != "gyre-train: interrupted\n" {
		t.Errorf("status %d, %q", s.ProcessState.ExitCode(), s.stderr.String())
	}
	if !regexp.MustCompile(`(?m)^model: epoch \d+ of 1000000, loss held out `).MatchString(s.stdout.String()) {
		t.Errorf("the model is not described: %.1000s", s.stdout.String())
	}
	if _, err := readModel(filepath.Join(dir, "model")); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "model.*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
