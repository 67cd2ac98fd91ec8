package evaluation

import "gyre/position"

// Stage is the part of the game that a position is in, for one of the sides: by
// who wins with the next row. Each has a set of tables of its own. With one ring
// to go a row is everything and the ring it costs nothing; while markers are few
// no row is near, and where rings stand counts otherwise than later.
//
// A blitz game, which one row wins, has a stage of its own: what holds of standard
// games in which one row wins is learned with six rings on the board, not ten.
type Stage uint8

// The stages.
const (
	NeitherShort Stage = iota
	OwnShort           // the side's next row wins, and not the other's: two rings are removed
	TheirsShort        // the other way about
	BothShort
	Opening // no ring is removed, and there are fewer than openingMarkers
	Blitz   // all of a blitz game
	StageCount
)

// openingMarkers is the number of markers on the board from which on the opening
// is over.
const openingMarkers = 4

// stageNames are the names of the stages: in files and errors.
var stageNames = [StageCount]string{"neither", "own", "theirs", "both", "opening", "blitz"}

// String returns the stage's name, one word.
func (s Stage) String() string { return stageNames[s] }

// Swapped returns the stage for the other side.
func (s Stage) Swapped() Stage {
	return [StageCount]Stage{NeitherShort, TheirsShort, OwnShort, BothShort, Opening, Blitz}[s]
}

// StageOf returns the stage of a position for a side.
func StageOf(p *position.Position, s position.Side) Stage {
	return StageBy(p.Rules(), p.Removed(s), p.Removed(s.Opponent()), position.MarkersInGame-p.Pool())
}

// StageBy returns the stage by the rules, the rings removed and the markers on the
// board.
func StageBy(r position.Rules, own, theirs, markers int) Stage {
	switch {
	case r == position.Blitz:
		return Blitz
	case own == 0 && theirs == 0 && markers < openingMarkers:
		return Opening
	}
	return Opening.then(own, theirs)
}

// then returns the stage that follows in the same game with so many rings removed, or
// with enough markers.
func (s Stage) then(own, theirs int) Stage {
	if s == Blitz {
		return Blitz
	}
	s = NeitherShort
	if own >= RemovedStates-1 {
		s |= OwnShort
	}
	if theirs >= RemovedStates-1 {
		s |= TheirsShort
	}
	return s
}
