package evaluation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// parse returns a position from its text.
func parse(t testing.TB, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFeatures checks the features of a position against what one sees on its
// board, for either side.
func TestFeatures(t *testing.T) {
	const board = "4/1w3b1/1W5b/2Bw3Bb/1wwb1b1B1B/5b2W/2bww2B1b/2WwW1W2/b3ww2/7/4"
	for _, c := range []struct {
		side  string
		index map[string]uint16 // by the window's ends
	}{
		{"w", map[string]uint16{
			"e2-e6": 2 + 2*5 + 4*25 + 0*125 + 4*625, // wwb.b
			"h5-h9": 1 + 2*5 + 1*25 + 0*125 + 1*625, // WwW.W
			"a2-a5": 0,
		}},
		{"b", map[string]uint16{
			"e2-e6": 4 + 4*5 + 2*25 + 0*125 + 2*625,
			"h5-h9": 3 + 4*5 + 3*25 + 0*125 + 3*625,
		}},
	} {
		p := parse(t, board+" "+c.side+" 0-0")
		f := FeaturesOf(&p)
		for row := range position.Row(position.RowCount) {
			if want, named := c.index[row.String()]; named && f.Windows[row] != want {
				t.Errorf("%s: window %v has index %d, want %d", c.side, row, f.Windows[row], want)
			}
		}
		us := p.SideToMove()
		if want := p.Mobility(us) - p.Mobility(us.Opponent()); f.Moves != want {
			t.Errorf("%s: %d moves more, want %d", c.side, f.Moves, want)
		}
	}
}

// TestSixes checks that there is a six for every two windows that are next to each
// other, and that its index holds theirs.
func TestSixes(t *testing.T) {
	windows := map[position.Bitboard]position.Row{}
	for row := range position.Row(position.RowCount) {
		windows[row.Points()] = row
	}
	known := map[position.Bitboard]bool{}
	for _, p := range ongoing(2) {
		f := FeaturesOf(&p)
		for six, index := range f.Sixes {
			points := Six(six)
			known[points] = true
			last := position.Bitboard{}
			for b := points; !b.IsEmpty(); b = b.WithoutFirst() {
				last = b
			}
			first, isFirst := windows[points.AndNot(last)]
			second, isSecond := windows[points.WithoutFirst()]
			if !isFirst || !isSecond {
				t.Fatalf("six %d is not two windows", six)
			}
			if index%WindowStates != f.Windows[first] || index/states != f.Windows[second] {
				t.Fatalf("%v: six %d has index %d, and its windows %d and %d", &p, six, index, f.Windows[first], f.Windows[second])
			}
		}
	}
	if len(known) != SixCount {
		t.Errorf("%d sixes, want %d", len(known), SixCount)
	}
}

// TestFeaturesBeside checks the features beside the windows where rings are
// removed, and one of White's, on a2, cannot move.
func TestFeaturesBeside(t *testing.T) {
	const board = "Wwbw/1BB4/8/9/WW8/9/10/9/BB6/7/4"
	for _, c := range []struct {
		rest string
		want Features
	}{
		{" w 2-1", Features{Own: 2, Theirs: 1, Blocked: 1}},
		{" b 2-1", Features{Own: 1, Theirs: 2, Blocked: -1}},
	} {
		p := parse(t, board+c.rest)
		f := FeaturesOf(&p)
		f.Windows, f.Sixes, f.Moves = [position.RowCount]uint16{}, [SixCount]uint16{}, 0
		if diff := cmp.Diff(c.want, f); diff != "" {
			t.Errorf("%s:\n%s", c.rest, diff)
		}
	}
}

// TestReversed checks that reading a window from its other end, and for the
// other side, comes back when it is done twice, and what they do to one.
func TestReversed(t *testing.T) {
	for index := range SixStates {
		if got := Reversed(Reversed(index, SixPoints), SixPoints); got != index {
			t.Errorf("%d reversed twice is %d", index, got)
		}
		if got := Swapped(Swapped(index, SixPoints), SixPoints); got != index {
			t.Errorf("%d for the other side twice is %d", index, got)
		}
	}
	window := digits{ownRing, ownMarker, theirRing, vacant, vacant}
	if got, want := Reversed(window.index(), len(window)), (digits{vacant, vacant, theirRing, ownMarker, ownRing}).index(); got != want {
		t.Errorf("reversed: %d, want %d", got, want)
	}
	if got, want := Swapped(window.index(), len(window)), (digits{theirRing, theirMarker, ownRing, vacant, vacant}).index(); got != want {
		t.Errorf("for the other side: %d, want %d", got, want)
	}
}
