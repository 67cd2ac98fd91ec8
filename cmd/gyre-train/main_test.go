package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/slips"
	"gyre/position"
)

// trainVariable makes the test binary run as gyre-train.
const trainVariable = "GYRE_TEST_TRAIN"

func TestMain(m *testing.M) {
	rangeSize, signatureDepth = 16, 1
	// A hub's worker passes no environment to its programs.
	if os.Getenv(trainVariable) != "" || len(os.Args) > 1 && os.Args[1] == "range" {
		main()
	}
	if part := os.Getenv(partVariable); part != "" {
		bePart(part)
	}
	enginetest.Parallel()
	os.Exit(m.Run())
}

// outcome is the result of a command line.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// runArgs runs a command line inside the test.
func runArgs(words ...string) outcome {
	var stdout, stderr strings.Builder
	status := program().Run(lastOfEach(words), &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// lastOfEach removes flags that come again later, with their values, so that a test can change
// a flag of a command line.
func lastOfEach(words []string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		if strings.HasPrefix(words[i], "-") && slices.Contains(words[i+1:], words[i]) {
			if !strings.HasPrefix(words[i+1], "-") {
				i++ // its value
			}
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}

// started is a gyre-train process and its output.
type started struct {
	*exec.Cmd
	stdout, stderr strings.Builder
}

// start starts gyre-train in a folder.
func start(t *testing.T, dir string, words ...string) *started {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &started{Cmd: exec.Command(path, words...)}
	s.Env, s.Dir = append(os.Environ(), trainVariable+"=1"), dir
	s.Stdout, s.Stderr = &s.stdout, &s.stderr
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// untilGrown waits until a file of the process has at least size bytes.
func (s *started) untilGrown(t *testing.T, path string, size int) {
	t.Helper()
	const deadline = 5 * time.Minute // generous, for slow machines
	late := make(chan struct{})
	defer time.AfterFunc(deadline, func() { close(late) }).Stop()
	if untilSize(path, size, late) {
		return
	}
	_ = s.Process.Kill()
	_ = s.Wait() // killed
	t.Fatalf("%s has fewer than %d bytes after %v: %s", path, size, deadline, s.stderr.String())
}

// untilSize waits until a file has at least size bytes, and reports whether it had before ended was
// closed. There is no portable event for a file that grows.
func untilSize(path string, size int, ended <-chan struct{}) bool {
	for {
		if info, err := os.Stat(path); err == nil && info.Size() >= int64(size) {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}

// contents returns the content of a file.
func contents(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHelp(t *testing.T) {
	list := runArgs("help")
	for _, c := range program().Commands {
		if !strings.Contains(list.Stdout, "\n  "+c.Name+" ") || !strings.Contains(list.Stdout, c.Summary) {
			t.Errorf("help does not list %s:\n%s", c.Name, list.Stdout)
		}
		got := runArgs("help", c.Name)
		if got.Status != commandline.ExitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: gyre-train "+c.Name) {
			t.Errorf("help %s: %+v", c.Name, got)
		}
	}
}

// TestForeignOutputs names files of other kinds as outputs. Each command must reject them before any
// work and leave them unchanged.
func TestForeignOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	samples := learnable(t, dir, "samples")
	do(t, fitWords(samples, in("model"))...)
	do(t, "export", in("model"), "-o", in("weights"))
	if err := os.WriteFile(in("notes"), []byte("what somebody needs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("notes.svg"), []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("other.txt"), []byte("what somebody needs"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, stays string
		words       []string
	}{
		{"fit over notes", "notes", fitWords(samples, in("notes"))},
		{"fit over its samples", "samples", fitWords(samples, in("samples"))},
		{"fit over weights", "weights", fitWords(samples, in("weights"))},
		{"plot over notes", "notes.svg", fitWords(samples, in("new"), "-plot", in("notes.svg"))},
		{"weights over notes", "notes", []string{"export", in("model"), "-o", in("notes")}},
		{"weights over their model", "model", []string{"export", in("model"), "-o", in("model")}},
		{"their text over notes", "other.txt", []string{"export", in("model"), "-o", in("other")}},
		{"a model over notes", "notes", []string{"export", in("weights"), "-o", in("notes")}},
		{"a model over its weights", "weights", []string{"export", in("weights"), "-o", in("weights")}},
		{"samples over notes", "notes", quick(in("notes"), "-games", "1")},
		{"samples over a model", "model", quick(in("model"), "-games", "1")},
		{"scored samples over notes", "notes", []string{"score", samples[0], "-o", in("notes")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			names, want := list(t, dir), contents(t, dir, test.stays)
			got := runArgs(test.words...)
			if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, in(test.stays)) {
				t.Errorf("status %d, %q", got.Status, got.Stderr)
			}
			if strings.Contains(got.Stdout, "learning") {
				t.Errorf("the error came too late: %s", got.Stdout)
			}
			if contents(t, dir, test.stays) != want {
				t.Errorf("%s was changed", test.stays)
			}
			if now := list(t, dir); now != names {
				t.Errorf("the folder holds %s, want %s", now, names)
			}
		})
	}
}

// TestOwnOutputs overwrites files of the same kind.
func TestOwnOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	samples := learnable(t, dir, "samples")
	for range 2 {
		do(t, fitWords(samples, in("model"), "-plot", in("losses.svg"))...)
		do(t, "export", in("model"), "-o", in("weights"))
		do(t, "export", in("weights"), "-o", in("again"))
	}
	if want, got := "again losses.svg model samples weights weights.txt", list(t, dir); got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
}

// list returns the names of the files in a folder.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// puzzleFile writes a puzzle with two right turns: either completes a row by moving the ring on f3, and
// wins.
func puzzleFile(t *testing.T, theme, solution, mate string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one.jsonl")
	text := fmt.Sprintf(`{"id":"a1","fen":"3B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 2-0","rules":"standard","theme":%q,"rating":700,"solution":[%q]%s}`+"\n", theme, solution, mate)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPuzzles makes a puzzle, checks it, uses it as the initial set, and does not overwrite another kind
// of file.
func TestPuzzles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "set.jsonl")
	words := []string{"puzzles", "-o", path, "-puzzles", "1", "-nodes", "1000", "-again", "2000", "-progress", "none"}
	if got := do(t, words...); !strings.HasPrefix(got, path+": 1 puzzles of ") {
		t.Errorf("made: %q", got)
	}
	if got := do(t, "puzzles", "-check", path, "-check-nodes", "2000", "-progress", "none"); got != path+": searched 1 of 1 puzzles with 2000 nodes: all have one right turn\n" {
		t.Errorf("checked: %q", got)
	}
	grown := filepath.Join(dir, "grown.jsonl")
	if got, want := do(t, append(words, "-o", grown, "-grow", path)...), grown+": 1 of the 1 puzzles of "+path+", and 0 puzzles of 0 games: "; !strings.HasPrefix(got, want) || contents(t, dir, "grown.jsonl") != contents(t, dir, "set.jsonl") {
		t.Errorf("-grow: %q, want %q and the same file", got, want)
	}
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	words[2] = mine
	if got := runArgs(words...); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "is not a file of this kind") || contents(t, dir, "mine") != "my notes" {
		t.Errorf("a file of another kind: %+v", got)
	}
}

// TestPuzzleCheckFinds checks puzzles with an invalid theme and with two right turns, and an empty file.
func TestPuzzleCheckFinds(t *testing.T) {
	check := func(path string) outcome {
		return runArgs("puzzles", "-check", path, "-check-nodes", "1000", "-progress", "none")
	}
	if got := check(puzzleFile(t, "threaten-row", "b1-b2", "")); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "one.jsonl:1: theme threaten-row: does not match") {
		t.Errorf("a theme that does not fit: %+v", got)
	}
	right := puzzleFile(t, "win", "f3-b3;xf3-f7xb1", `,"mate":1`)
	if got := check(right); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "puzzle a1, ") || !strings.HasSuffix(got.Stderr, "one.jsonl: 1 of 1 puzzles have another right turn with 1000 nodes\n") {
		t.Errorf("a win by either of two moves: %+v", got)
	}
	if err := os.WriteFile(right, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := check(right); got.Status != commandline.ExitFailure || !strings.HasSuffix(got.Stderr, "one.jsonl: no puzzles in this file\n") {
		t.Errorf("an empty file: %+v", got)
	}
}

// TestPuzzlesInterrupted interrupts the command once it has found a puzzle. The existing file must stay
// unchanged.
func TestPuzzlesInterrupted(t *testing.T) {
	path := puzzleFile(t, "win", "f3-b3;xf3-f7xb1", `,"mate":1`)
	dir := filepath.Dir(path)
	before := contents(t, dir, "one.jsonl")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(own, "puzzles", "-o", path, "-nodes", "1000", "-again", "0", "-progress", "lines", "-every", "0s")
	cmd.Env = append(os.Environ(), trainVariable+"=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != commandline.ExitInterrupted || !strings.HasPrefix(last, "no file was written; ") {
		t.Errorf("%v: %q", err, last)
	}
	files, err := os.ReadDir(dir)
	if now := contents(t, dir, "one.jsonl"); now != before || err != nil || len(files) != 1 {
		t.Errorf("files %v, %v, and the file is %q", files, err, now)
	}
}

// TestInspect inspects two files, one of them damaged in several ways.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	whole := []byte(generated(t, dir, "first", "-games", "12"))
	generated(t, dir, "second", "-games", "5", "-rules", "blitz")
	got := runArgs("inspect", second, first, "-progress", "none")
	if got.Status != commandline.ExitSuccess || got.Stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		first + ": 12 games, ", second + ": 5 games, ", "  rules: blitz\n", "  seed: 9\n", "  nodes a turn: 12\n",
		"\ngames      17, white won ", "0 rings removed", "rings to place", "20-29 markers", "about 0", "up to symmetry",
	} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, got.Stdout)
		}
	}

	whole[len(whole)/2] ^= 1
	whole[len(whole)/4] ^= 1
	if err := os.WriteFile(first, whole[:len(whole)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	got = runArgs("inspect", first)
	if got.Status != commandline.ExitFailure || got.Stderr != "gyre-train: damaged in 3 places\n" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{first + ": 9 games, ", fmt.Sprintf("to %d: incomplete after ", len(whole)-7), ": the checksum is wrong\n", "\ngames      9, "} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, got.Stdout)
		}
	}
}

