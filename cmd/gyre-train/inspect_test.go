package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
	"gyre/position"
)

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
		first + ": 12 games, ", second + ": 5 games, ", "  rules: blitz\n", "  seed: 9\n", "  nodes a turn: 40\n",
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

// TestInspectRefuses inspects a file that is not one of samples.
func TestInspectRefuses(t *testing.T) {
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
