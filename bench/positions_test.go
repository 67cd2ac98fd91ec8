package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestBadPositions is a table of texts that are refused, each with an error
// that names the line.
func TestBadPositions(t *testing.T) {
	start := position.StartText
	for _, text := range []string{
		start,
		start + " | standard",
		start + " | bullet | start",
		"4/7 w 0-0 | standard | start",
		start + " | standard | start | more",
	} {
		_, err := ParsePositions("# comment\n\n" + text)
		if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") {
			t.Errorf("%q: error %v, want one of line 3", text, err)
		}
	}
}

// FuzzPositions checks that what parsePositions takes, written again, is the
// same.
func FuzzPositions(f *testing.F) {
	f.Add(positionsText)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParsePositions(text)
		if err != nil {
			return
		}
		var written strings.Builder
		for i := range all {
			p := &all[i].Position
			written.WriteString(p.String() + " | " + p.Rules().String() + " | " + all[i].Name + "\n")
		}
		again, err := ParsePositions(written.String())
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, written.String(), err)
		}
		if diff := cmp.Diff(all, again); diff != "" {
			t.Errorf("%q (-first +again):\n%s", text, diff)
		}
	})
}