// TestInspectRejects inspects a file that is not one of samples.
func TestInspectRejects(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("hello, this is not a sample file"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runArgs("inspect", text)
	if got.Status != commandline.ExitFailure || got.Stderr != "gyre-train: "+text+": not a file of samples\n" {
		t.Errorf("%+v", got)
	}
	if got := runArgs("inspect", text+"-missing"); got.Status != commandline.ExitFailure {
		t.Errorf("%+v", got)
	}
}

// TestList parses the printed lines of a file, and of a damaged one.
func TestList(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "first")
	whole := []byte(generated(t, dir, "first", "-games", "3", "-rules", "blitz"))
	got := runArgs("list", path)
	if got.Status != commandline.ExitSuccess || got.Stderr != "" {
		t.Fatalf("%+v", got)
	}
	all := strings.Count(got.Stdout, "\n")
	if all == 0 {
		t.Fatal("no samples")
	}
	for line := range strings.Lines(got.Stdout) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 6 || fields[4] != "blitz" {
			t.Fatalf("line %q", line)
		}
		for _, number := range fields[:4] {
			if _, err := strconv.Atoi(number); err != nil {
				t.Errorf("line %q: %v", line, err)
			}
		}
		if _, err := position.Parse(fields[5], position.Blitz); err != nil {
			t.Errorf("line %q: %v", line, err)
		}
	}

	whole[len(whole)-1] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	got = runArgs("list", path)
	if fewer := strings.Count(got.Stdout, "\n"); fewer == 0 || fewer >= all {
		t.Errorf("%d lines of the damaged file, %d of the whole one", fewer, all)
	}
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, path+": damaged from byte ") {
		t.Errorf("%+v", got)
	}
}

