package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// trainVariable makes the test binary run as gyre-train.
const trainVariable = "GYRE_TEST_TRAIN"

func TestMain(m *testing.M) {
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
	status := program().Run(words, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
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

func TestWrongCommandLines(t *testing.T) {
	for _, test := range []struct{ line, message, hint string }{
		{"", "no command given", "gyre-train help"},
		{"learn", `unknown command "learn"`, "gyre-train help"},
		{"generate", "generate: no output file given; use -o FILE", "gyre-train help generate"},
		{"generate -o x", "generate: no number of games given; use -games N", "gyre-train help generate"},
		{"generate -o x -games 5000000000", "generate: 5000000000 games: a file can hold at most 4294967295", "gyre-train help generate"},
		{"generate -o x -games 1 -threads 0", "generate: 0 threads: must be at least 1", "gyre-train help generate"},
		{"generate -o x -games 1 -nodes 0", "generate: the number of nodes per search must be at least 1", "gyre-train help generate"},
		{"generate -o x -games 1 -rules chess", `generate: -rules "chess": rules are standard or blitz`, "gyre-train help generate"},
		{"generate -o x -games 1 -progress loud", `generate: -progress "loud": give one of auto, bar, lines, none`, "gyre-train help generate"},
		{"generate -o x -games 1 more", `generate: unexpected argument "more"`, "gyre-train help generate"},
		{"puzzles", "puzzles: no output file given; use -o FILE", "gyre-train help puzzles"},
		{"puzzles -o x -check y", "puzzles: use either -o or -check", "gyre-train help puzzles"},
		{"puzzles -grow x -check y", "puzzles: -grow makes puzzles and -check does not; use one of them", "gyre-train help puzzles"},
		{"puzzles -o x -lead 0", "puzzles: margin of 0 thousandths: must be from 1 to 1000", "gyre-train help puzzles"},
		{"puzzles -o x -nodes 99", "puzzles: 99 nodes a search: use at least 300", "gyre-train help puzzles"},
		{"puzzles -o x -puzzles 0", "puzzles: the number of puzzles must be at least 1", "gyre-train help puzzles"},
		{"puzzles -check x -sample -1", "puzzles: sample of -1 puzzles: must be at least 1", "gyre-train help puzzles"},
		{"inspect", "inspect: no sample files given", "gyre-train help inspect"},
		{"inspect -progress lines", "inspect: no sample files given", "gyre-train help inspect"},
		{"inspect x -progress loud", `inspect: -progress "loud": give one of auto, bar, lines, none`, "gyre-train help inspect"},
	} {
		want := outcome{commandline.ExitUsage, "", "gyre-train: " + test.message + "\nTry \"" + test.hint + "\".\n"}
		if diff := cmp.Diff(want, runArgs(strings.Fields(test.line)...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.line, diff)
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
