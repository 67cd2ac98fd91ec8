package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/openings"
	"gyre/cmd/internal/commandline"
	"gyre/position"
)

// TestOpeningsCommand makes openings twice, and reads them like a match.
func TestOpeningsCommand(t *testing.T) {
	t.Parallel()
	const line = "openings -count 5 -seed 3 -opening-moves 2 -opening-bound 30 -opening-nodes 100"
	first := runLine(line)
	if diff := cmp.Diff(first, runLine(line)); diff != "" || first.Status != commandline.ExitSuccess {
		t.Errorf("status %d, made again: %s", first.Status, diff)
	}
	book, err := openings.Read(strings.NewReader(first.Stdout), "openings", position.Standard)
	if err != nil || len(book) != 5 || len(book[0].Turns) != 12 {
		t.Errorf("%d openings, %v:\n%s", len(book), err, first.Stdout)
	}
	some := runLine("openings -count 5 -opening-rings 3-4 -opening-bound 0")
	if book, err := openings.Read(strings.NewReader(some.Stdout), "openings", position.Standard); err != nil || len(book) != 5 ||
		len(book[0].Turns) < 3 || len(book[0].Turns) > 4 || !strings.HasPrefix(some.Stdout, openingsMark+"5, seed 1: 3-4 rings at random\n") {
		t.Errorf("%d openings, %v:\n%s", len(book), err, some.Stdout)
	}
	if none := runLine("openings -count 2 -opening-rings 0 -opening-bound 0"); none.Status != commandline.ExitFailure || !strings.Contains(none.Stderr, "openings after number 1 cannot be generated") {
		t.Errorf("%+v", none)
	}
	path := filepath.Join(t.TempDir(), "openings.txt")
	runLine(line + " -o " + path)
	if text, err := os.ReadFile(path); err != nil || string(text) != first.Stdout {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// TestExploreCommand makes a small table twice, on standard output and in a file, and
// rejects invalid flags.
func TestExploreCommand(t *testing.T) {
	t.Parallel()
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
}

// TestBookCommand makes a small book twice, grows it, checks it, and rejects invalid flags
// and foreign files.
func TestBookCommand(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "small.book")
	line := "book -o " + path + " -nodes 100 -lines 3 -positions "
	var files []string
	for _, positions := range []string{"4 -threads 1", "20", "20"} {
		result := runLine(line + positions)
		if result.Status != commandline.ExitSuccess || !strings.Contains(result.Stdout, "main line: ") {
			t.Fatalf("%+v", result)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, string(file))
	}
	if files[0] == files[1] || files[1] != files[2] {
		t.Errorf("books of %d, %d and %d bytes", len(files[0]), len(files[1]), len(files[2]))
	}
	check := "book -check " + path + " -nodes 100 -lines 3 -positions 20"
	if result := runLine(check + " -repeat 2"); result.Status != commandline.ExitSuccess || !strings.Contains(result.Stdout, "its 20 searches give; 2 searches repeated with the same result") {
		t.Errorf("%+v", result)
	}
	if result := runLine(check + " -deviation 1"); result.Status != commandline.ExitFailure || !strings.Contains(result.Stderr, "a search of the book is missing") && !strings.Contains(result.Stderr, "it was made as") {
		t.Errorf("%+v", result)
	}
	if err := os.Remove(path + searchesSuffix); err != nil {
		t.Fatal(err)
	}
	if result := runLine(check); result.Status != commandline.ExitFailure || !strings.Contains(result.Stderr, "no such file") {
		t.Errorf("without its searches: %+v", result)
	}
	if _, err := os.Stat(path + searchesSuffix); err == nil {
		t.Error("checking a book without its searches makes a file of them")
	}
	mine := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if result := runLine("book -o " + mine); result.Status != commandline.ExitFailure || !strings.Contains(result.Stderr, "is not a file of this kind") {
		t.Errorf("%+v", result)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
