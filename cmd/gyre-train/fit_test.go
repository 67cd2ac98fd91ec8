package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"gyre/cmd/internal/commandline"
	"gyre/search/evaluation"
)

// learnableGames is the number of games of each file to learn from.
const learnableGames = 60

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
			if got := runArgs(quick(path, "-games", strconv.Itoa(learnableGames), "-random-turns", turns)...); got.Status != commandline.ExitSuccess {
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

// fitWords returns the arguments of a short fit of one pattern. It uses only scores, because the
// results of a few held-out games are too noisy.
func fitWords(samples []string, path string, more ...string) []string {
	words := append([]string{"fit"}, samples...)
	return append(append(words, "-o", path, "-patterns", "five", "-epochs", "3", "-batch", "200", "-share", "0", "-scale", "100"), more...)
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
	if !strings.Contains(contents(t, dir, "one.svg"), "<svg") {
		t.Error("the plot is not SVG")
	}
	for _, line := range []string{
		`flags: -apart 300 -batch 200 -epochs 3 -even 1000 .*-unit 100`,
		`samples 1: first, xxh3 [0-9a-f]{16}: 60 games, \d+ positions, white .*; nodes a turn: 12; .*`,
		`samples 2: second, xxh3 [0-9a-f]{16}: 60 games, .*`,
		`learned from: \d+ positions of \d+ games; held out: \d+ positions of \d+ games`,
		`fitted: epoch \d of 3, loss held out 0\.\d{6}; centipawns of the scores per logit: opening \d+\.\d, 0-0 .*, 2-2 .*, blitz \d+\.\d`,
	} {
		if !regexp.MustCompile("(?m)^" + line + "$").MatchString(want) {
			t.Errorf("the model lacks a line %s:\n%.1500s", line, want)
		}
	}
	words := append([]string{"fit"}, samples...)
	do(t, append(words, "-o", filepath.Join(dir, "net.model"), "-from", filepath.Join(dir, "one.model"), "-net", "2",
		"-epochs", "3", "-batch", "200", "-share", "0", "-scale", "100")...)
	net := contents(t, dir, "net.model")
	if !regexp.MustCompile(`(?m)^net readout 0-0 own \S+ \S+$`).MatchString(net) || !strings.Contains(net, "-net 2 ") {
		t.Errorf("the model has no net of two units:\n%.1500s", net)
	}
	do(t, "export", filepath.Join(dir, "net.model"), "-o", filepath.Join(dir, "net.weights"))
	on := do(t, fitWords(samples, filepath.Join(dir, "on.model"), "-from", filepath.Join(dir, "one.model"), "-rate", "1e-9")...)
	// The text of a model holds rounded weights, so the last digit may differ.
	reached := number(t, `loss held out (0\.\d{6})`, want)
	if begun := number(t, `\n    0         -  (0\.\d{6})`, on); math.Abs(begun-reached) > 5e-6 {
		t.Errorf("the fit from a model begins at %f, not at %f", begun, reached)
	}
}

// number returns the number that the group of a pattern matches in a text.
func number(t *testing.T, pattern, text string) float64 {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("nothing matches %s in\n%s", pattern, text)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
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
	if model := contents(t, dir, "model"); !strings.Contains(model, ": 58 games, ") || !strings.Contains(model, ", damaged in 2 places; ") {
		t.Errorf("the model does not mention the damage:\n%.1000s", model)
	}
}

// TestFitRejects checks files that fit must reject.
func TestFitRejects(t *testing.T) {
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
		{fitWords([]string{in("none")}, in("model")), in("none") + ": no such file or directory; check the name"},
		{fitWords([]string{in("text")}, in("model")), in("text") + ": not a file of samples"},
		{fitWords([]string{samples[0], in("copy")}, in("model")), samples[0] + " and " + in("copy") + " were made by the same command and contain the same games"},
		{fitWords(samples, in("model"), "-from", in("text")), in("text") + ": neither a model nor weights"},
		{fitWords(samples, in("none/model")), in("none/model")},
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

// TestMiniature runs the whole pipeline on a small scale, in two generations: games of the engine, a
// fit and an export, and the same again with games of the new weights. In other games, the engine's
// evaluation with the last weights then favors the side that the search favors. With -stress the test
// runs five seeds, which agree in 73% to 77% of the positions.
func TestMiniature(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	const (
		games = 60
		least = 0.65 // share of the positions; 0.5 is chance
	)
	seeds := []string{"5"}
	if *stress {
		seeds = []string{"1", "2", "3", "4", "5"}
	}
	for _, seed := range seeds {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		generate := func(samples, seed string, more ...string) {
			do(t, append([]string{"generate", "-o", in(samples), "-games", strconv.Itoa(games), "-nodes", "50", "-placing-nodes", "12",
				"-hash", "1", "-seed", seed}, more...)...)
		}
		generate("first.gyre", seed)
		do(t, "fit", in("first.gyre"), "-o", in("first.model"), "-epochs", "5", "-batch", "100", "-rate", "0.005", "-share", "0", "-scale", "200", "-hold", "0.2")
		do(t, "export", in("first.model"), "-o", in("first.weights"))

		generate("second.gyre", seed, "-evalfile", in("first.weights"))
		if counts := do(t, "inspect", in("first.gyre"), in("second.gyre")); !strings.Contains(counts, strconv.Itoa(2*games)) {
			t.Errorf("inspect does not count %d games:\n%s", 2*games, counts)
		}
		do(t, "fit", in("second.gyre"), "-o", in("second.model"), "-plot", in("second.svg"), "-epochs", "5", "-batch", "100", "-rate", "0.005", "-share", "0", "-scale", "200", "-hold", "0.2")
		do(t, "export", in("second.model"), "-o", in("second.weights"))

		fitted, err := readModel(in("second.weights"))
		if err != nil {
			t.Fatal(err)
		}
		generate("other.gyre", "99")
		share, positions := agreement(t, evaluation.NewEvaluator(fitted.weights), in("other.gyre"))
		t.Logf("seed %s: the weights agree with searches in %.1f%% of %d positions", seed, 100*share, positions)
		if share < least {
			t.Errorf("seed %s: the weights agree with searches in only %.1f%% of %d positions", seed, 100*share, positions)
		}
	}
}

// agreement returns the share of the positions of a file of samples, after the rings are placed, in
// which the evaluation favors the same side as the search, which prefers one clearly.
func agreement(t *testing.T, e *evaluation.Evaluator, path string) (share float64, positions int) {
	t.Helper()
	for _, g := range gamesOf(t, path) {
		for i := range g.Samples {
			s := &g.Samples[i]
			if s.Position.Placing() || s.Score > -50 && s.Score < 50 {
				continue
			}
			positions++
			switch score := int(s.Score) * e.Evaluate(&s.Position); {
			case score > 0:
				share++
			case score == 0:
				share += 0.5
			}
		}
	}
	return share / float64(positions), positions
}

// do runs a command line that must succeed and returns its output.
func do(t *testing.T, words ...string) string {
	t.Helper()
	got := runArgs(words...)
	if got.Status != commandline.ExitSuccess || got.Stderr != "" {
		t.Fatalf("%s: status %d\n%s%s", strings.Join(words, " "), got.Status, got.Stdout, got.Stderr)
	}
	return got.Stdout
}

// writeWeights writes a file of weights.
func writeWeights(t *testing.T, path string, w *evaluation.Weights) {
	t.Helper()
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

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

// TestExportRejects exports files that are invalid.
func TestExportRejects(t *testing.T) {
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
		{"none", in("none") + ": no such file or directory; check the name"},
		{"text", in("text") + ": neither a model nor weights"},
		{"cut weights", in("cut weights") + ": weights: truncated: "},
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
