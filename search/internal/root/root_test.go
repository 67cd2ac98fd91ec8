package root

import (
	"testing"

	"gyre/position"
)

// TestPlacingsCoverAllClasses checks that a ring left out of the placings is
// taken to one that is there by a symmetry that keeps the position.
func TestPlacingsCoverAllClasses(t *testing.T) {
	p := position.Start(position.Standard)
	if got := len(Placings(&p, nil)); got != 11 {
		t.Errorf("%d classes of first rings, want 11", got)
	}
	for _, turn := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, turn)
		classes := map[uint64]bool{}
		for _, reply := range Placings(&child, nil) {
			classes[canonical(&child, reply)] = true
		}
		for _, reply := range child.Turns(nil) {
			if !classes[canonical(&child, reply)] {
				t.Fatalf("%v: no placing stands for %v", &child, reply)
			}
		}
	}
}

// canonical is the least hash of what the symmetries make of a position after
// a turn.
func canonical(p *position.Position, turn position.Turn) uint64 {
	var child position.Position
	p.Play(&child, turn)
	least := ^uint64(0)
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&child)
		least = min(least, image.Hash())
	}
	return least
}
