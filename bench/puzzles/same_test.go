package puzzles

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// mustParse reads a position by the standard rules.
func mustParse(t *testing.T, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustTurn reads a turn of p.
func mustTurn(t *testing.T, p *position.Position, word string) position.Turn {
	t.Helper()
	turn, err := p.ParseTurn(word)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestSame is a table of two turns and whether they are the same answer, whatever the
// rings that pay and with them. The page's test answers.test has the same in words.
func TestSame(t *testing.T) {
	const (
		six = "W2B/W5B/W7/W8/W9/wwwwww3/10/9/B7/B6/3B w 0-0"     // a row of six that Black has made for White
		two = "W2B/W5B/Wwwwww2/W8/W9/wwwww4/10/9/B7/B6/3B w 0-0" // two rows of that kind
		own = "W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0"      // the ring on f3 makes a row by leaving
	)
	for _, test := range []struct {
		text, a, b    string
		loose, strict bool
	}{
		{own, "a2-a3", "a2-a3", true, true},
		{own, "a2-a3", "a2-a4", false, false},
		{own, "f3-b3;xf3-f7xc1", "f3-b3;xf3-f7xa2", true, false},
		{own, "f3-b3;xf3-f7xc1", "f3-h5;xf3-f7xc1", false, false},
		{own, "f3-b3;xf3-f7xc1", "a2-a3", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b2", true, true},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xc1;b1-b2", true, false},
		{six, "xf2-f6xa2;b1-b2", "xf3-f7xa2;b1-b2", false, false},
		{six, "xf2-f6xa2;b1-b2", "xf2-f6xa2;b1-b3", false, false},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xf2-f6xb1;xc2-c6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xb1;xf2-f6xa2;c1-b1", true, true},
		{two, "xc2-c6xa2;xf2-f6xb1;c1-b1", "xc2-c6xd1;xf2-f6xb1;c1-b1", true, false},
	} {
		p := mustParse(t, test.text)
		a, b := mustTurn(t, &p, test.a), mustTurn(t, &p, test.b)
		if diff := cmp.Diff([2]bool{test.loose, test.strict}, [2]bool{Same(a, b, false), Same(a, b, true)}); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", test.a, test.b, diff)
		}
	}
}
