package position_test

import (
	"slices"
	"testing"

	"gyre/position"
)

// TestSymmetriesOfThePoints checks that the symmetries are products of the rotation
// by 60 degrees and one reflection.
func TestSymmetriesOfThePoints(t *testing.T) {
	turned := func(p referencePoint) referencePoint { // (a,b) to (b,b-a), relative to the center
		a, b := p.column-5, p.number-6
		return referencePoint{b + 5, b - a + 6}
	}
	mirrored := func(p referencePoint) referencePoint { // (a,b) to (b,a)
		a, b := p.column-5, p.number-6
		return referencePoint{b + 5, a + 6}
	}
	want := map[string]bool{}
	for mirror := range 2 {
		for turns := range 6 {
			image := ""
			for _, p := range referencePoints {
				for range mirror {
					p = mirrored(p)
				}
				for range turns {
					p = turned(p)
				}
				image += p.String() + " "
			}
			want[image] = true
		}
	}
	for s := range position.Symmetry(position.Symmetries) {
		image := ""
		for _, from := range referencePoints {
			p, err := position.ParsePoint(from.String())
			if err != nil {
				t.Fatal(err)
			}
			if s == 0 && s.Point(p) != p {
				t.Errorf("symmetry 0 takes %s to %s", p, s.Point(p))
			}
			if back := s.Inverse().Point(s.Point(p)); back != p {
				t.Errorf("symmetry %d and its inverse take %s to %s", s, p, back)
			}
			image += s.Point(p).String() + " "
		}
		if !want[image] {
			t.Errorf("symmetry %d is none, or met before: %s", s, image)
		}
		delete(want, image)
	}
	if len(want) > 0 {
		t.Errorf("symmetries that are missing: %d", len(want))
	}
}

// TestSymmetriesOfPositions checks that a symmetric position has the symmetric turns,
// and that they lead to symmetric positions.
func TestSymmetriesOfPositions(t *testing.T) {
	visited := 0
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if visited++; visited%4 != 0 || len(turns) > 3000 {
			return
		}
		for s := range position.Symmetry(position.Symmetries) {
			checkSymmetry(t, s, p, turns)
		}
	})
}

func checkSymmetry(t *testing.T, s position.Symmetry, p *position.Position, turns []position.Turn) {
	image := s.Position(p)
	checkText(t, &image)
	if back := s.Inverse().Position(&image); !back.Equal(*p) {
		t.Errorf("symmetry %d and its inverse give %s", s, back.String())
	}
	if image.Count() != p.Count() || image.Result() != p.Result() {
		t.Errorf("symmetry %d: %d turns and %s, want %d and %s", s, image.Count(), image.Result(), p.Count(), p.Result())
	}
	var want []position.Turn
	for _, turn := range turns {
		want = append(want, s.Turn(turn))
	}
	got := image.Turns(nil)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("symmetry %d: turns of %s are not the symmetric ones", s, image.String())
	}
	for _, turn := range someOf(turns) {
		child, imageChild := p.After(turn), image.After(s.Turn(turn))
		if !imageChild.Equal(s.Position(&child)) {
			t.Errorf("symmetry %d: %s leads to %s", s, s.Turn(turn), imageChild.String())
		}
	}
}
