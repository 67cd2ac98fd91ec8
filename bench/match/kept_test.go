package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/journal"
)

// threeLines are lines of a match of testMatch's good engines, and where each
// begins.
func threeLines(t *testing.T) (text []byte, begins []int) {
	t.Helper()
	for number := range 3 {
		begins = append(begins, len(text))
		line := Line{Match: "test", Game: number, White: fmt.Sprint("good", number%2), Black: fmt.Sprint("good", 1-number%2),
			Result: "draw", Reason: 4, Rules: "standard", Opening: []string{"e3"}, Turns: []TurnLine{{Turn: "f6", MS: 1.5}}}
		var err error
		if text, err = line.Append(text); err != nil {
			t.Fatal(err)
		}
	}
	return text, begins
}

// readAll reads a text as a file of games.
func readAll(text []byte, unchecked bool) (games int, whole int64, err error) {
	whole, err = ReadLines(bytes.NewReader(text), "games", unchecked, func(*Line) error { games++; return nil })
	return games, whole, err
}

// TestChangedBytes changes each byte of a file: it is refused, and the line is
// named.
func TestChangedBytes(t *testing.T) {
	text, begins := threeLines(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= byte(1 + rng.IntN(255))
		line := 0
		for n, begin := range begins {
			if i >= begin {
				line = n + 1
			}
		}
		if _, _, err := readAll(changed, false); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("games:%d: ", line)) {
			t.Errorf("byte %d, %q for %q in line %d: error %v", i, changed[i], text[i], line, err)
		}
	}
}

// TestCutBytes cuts a file everywhere: the lines before the cut are taken, and
// nothing is refused.
func TestCutBytes(t *testing.T) {
	text, begins := threeLines(t)
	for length := range text {
		games, want := 0, 0
		for _, begin := range begins[1:] {
			if length >= begin {
				want++
			}
		}
		games, whole, err := readAll(text[:length], false)
		if err != nil || games != want || whole != int64(begins[want]) {
			t.Errorf("cut at %d: %d games in %d bytes, %v", length, games, whole, err)
		}
	}
	if games, _, err := readAll(append(text, 0, 0, 0), false); games != 3 || err != nil {
		t.Errorf("zeros after the last line: %d games, %v", games, err)
	}
}

// TestUncheckedLines reads what an earlier version wrote only when told to.
func TestUncheckedLines(t *testing.T) {
	text, _ := threeLines(t)
	line := string(text[:bytes.IndexByte(text, '\n')])
	old := line[:strings.Index(line, `,"sum"`)] + "}\n"
	if _, _, err := readAll([]byte(old), false); !errors.Is(err, journal.ErrNoChecksum) || !strings.Contains(err.Error(), "games:1: ") || !strings.Contains(err.Error(), "-unchecked") {
		t.Errorf("error %v", err)
	}
	if games, _, err := readAll([]byte(old+line+"\n"), true); games != 2 || err != nil {
		t.Errorf("%d games, %v", games, err)
	}
	if _, _, err := readAll([]byte(strings.Replace(line, "draw", "lost", 1)+"\n"), true); err == nil {
		t.Error("a changed line was taken")
	}
}

// TestForeignFiles leaves files alone that are not of this match.
func TestForeignFiles(t *testing.T) {
	for _, test := range []struct{ name, lines, records, want string }{
		{"openings for lines", "e3 f6\nf6 e3\n", "", "games.jsonl:1: "},
		{"no line feed", "e3 f6", "", "games.jsonl:1: "},
		{"one byte", "x", "", "games.jsonl:1: "},
		{"a beginning of JSON", `{"name":"x"`, "", "games.jsonl:1: "},
		{"openings for records", "\n", "e3 f6\nf6 e3\n", "games.txt exists"},
		{"records of another match", "\n", "[Event \"gyre-arena match other\"]\n", "games.txt exists"},
		{"records of games that no lines tell of", "", "[Event \"gyre-arena match test\"]\n", "games.txt holds games"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := testMatch(t, 1, 1, enginetest.Good, enginetest.Good)
			files := testFiles(t)
			for path, text := range map[string]string{files.Lines: test.lines, files.Records: test.records} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := m.Run(context.Background(), files, &listener{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			for path, want := range map[string]string{files.Lines: test.lines, files.Records: test.records} {
				if text, err := os.ReadFile(path); err != nil || string(text) != want {
					t.Errorf("%s: now %q, %v", filepath.Base(path), text, err)
				}
			}
			if names, err := os.ReadDir(filepath.Dir(files.Lines)); err != nil || len(names) != 2 {
				t.Errorf("%d files are left, %v", len(names), err)
			}
		})
	}
}
