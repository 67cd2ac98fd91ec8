package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestHeaders reads files with a header that is wrong.
func TestHeaders(t *testing.T) {
	text, _, starts := testFile(t, 1, 1)
	header := text[:starts[0]]
	for cut := range header {
		if _, err := NewReader(bytes.NewReader(text[:cut])); err != errCut {
			t.Errorf("cut to %d bytes: %v", cut, err)
		}
	}
	for at := range header {
		harmed := slices.Clone(text)
		harmed[at] ^= 4
		if r, err := NewReader(bytes.NewReader(harmed)); err == nil {
			t.Errorf("byte %d changed: read as %v", at, r.About())
		}
	}
	for text, want := range map[string]string{
		"GIF89a, which is something else": "not a file of samples",
		"x":                               "not a file of samples",
		magic + "2\n" + strings.Repeat("\x00", 12):       `format "2", and this program reads "1"`,
		magic + format + strings.Repeat("\xff", 12):      "its text would have 4294967295 bytes",
		magic + format + "\x01" + strings.Repeat(" ", 3): "ends within its header",
	} {
		if _, err := NewReader(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v does not say %q", text, err, want)
		}
	}
}

// TestWriterRefuses gives games and headers that cannot be written.
func TestWriterRefuses(t *testing.T) {
	good := randomGame(1, position.Standard).Samples[0]
	for want, change := range map[string]func(*Game){
		"257 samples":     func(g *Game) { g.Samples = slices.Repeat(g.Samples, 257) },
		"it is of game 1": func(g *Game) { g.Number = 2 },
		"score -20001":    func(g *Game) { g.Samples[0].Score = -MostScore - 1 },
		"result 2":        func(g *Game) { g.Samples[0].Result = 2 },
	} {
		g := &Game{Number: 1, Samples: []Sample{good}}
		change(g)
		if block, err := AppendGame(nil, g); err == nil || !strings.Contains(err.Error(), want) || len(block) > 0 {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	for _, about := range []About{{{"", "x"}}, {{"a:b", "x"}}, {{"a", "x\ny"}}, {{"a", " x"}}, {{"a ", "x"}}, {{"a", strings.Repeat("x", mostText)}}} {
		if _, err := AppendHeader(nil, about); err == nil {
			t.Errorf("%.40q was taken", about)
		}
	}
}

func TestDifferences(t *testing.T) {
	a := About{{"seed", "1"}, {"nodes", "5"}, {"rules", "standard"}}
	b := About{{"seed", "2"}, {"nodes", "5"}, {"openings", "some"}}
	want := []string{`seed "1", not "2"`, `rules "standard", not ""`, `no openings, not "some"`}
	if diff := cmp.Diff(want, a.Differences(b)); diff != "" {
		t.Error(diff)
	}
	if same := a.Differences(a); same != nil {
		t.Error(same)
	}
}
