package protocol

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTranscripts replays every session of testdata.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			replay(t, string(text))
		})
	}
}

// TestSpecification replays the sessions that PROTOCOL.md shows.
func TestSpecification(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	const fence = "```session\n"
	blocks := strings.Split(string(text), fence)[1:]
	if len(blocks) == 0 {
		t.Fatal("PROTOCOL.md shows no session")
	}
	for _, block := range blocks {
		session, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("a session in PROTOCOL.md has no end")
		}
		title, _, _ := strings.Cut(session, "\n")
		t.Run(title, func(t *testing.T) { replay(t, session) })
	}
}

// TestSpecificationNamesAll checks that PROTOCOL.md speaks of every command and
// tells the right version.
func TestSpecificationNamesAll(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms() {
		if !strings.Contains(string(text), "`"+f.word) {
			t.Errorf("PROTOCOL.md does not tell of %s", f.word)
		}
	}
	if !strings.Contains(string(text), "Version "+Version) {
		t.Errorf("PROTOCOL.md is not about version %s", Version)
	}
}

// replay plays a transcript: lines after "> " go to the engine, lines after
// "< " must come from it in this order and nothing else, and others are
// comments. Times and speeds are not compared.
func replay(t *testing.T, transcript string) {
	t.Helper()
	s := newSession(t, new(demo))
	for line := range strings.Lines(transcript) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, ">"):
			s.Say(strings.TrimPrefix(line[1:], " "))
		case strings.HasPrefix(line, "<"):
			s.Expect(strings.TrimPrefix(line[1:], " "))
		}
	}
	if rest := s.end(); len(rest) > 0 {
		t.Errorf("said too much: %q", rest)
	}
}
