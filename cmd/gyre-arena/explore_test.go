package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/internal/commandline"
)

// TestExploreCommand makes a small table twice, to the output and to a file, and refuses
// what is no exploration.
func TestExploreCommand(t *testing.T) {
	const line = "explore -games 8 -nodes 20 -judge-nodes 20 -plies 3 -least 2"
	first := runLine(line)
	if first.Status != commandline.ExitSuccess || !strings.HasPrefix(first.Stdout, exploreMark+"standard, seed 1, 8 games") || strings.Count(first.Stdout, "\n") < 3 {
		t.Fatalf("%+v", first)
	}
	path := filepath.Join(t.TempDir(), "table.txt")
	for range 2 {
		if result := runLine(line + " -threads 1 -o " + path); result.Status != commandline.ExitSuccess {
			t.Fatalf("%+v", result)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.Stdout, string(written)); diff != "" {
		t.Errorf("the file (-output +file):\n%s", diff)
	}
	other := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if result := runLine(line + " -o " + other); result.Status != commandline.ExitFailure {
		t.Errorf("a file of somebody is replaced: %+v", result)
	}
	if diff := cmp.Diff(usageFailure("explore: 99 turns: not from 1 to 40", "gyre-arena help explore"), runLine("explore -plies 99")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
