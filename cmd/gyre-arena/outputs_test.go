package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestForeignOutputs names a user's file as every output there is: it stays as it
// is, and the error names it.
func TestForeignOutputs(t *testing.T) {
	const book = "e3 f6\n"
	a := newArena(t)
	engines := []string{"-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-openings", "book.txt"}
	path := filepath.Join(a.dir, "book.txt")
	match := func(more ...string) []string { return append(append([]string{"match"}, engines...), more...) }
	for name, text := range map[string]string{"book.txt": book, "mine.txt": "mine", "mine.html": "<html>mine"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(match("-out", "games.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{match("-out", "book.jsonl"), "book.txt is named twice, for the records of -out (-records gives them another name, or none) and for -openings"},
		{match("-out", "x.jsonl", "-records", "x.jsonl"), "x.jsonl is named twice, for -out and for -records"},
		{match("-out", "x.jsonl", "-records", "./x.jsonl"), "x.jsonl is named twice, for -out and for -records"},
		{match("-out", "book.txt"), "book.txt is named twice, for -out and for -openings"},
		{match("-out", "x.jsonl", "-trace", "book.txt"), "book.txt is named twice, for -trace and for -openings"},
		{match("-out", "mine.jsonl"), "mine.txt exists"},
		{match("-out", "mine.txt"), "mine.txt:1: "},
		{match("-out", "x.jsonl", "-records", "mine.html"), "mine.html exists"},
		{match("-out", "x.jsonl", "-trace", "mine.txt"), "mine.txt exists"},
		{match("-out", "games.txt", "-records", "none"), "games.txt:1: "},
		{match("-out", "x.jsonl", "-records", "games.jsonl"), "games.jsonl exists"},
		{append(append([]string{"tournament"}, engines...), "-out", "mine.jsonl"), "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "mine.jsonl"}, "mine.txt exists"},
		{[]string{"openings", "-count", "1", "-o", "book.txt"}, "book.txt exists"},
		{[]string{"report", "games.jsonl", "-o", "mine.html"}, "mine.html exists"},
		{[]string{"report", "games.jsonl", "-o", "games.jsonl"}, "games.jsonl exists"},
	} {
		games := readText(t, filepath.Join(a.dir, "games.jsonl"))
		output, status := a.run(test.args...)
		if status == commandline.ExitSuccess || !strings.Contains(output, test.want) {
			t.Errorf("%v: status %d: %s", test.args, status, output)
		}
		if text := readText(t, path); text != book {
			t.Fatalf("%v: the openings are %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "mine.txt")) + readText(t, filepath.Join(a.dir, "mine.html")); text != "mine<html>mine" {
			t.Fatalf("%v: the user's files hold %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "games.jsonl")); text != games {
			t.Fatalf("%v: the games have changed", test.args)
		}
	}
}

// TestOwnOutputs writes over what the arena wrote itself.
func TestOwnOutputs(t *testing.T) {
	a := newArena(t)
	match := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl", "-trace", "trace", "-pairs"}
	for _, args := range [][]string{
		append(match, "1"), append(match, "2"),
		{"report", "games.jsonl"}, {"report", "games.jsonl"},
		{"openings", "-count", "1", "-o", "book.txt"}, {"openings", "-count", "2", "-o", "book.txt"},
	} {
		if output, status := a.run(args...); status != commandline.ExitSuccess {
			t.Errorf("%v: status %d: %s", args, status, output)
		}
	}
	for name, want := range map[string]string{"games.txt": `[Round "4"]`, "trace": "new > quit", "report.html": "4 games", "book.txt": openingsMark + "2, "} {
		if text := readText(t, filepath.Join(a.dir, name)); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%.300s", name, want, text)
		}
	}
}
