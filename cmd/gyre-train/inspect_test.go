package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
)

// TestInspect looks at two files, one of them damaged in several ways.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	whole := []byte(generated(t, dir, "first", "-games", "12"))
	generated(t, dir, "second", "-games", "5", "-rules", "blitz")
	got := runWords("inspect", second, first, "-progress", "none")
	if got.Status != commandline.ExitSuccess || got.Stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		first + ": 12 games, ", second + ": 5 games, ", "  rules: blitz\n", "  seed: 9\n", "  nodes a turn: 40\n",
		"\ngames      17, white won ", "0 rings removed", "rings to place", "20-29 markers", "about 0", "symmetric ones counted as the same",
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
	got = runWords("inspect", first)
	if got.Status != commandline.ExitFailure || got.Stderr != "gyre-train: damage in 3 places\n" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{first + ": 9 games, ", fmt.Sprintf("to %d: cut off after ", len(whole)-7), ": the checksum is wrong\n", "\ngames      9, "} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("%q is missing in:\n%s", want, got.Stdout)
		}
	}
}

// TestInspectRefuses gives what is no file of samples.
func TestInspectRefuses(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("hello, this is no file of samples"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runWords("inspect", text)
	if got.Status != commandline.ExitFailure || got.Stderr != "gyre-train: "+text+": not a file of samples\n" {
		t.Errorf("%+v", got)
	}
	if got := runWords("inspect", text+"-missing"); got.Status != commandline.ExitFailure {
		t.Errorf("%+v", got)
	}
}
