package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestList reads back the lines of a file, and of one that is damaged.
func TestList(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "first")
	whole := []byte(generated(t, dir, "first", "-games", "3", "-rules", "blitz"))
	got := runWords("list", path)
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
	got = runWords("list", path)
	if fewer := strings.Count(got.Stdout, "\n"); fewer == 0 || fewer >= all {
		t.Errorf("%d lines of a damaged file, and %d when it was whole", fewer, all)
	}
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, path+": damaged from byte ") {
		t.Errorf("%+v", got)
	}
}
