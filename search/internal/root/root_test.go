package root

import (
	"testing"

	"gyre/position"
)

// TestPlacingsCoverAllClasses checks that a symmetry of the position maps every
// omitted placing to a listed one.
func TestPlacingsCoverAllClasses(t *testing.T) {
	p := position.Start(position.Standard)
	if got := len(Placings(&p, nil)); got != 11 {
		t.Errorf("%d classes of first rings, want 11", got)
	}
	for _, turn := range p.Turns(nil) {
		child := p.After(turn)
		classes := map[uint64]bool{}
		for _, reply := range Placings(&child, nil) {
			classes[canonical(&child, reply)] = true
		}
		for _, reply := range child.Turns(nil) {
			if !classes[canonical(&child, reply)] {
				t.Fatalf("%v: no placing represents %v", &child, reply)
			}
		}
	}
}

// canonical returns the lowest hash of all images of the position after a turn.
func canonical(p *position.Position, turn position.Turn) uint64 {
	child := p.After(turn)
	lowest := ^uint64(0)
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&child)
		lowest = min(lowest, image.Hash())
	}
	return lowest
}
