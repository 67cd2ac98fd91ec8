package gametext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// waysToWrite are ways in which people write the turns of a game.
var waysToWrite = map[string]func(turns []string) string{
	"words":                   func(turns []string) string { return strings.Join(turns, " ") },
	"blanks after semicolons": func(turns []string) string { return strings.ReplaceAll(strings.Join(turns, " "), ";", "; ") },
	"blanks around them":      func(turns []string) string { return strings.ReplaceAll(strings.Join(turns, "\n"), ";", " ;\n") },
	"numbered, with blanks":   func(turns []string) string { return strings.ReplaceAll(numbered(turns, 1), ";", "; ") },
	"in pairs":                func(turns []string) string { return numbered(turns, 2) },
	"in pairs, with blanks":   func(turns []string) string { return strings.ReplaceAll(numbered(turns, 2), ";", " ; ") },
}

// numbered writes turns with a number before each so many of them.
func numbered(turns []string, each int) string {
	var text strings.Builder
	for i, turn := range turns {
		if i%each == 0 {
			fmt.Fprintf(&text, "%d. ", i/each+1)
		}
		text.WriteString(turn + " ")
	}
	return text.String()
}

// unhyphened writes the moves of turns as two points with a blank between them.
func unhyphened(turns []string) string {
	words := make([]string, len(turns))
	for i, turn := range turns {
		parts := strings.Split(turn, ";")
		for j, part := range parts {
			if !strings.HasPrefix(part, "x") {
				parts[j] = strings.Replace(part, "-", " ", 1)
			}
		}
		words[i] = strings.Join(parts, ";")
	}
	return strings.Join(words, " ")
}

// TestWaysToWriteTurns writes the turns of games that people played in many ways, alone and
// in records, and reads the same games.
func TestWaysToWriteTurns(t *testing.T) {
	files, err := filepath.Glob("../sgf/testdata/*.sgf")
	if err != nil || len(files) < 3 {
		t.Fatalf("%q, %v", files, err)
	}
	rows := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		game, err := Read(string(text), "")
		if err != nil {
			t.Fatal(err)
		}
		want := game.Games[0].Path
		rows += strings.Count(strings.Join(want.Turns, ""), ";")
		result := game.Games[0].Result
		if game.Games[0].End != nil {
			result = "*" // somebody resigned, which turns do not tell
		}
		check := func(way, text string) {
			t.Helper()
			got, err := Read(text, want.Rules)
			if err != nil {
				t.Errorf("%s, %s: %v", filepath.Base(file), way, err)
			} else if diff := cmp.Diff(want, got.Games[0].Path); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", filepath.Base(file), way, diff)
			}
		}
		check("without hyphens", unhyphened(want.Turns))
		for way, write := range waysToWrite {
			turns := write(want.Turns)
			check(way, turns)
			check(way+", in a record", fmt.Sprintf("[White \"Anna\"]\n[Rules %q]\n\n%s %s\n", want.Rules, turns, result))
		}
	}
	if rows < 3 {
		t.Errorf("the games have %d rows", rows)
	}
}
