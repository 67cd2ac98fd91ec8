package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestGenerateFromLate has games begin from positions of other games: the same with
// other threads and in two steps, and each where both sides have removed a ring.
func TestGenerateFromLate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "first")
	generated(t, dir, "first", "-games", "12")
	want := generated(t, dir, "one", "-games", "20", "-from", path, "-threads", "1")
	if generated(t, dir, "three", "-games", "20", "-from", path, "-threads", "3") != want {
		t.Error("three threads make another file")
	}
	if first := generated(t, dir, "steps", "-games", "7", "-from", path); !strings.HasPrefix(want, first) {
		t.Error("fewer games are others")
	}
	if generated(t, dir, "steps", "-games", "20", "-from", path) != want {
		t.Error("two steps make another file")
	}
	file, err := os.Open(filepath.Join(dir, "one"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if openings := r.About().Value("openings"); !strings.Contains(openings, "each side has removed a ring, of first, xxh3 ") {
		t.Errorf("the file says of its openings %q", openings)
	}
	for {
		g, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if p := &g.Samples[0].Position; p.Removed(position.White) == 0 || p.Removed(position.Black) == 0 {
			t.Errorf("game %d begins with %v", g.Number, p)
		}
	}
}

// TestLateRefusals names files that have no positions to begin from, or not those
// that the file of games was begun with.
func TestLateRefusals(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	generated(t, dir, "first", "-games", "12")
	generated(t, dir, "second", "-games", "13")
	generated(t, dir, "blitz", "-games", "1", "-rules", "blitz")
	want := generated(t, dir, "late", "-games", "2", "-from", in("first"))
	early, err := sample.AppendHeader(nil, nil)
	if err = errors.Join(err, os.WriteFile(in("early"), early, 0o600), os.WriteFile(in("text"), []byte("just text"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, message := range map[string]string{
		"none":   "open " + in("none") + ": no such file or directory",
		"text":   "text: not a file of samples",
		"early":  "early: it has no position where each side has removed a ring",
		"blitz":  "blitz: game 0 is by the blitz rules, not the standard ones",
		"second": in("late") + ": another command made it: openings ",
	} {
		got := runWords(quick(in("late"), "-games", "3", "-from", in(name))...)
		if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+message) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := runWords(quick(in("first"), "-games", "3", "-from", in("first"))...); got.Status != commandline.ExitUsage {
		t.Errorf("a file from itself: %+v", got)
	}
	if contents(t, dir, "late") != want {
		t.Error("the file has changed")
	}
}
