package position_test

import (
	"testing"

	"gyre/position"
)

// The functions that a search calls at every node leave no work to the garbage collector.
func TestNothingIsAllocated(t *testing.T) {
	var positions []position.Position
	for _, vector := range perftVectors(t) {
		positions = append(positions, mustParse(t, vector.position, "standard"))
	}
	for _, c := range rulingCases(t) {
		positions = append(positions, mustParse(t, c.position, c.rules))
	}
	turns := make([]position.Turn, 0, 1<<14)
	var child position.Position
	sum := 0
	for _, test := range []struct {
		name string
		call func(p *position.Position)
	}{
		{"Turns", func(p *position.Position) { turns = p.Turns(turns[:0]) }},
		{"QuietTurns", func(p *position.Position) { turns = p.QuietTurns(turns[:0]) }},
		{"CompletingTurns", func(p *position.Position) { turns = p.CompletingTurns(turns[:0]) }},
		{"Count", func(p *position.Position) { sum += p.Count() }},
		{"Result", func(p *position.Position) { sum += int(p.Result()) }},
		{"Play", func(p *position.Position) {
			for _, turn := range turns {
				p.Play(&child, turn)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range positions {
				p := &positions[i]
				turns = p.Turns(turns[:0])
				if allocations := testing.AllocsPerRun(3, func() { test.call(p) }); allocations != 0 {
					t.Errorf("%v allocations in %s", allocations, p.String())
				}
			}
		})
	}
}
