package timemanager

import "gyre/position"

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

// Turns that what is left of the clock is shared out to. A ring on the empty board
// decides little and its score is unsteady, so it gets half a share; one side in ten goes beyond its
// thirtieth ring move. The numbers are measured together, none alone: "The clock" in
// bench/EXPERIMENTS.md.
const (
	placingTurns = 50
	gameMoves    = 27 // less those made
	fewestTurns  = 9
	mostTurns    = 25
)

// turns returns how many turns share the time that is left, this one among them, with so
// many until the next time control, or 0. A placing gets half of what a ring move gets.
func (p phase) turns(movesToGo int) int {
	if p.placing {
		if movesToGo > 0 {
			return min(2*movesToGo-1, placingTurns)
		}
		return placingTurns
	}
	turns := min(max(gameMoves-p.moves, fewestTurns), mostTurns)
	if movesToGo > 0 {
		turns = min(movesToGo, turns)
	}
	return turns
}
