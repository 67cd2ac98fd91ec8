package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const boardspaceGame = "../gyre-board/internal/sgf/testdata/Y-Clara-BestBot-2026-03-21-2221.sgf"

// TestReview runs gyre review as a user types it.
func TestReview(t *testing.T) {
	folder := t.TempDir()
	records := written(t, "two.txt", "1.f6 2.g7 *\n\n[White \"B\"] 1.a2 2.a3 *\n")
	broken := written(t, "broken.txt", "1.f6\n2.f6 *\n")
	empty := written(t, "empty.txt", "")
	html := filepath.Join(folder, "review.html")
	for _, c := range []struct {
		words  string
		stdout string // part of it
		stderr string
		status int
	}{
		{boardspaceGame + " -nodes 100", "Clara - BestBot, 1-3 (resignation)\n", "", 0},
		{boardspaceGame + " -nodes 100 -json -threads 2", `"summary":{"w":{"turns":21,`, "", 0},
		{boardspaceGame + " -nodes 100 -o " + html, "", "", 0},
		{boardspaceGame + " -nodes 100 -o " + html, "", html + ": the file exists and is not overwritten", 1},
		{boardspaceGame + " -nodes 100 -o " + filepath.Join(folder, "review.json"), "", "", 0},
		{boardspaceGame + " -o review.txt", "", "-o review.txt: the name must end in .html or .json", 2},
		{"-json -o a.json " + boardspaceGame, "", "-json prints to standard output", 2},
		{records + " -game 2 -nodes 10", "B - Black, *", "", 0},
		{records + " -game 3", "", "-game 3: " + records + " has the games 1 to 2", 2},
		{broken, "", broken + ":2: ", 1},
		{empty, "", empty + ": no game found", 1},
		{filepath.Join(folder, "nothing"), "", "nothing: no such file", 1},
		{"", "", "name one file with a game", 2},
		{"-nodes 0 " + records, "", "-nodes 0: out of range 1 to ", 2},
		{"-threads 0 " + records, "", "-threads 0: out of range 1 to 128", 2},
		{"-help", "usage: gyre review", "", 0},
	} {
		command := gyre(t, append([]string{"review"}, strings.Fields(c.words)...)...)
		var stderr strings.Builder
		command.Stderr = &stderr
		out, _ := command.Output()
		if status := command.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(out), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("gyre review %s: status %d, %q, %q", c.words, status, out, stderr.String())
		}
	}
	page, err := os.ReadFile(html)
	if err != nil || !strings.HasPrefix(string(page), "<!doctype html>") || !strings.Contains(string(page), `"white":"Clara"`) {
		t.Errorf("the page is %.100q, %v", page, err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "review.json"))
	if err != nil || !json.Valid(data) || !strings.Contains(string(page), strings.TrimSpace(strings.Split(string(data), "\n")[8])) {
		t.Errorf("the JSON is %.100q, %v", data, err)
	}
}
