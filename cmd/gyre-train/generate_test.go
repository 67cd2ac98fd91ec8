package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/search/evaluation"
)

// quick are the words of a generation of short searches.
func quick(name string, more ...string) []string {
	return append([]string{"generate", "-o", name, "-nodes", "40", "-placing-nodes", "20", "-hash", "1", "-seed", "9"}, more...)
}

// generated makes a file in one go, in the test's own process.
func generated(t *testing.T, dir, name string, more ...string) string {
	t.Helper()
	if got := runWords(quick(filepath.Join(dir, name), more...)...); got.Status != commandline.ExitSuccess {
		t.Fatalf("%v: %+v", more, got)
	}
	return contents(t, dir, name)
}

// TestGenerate makes the same file with other threads and in two steps, and asks
// for it again when it is finished.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	want := generated(t, dir, "one", "-games", "30", "-threads", "1")
	if generated(t, dir, "three", "-games", "30", "-threads", "3") != want {
		t.Error("three threads make another file")
	}
	first := generated(t, dir, "steps", "-games", "11")
	if !strings.HasPrefix(want, first) {
		t.Error("fewer games are others")
	}
	if generated(t, dir, "steps", "-games", "30", "-threads", "2") != want {
		t.Error("two steps make another file")
	}
	again := runWords(quick(filepath.Join(dir, "one"), "-games", "30")...)
	if again.Status != commandline.ExitSuccess || !strings.Contains(again.Stdout, "is finished: 30 games, ") || contents(t, dir, "one") != want {
		t.Errorf("finished: %+v", again)
	}
	if generated(t, dir, "blitz", "-games", "3", "-rules", "blitz") == generated(t, dir, "standard", "-games", "3") {
		t.Error("blitz games are those of the standard rules")
	}
}

// TestProgress reads what is printed on the way.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	generated(t, dir, "file", "-games", "2")
	got := runWords(quick(filepath.Join(dir, "file"), "-games", "4", "-every", "0s")...)
	const (
		brief  = `W \d+\.\d% B \d+\.\d%, \d+ positions, `
		counts = `\d+ positions, white \d+\.\d% black \d+\.\d% drawn \d+\.\d%, `
	)
	for _, want := range []string{"going on after 2 games\n", "3/4 " + brief + `\d+\.\d\d games/s, .* left\n`, "file: 4 games, " + counts + `\d+\.\d\d games/s\n`} {
		if !regexp.MustCompile(want).MatchString(got.Stdout) {
			t.Errorf("%q is missing in %q", want, got.Stdout)
		}
	}
	bar := runWords(quick(filepath.Join(dir, "file"), "-games", "20", "-progress", "bar")...)
	if !strings.Contains(bar.Stderr, " positions") || strings.Contains(bar.Stdout, "left") {
		t.Errorf("bar: %+v", bar)
	}
}

// TestRefusals asks to go on with files that other commands made.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	want := generated(t, dir, "file", "-games", "2")
	path := filepath.Join(dir, "file")
	for _, test := range []struct{ flag, value, message string }{
		{"-seed", "10", `seed "9", not "10"`},
		{"-nodes", "41", `nodes a turn "40", not "41"`},
		{"-rules", "blitz", `rules "standard", not "blitz"`},
	} {
		got := runWords(quick(path, "-games", "3", test.flag, test.value)...)
		if want := "gyre-train: " + path + ": another command made it: " + test.message + "\n"; got.Status != commandline.ExitFailure || got.Stderr != want {
			t.Errorf("%s: %+v", test.flag, got)
		}
	}
	if contents(t, dir, "file") != want {
		t.Error("the file has changed")
	}
}

// TestEvalFile plays with other weights, and with the engine's own from a file.
func TestEvalFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "some.weights")
	write := func(w *evaluation.Weights) { writeWeights(t, path, w) }
	want := generated(t, dir, "built in", "-games", "3")
	write(evaluation.DefaultEvaluator().Weights())
	if generated(t, dir, "own", "-games", "3", "-evalfile", path) != want {
		t.Error("the engine's own weights from a file make another file")
	}
	other := evaluation.DefaultEvaluator().Weights()
	for s := range other.Sets {
		other.Sets[s].Tempo += 20
	}
	other.About = "a test"
	write(other)
	if text := generated(t, dir, "other", "-games", "3", "-evalfile", path); !strings.Contains(text, ": a test\n") {
		t.Errorf("not made with the weights of a test: %.400q", text)
	}
	got := runWords(quick(filepath.Join(dir, "built in"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "another command made it: weights ") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(path, []byte("no weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = runWords(quick(filepath.Join(dir, "none"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+path+": not a file of weights") {
		t.Errorf("%+v", got)
	}
}

// TestKilled kills the program in the midst of its work, several times, and has
// it end some games later: the file is that of a program that nobody killed.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path, size := filepath.Join(dir, "killed"), 0
	for range 4 {
		s := start(t, dir, quick("killed", "-games", "100000", "-threads", "2")...)
		s.untilGrown(t, path, size+8_000)
		if err := s.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.Wait() // killed
		grown := len(contents(t, dir, "killed"))
		if grown <= size {
			t.Fatalf("%d bytes after %d: %s", grown, size, s.stderr.String())
		}
		size = grown
	}
	games := strconv.Itoa(wholeGames(t, path) + 10)
	if generated(t, dir, "killed", "-games", games) != generated(t, dir, "whole", "-games", games) {
		t.Error("the killed and resumed run made another file")
	}
}

// wholeGames returns the number of whole games in a file.
func wholeGames(t *testing.T, path string) (games int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	for err == nil {
		if _, err = r.Next(); err == nil {
			games++
		}
	}
	if damage, cut := errors.AsType[*sample.Damage](err); err != io.EOF && !(cut && damage.Last) {
		t.Fatal(err)
	}
	return games
}

// TestInterrupted sends the signal of Ctrl-C: the program says how to go on.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, quick("file", "-games", "100000")...)
	s.untilGrown(t, filepath.Join(dir, "file"), 10_000)
	if err := s.Process.Signal(syscall.SIGINT); err != nil {
		t.Skip(err)
	}
	err := s.Wait()
	if s.ProcessState.ExitCode() != commandline.ExitInterrupted || s.stderr.String() != "gyre-train: interrupted\n" {
		t.Errorf("%v: %q", err, s.stderr.String())
	}
	if !regexp.MustCompile(`file holds \d+ of 100000 games; the same command goes on\n$`).MatchString(s.stdout.String()) {
		t.Errorf("printed %q", s.stdout.String())
	}
	// A game in progress leaves nothing behind.
	games := regexp.MustCompile(`holds (\d+) of`).FindStringSubmatch(s.stdout.String())[1]
	if contents(t, dir, "file") != generated(t, dir, "again", "-games", games) {
		t.Error("the file is not that of its games")
	}
}

// TestFullDisk has no room for games.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	got := runWords(quick("/dev/full", "-games", "5")...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "no space left on device") {
		t.Errorf("%+v", got)
	}
}
