package tactics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestCanonical gives all 24 images of a position the same text, and others
// another.
func TestCanonical(t *testing.T) {
	const text = "4/7/2W5/2B6/1B1WB5/1B5w1/3W2W3/1b7/8/7/3B w 1-0"
	p := mustParse(t, text, position.Standard)
	want := Canonical(&p)
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&p)
		if diff := cmp.Diff(want, Canonical(&image)); diff != "" {
			t.Errorf("symmetry %d (-want +got):\n%s", s, diff)
		}
		swapped := mustParse(t, swapColours(image.String()), position.Standard)
		if diff := cmp.Diff(want, Canonical(&swapped)); diff != "" {
			t.Errorf("symmetry %d with the colours swapped (-want +got):\n%s", s, diff)
		}
	}
	others := []position.Position{
		mustParse(t, text, position.Blitz),
		mustParse(t, "4/7/2W5/2B6/1B1WB5/1B5w1/3W2W3/1b7/8/7/3B b 1-0", position.Standard),
		mustParse(t, "4/7/2W5/2B6/1B1WB5/1B6w/3W2W3/1b7/8/7/3B w 1-0", position.Standard),
	}
	for _, other := range others {
		if Canonical(&other) == want {
			t.Errorf("%v %v has the text of another position", &other, other.Rules())
		}
	}
}

// mustParse reads a position.
func mustParse(t *testing.T, text string, rules position.Rules) position.Position {
	t.Helper()
	p, err := position.Parse(text, rules)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
