package position

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDraw compares drawings with those in testdata/draw.txt: each position is
// a line of text that begins with "= ", and its drawing follows.
func TestDraw(t *testing.T) {
	text, err := os.ReadFile("testdata/draw.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "= ")[1:]
	if len(cases) == 0 {
		t.Fatal("no positions to draw")
	}
	for _, c := range cases {
		name, want, _ := strings.Cut(c, "\n")
		p, err := Parse(name, Standard)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Draw()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for line := range strings.Lines(got) {
			if len(line) > 80 {
				t.Errorf("%s: a line of %d characters", name, len(line))
			}
		}
	}
}

// TestDrawNotes checks that a note of any length stands behind its point, and
// that notes behind all points hide nothing: with them taken out the drawing has
// what it had.
func TestDrawNotes(t *testing.T) {
	p := Start(Standard)
	for _, c := range []struct {
		note  string
		whole int // points with room for it
	}{
		{"1", PointCount}, {"123", PointCount}, {"123456", 81}, {"1234567", 0},
	} {
		notes := map[Point]string{}
		for _, at := range Board().Points(nil) {
			notes[at] = c.note
		}
		got := p.DrawNotes(notes)
		if n := strings.Count(got, "."+c.note); n != c.whole {
			t.Errorf("%q stands %d times, want %d:\n%s", c.note, n, c.whole, got)
		}
		bare := regexp.MustCompile(`\.1[0-9]*\+?`).ReplaceAllString(got, ".")
		if diff := cmp.Diff(strings.Fields(p.Draw()), strings.Fields(bare)); diff != "" {
			t.Errorf("without the notes %q:\n%s", c.note, diff)
		}
	}
}
