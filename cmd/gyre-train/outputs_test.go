package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
)

// TestForeignOutputs names files of other kinds for each output of each command:
// they are refused before any work, and stay.
func TestForeignOutputs(t *testing.T) {
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
			got := runWords(test.words...)
			if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, in(test.stays)) {
				t.Errorf("status %d, %q", got.Status, got.Stderr)
			}
			if strings.Contains(got.Stdout, "learning") {
				t.Errorf("it is told too late: %s", got.Stdout)
			}
			if contents(t, dir, test.stays) != want {
				t.Errorf("%s has changed", test.stays)
			}
			if now := list(t, dir); now != names {
				t.Errorf("there are %s, and there were %s", now, names)
			}
		})
	}
}

// TestOwnOutputs writes over files of the same kind.
func TestOwnOutputs(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	samples := learnable(t, dir, "samples")
	for range 2 {
		do(t, fitWords(samples, in("model"), "-plot", in("losses.svg"))...)
		do(t, fitWords(samples, in("model"), "-plot", in("losses.png"))...)
		do(t, "export", in("model"), "-o", in("weights"))
		do(t, "export", in("weights"), "-o", in("again"))
	}
	if want, got := "again losses.png losses.svg model samples weights weights.txt", list(t, dir); got != want {
		t.Errorf("there are %s, want %s", got, want)
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
