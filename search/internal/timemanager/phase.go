package timemanager

import (
	"gyre/position"
	"gyre/search"
)

// phase is where in its game the side to move is.
type phase struct {
	placing bool // of rings
	moves   int  // ring moves that the side has made
	most    int  // turns that it has to come at most, this one among them
}

// phaseOf returns the phase of a position. Each ring move brings a marker, and each row
// removed with its ring takes five away.
func phaseOf(p *position.Position) phase {
	us, removed := p.SideToMove(), 0
	for _, s := range []position.Side{position.White, position.Black} {
		removed += p.Removed(s)
	}
	rowsToCome := max(2*(p.Rules().WinningRings()-1)-removed, 0)
	most := (p.Pool() + position.RowLength*rowsToCome + 1) / 2
	if p.Placing() {
		most += position.RingsPerSide - p.Rings(us).Count() - p.Removed(us)
	}
	return phase{placing: p.Placing(), moves: (p.AllMarkers().Count() + position.RowLength*removed) / 2, most: most}
}

// turns returns by the numbers of the search how many turns share the time that is left,
// this one among them, with so many until the next time control, or 0. A placing gets half of what a ring move gets.
func (p phase) turns(numbers *search.Parameters, movesToGo int) int {
	if p.placing {
		if movesToGo > 0 {
			return min(2*movesToGo-1, numbers[search.PlacingTurns])
		}
		return numbers[search.PlacingTurns]
	}
	turns := min(max(numbers[search.GameMoves]-p.moves, numbers[search.FewestTurns]), numbers[search.MostTurns])
	if movesToGo > 0 {
		turns = min(movesToGo, turns)
	}
	return turns
}