// TestSlips makes the slips that every program is tested with.
func TestSlips(t *testing.T) {
	one := []string{"missing"}
	commands := slips.Commands(program(), map[string][]string{
		"fit": {"missing", "-o=x.model"}, "export": {"missing", "-o=x.model"}, "inspect": one, "list": one,
		"score": {"missing", "-o=x.gyre"}, "loss": {"missing", "-from=missing"},
	})
	weights := engineWeights(t)
	slips.Test(t, commands, runSlip)
	samples := learnable(t, t.TempDir(), "games.gyre")[0]
	generate, fit, hub := "-games 1 -nodes 5 -hash 1 -progress none ", "fit "+samples+" -scale 100 -epochs 1 -progress none ", "-hub nats://127.0.0.1:1 "
	score := "score " + samples + " -nodes 5 -hash 1 -progress none "
	puzzles := "puzzles -puzzles 1 -games 40 -nodes 500 -again 1000 -progress none "
	slips.Files(t, commands, slips.Rows(
		"generate "+generate+"-o OUT", "generate "+generate+"-o x.gyre -from IN", "generate "+generate+"-o x.gyre -evalfile IN",
		"generate "+generate+hub+"-o x.gyre -key IN", "generate "+generate+hub+"-o x.gyre -tls-ca IN",
		"inspect IN", "inspect "+samples+" IN", "list IN",
		"fit IN -o x.model", "fit "+samples+" IN -o x.model", fit+"-from "+weights+" -o OUT", fit+"-o x.model -from IN", fit+"-o x.model -temporary DIR", fit+"-o x.model -plot OUT.svg",
		"score IN -o x.gyre", "score "+samples+" IN -o x.gyre", score+"-o OUT", score+"-o x.gyre -evalfile IN",
		"loss IN -from "+weights, "loss "+samples+" -from IN", "loss "+samples+" -scale 100 -progress none -temporary DIR -from "+weights,
		"export IN -o x.model", "export "+weights+" -o OUT", puzzles+"-o OUT", puzzles+"-o x.jsonl -grow IN", "puzzles -check IN",
	), runSlip)
}

// engineWeights returns the path of the engine's weights. A fit that begins with them keeps a model
// whatever the games are.
func engineWeights(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../search/evaluation/gyre.weights")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// runSlip runs a command line.
func runSlip(args []string) slips.Outcome {
	var stdout, stderr strings.Builder
	status := program().Run(args, &stdout, &stderr)
	return slips.Outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
}

// TestWritten runs every command that writes a file.
func TestWritten(t *testing.T) {
	var lines [][]string
	for _, line := range []string{
		"generate -o games.gyre -games 60 -nodes 12 -hash 1 -seed 1 -progress none",
		"score games.gyre -o scored.gyre -nodes 20 -hash 1 -progress none",
		"fit games.gyre -from " + engineWeights(t) + " -scale 100 -epochs 1 -o first.model -plot first.svg -progress none",
		"export first.model -o first.weights",
		"export first.weights -o again.model",
		"puzzles -o puzzles.jsonl -puzzles 1 -games 40 -nodes 500 -again 1000 -progress none",
	} {
		lines = append(lines, strings.Fields(line))
	}
	slips.Written(t, lines, runSlip)
}
