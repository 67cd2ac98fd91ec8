package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestKilledMatch kills the arena in mid-match, as often as it takes, cuts the
// last line off in the middle, and goes on: the games are those of a match that
// nobody killed, none twice.
func TestKilledMatch(t *testing.T) {
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out"}
	if output, status := a.run(append(args, "whole.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	path := filepath.Join(a.dir, "killed.jsonl")
	for kills := range 3 {
		command, output := a.command(append(args, "killed.jsonl")...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitForGrowth(path, int64(kills+1)*10_000, 5*time.Second)
		_ = command.Process.Kill()
		_ = command.Wait()
		if info, err := os.Stat(path); err != nil {
			t.Fatalf("%v: %s", err, output)
		} else if err := os.Truncate(path, info.Size()-20); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(append(args, "killed.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "going on after") {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("whole.jsonl"), a.games("killed.jsonl"), sameGames); diff != "" {
		t.Error(diff)
	}
}

// waitForGrowth waits until a file has so many bytes, or for so long.
func waitForGrowth(path string, size int64, patience time.Duration) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
}
