package position

import (
	"os"
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
