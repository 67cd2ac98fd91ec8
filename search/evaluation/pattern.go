package evaluation

import (
	"slices"

	"gyre/position"
)

// Pattern is a kind of pattern, an n-tuple: a number of adjacent points of a line. It
// has a place wherever a line has that many points. All places share one table of
// weights, so that the 12 symmetries of a position have the same value.
//
// The index of a place encodes the contents of its points in base 5, the first point
// in the lowest digit. The first point is the lowest in the order of
// [position.Point]. A digit is the state of a point for the side to move.
type Pattern struct {
	Name   string // one word: in files, errors and explanations
	Points int
	States int // number of indexes: 5 to the power of Points
	Unit   int // weights are in units of 1/Unit centipawn; divides FinestUnit
}

// FinestUnit is a multiple of the units of all patterns. Sums of patterns are in
// units of 1/FinestUnit centipawn.
const FinestUnit = 16

// patterns is the table of patterns. A five is the place of a row. A six is where two
// fives overlap, and includes the interplay of both. A new row needs a unique name, 2 to
// 6 points (an index of 7 would not fit in 16 bits) and 5^Points states; its place in the
// table does not matter.
var patterns = [...]Pattern{
	{Name: "five", Points: 5, States: 5 * 5 * 5 * 5 * 5, Unit: 16},
	{Name: "six", Points: 6, States: 5 * 5 * 5 * 5 * 5 * 5, Unit: 16},
}

// PatternCount is the number of patterns.
const PatternCount = len(patterns)

// Patterns returns the table of patterns. Elsewhere a pattern is identified by its
// row, 0 to PatternCount - 1.
func Patterns() [PatternCount]Pattern { return patterns }

// PlaceCount returns the number of places of a pattern on the board.
func PlaceCount(pattern int) int { return len(patternPlaces[pattern]) }

// The states of a point for one of the sides.
const (
	vacant = iota
	ownRing
	ownMarker
	theirRing
	theirMarker
	BoardStates // the number of states
)

// boardPoints holds the points of the board in order. A [Board] numbers its points 0
// to 84 by this list.
var boardPoints = position.Board().Points(nil)

// patternPlace is a place of a pattern: the numbers of its points in a Board, the
// lowest digit of the index first.
type patternPlace []uint8

// patternPlaces holds the places of each pattern.
var patternPlaces = func() (all [PatternCount][]patternPlace) {
	for k := range all {
		all[k] = placesOf(&patterns[k])
	}
	return all
}()

// placesOf returns the places of a pattern, by direction and then by their first point:
// those of a five in the order of [position.Row].
func placesOf(p *Pattern) (all []patternPlace) {
	for d := range position.Directions {
		for _, first := range boardPoints {
			if place := placeFrom(first, d, p.Points); place != nil {
				all = append(all, place)
			}
		}
	}
	return all
}

// placeFrom returns the place that starts at a point and has the given direction and
// number of points, or nil if the line is too short.
func placeFrom(first position.Point, d, points int) (place patternPlace) {
	for p, on := first, true; len(place) < points; p, on = neighbor(p, d, 1) {
		if !on {
			return nil
		}
		place = append(place, uint8(slices.Index(boardPoints, p)))
	}
	return place
}

// points returns the points of the place.
func (p patternPlace) points() (points []position.Point) {
	for _, number := range p {
		points = append(points, boardPoints[number])
	}
	return points
}

// neighbor returns the point at a distance along a direction, and whether it is on
// the board.
func neighbor(p position.Point, d, step int) (position.Point, bool) {
	column, number := p.Column(), p.Number()
	switch position.Direction(d) {
	case position.AlongColumn:
		return position.PointAt(column, number+step)
	case position.AlongNumber:
		return position.PointAt(column+step, number)
	}
	return position.PointAt(column+step, number+step)
}

// digits holds the states of the points of a pattern, first point first.
type digits []int

// index encodes digits.
func (d digits) index() (index int) {
	for i := len(d) - 1; i >= 0; i-- {
		index = index*BoardStates + d[i]
	}
	return index
}

// Reversed returns the index of the same points in the opposite order. Both have the
// same weight.
func (p *Pattern) Reversed(index int) (reversed int) {
	for range p.Points {
		reversed = reversed*BoardStates + index%BoardStates
		index /= BoardStates
	}
	return reversed
}

// Canonical returns the lower one of an index and its reversal.
func (p *Pattern) Canonical(index int) int { return min(index, p.Reversed(index)) }

// otherSide holds the states of a point from the other side's point of view.
var otherSide = [BoardStates]int{vacant: vacant, ownRing: theirRing, ownMarker: theirMarker, theirRing: ownRing, theirMarker: ownMarker}

// Swapped returns the index of the same points from the other side's point of view.
func (p *Pattern) Swapped(index int) (swapped int) {
	for step := 1; index > 0; step *= BoardStates {
		swapped += otherSide[index%BoardStates] * step
		index /= BoardStates
	}
	return swapped
}

// stateLetters holds a letter for each state of a point.
const stateLetters = ".RMrm"

// Word returns the index as text with a letter per point, first point first: . for a
// vacant point, R and M for the side's own ring and marker, r and m for the opponent's.
func (p *Pattern) Word(index int) string {
	word := make([]byte, p.Points)
	for i := range word {
		word[i] = stateLetters[index%BoardStates]
		index /= BoardStates
	}
	return string(word)
}

// Stage is the stage of the game for one of the sides, given mainly by who wins with
// the next row. Each stage has its own tables. With one ring to go, the next row is
// everything, and the ring it costs does not matter. In the opening there are too few
// markers for a row, and the value of ring positions differs from later.
//
// A blitz game, which one row wins, is a separate stage. The weights of standard
// games in which one row wins were learned with six rings on the board, not ten.
type Stage uint8

// The stages.
const (
	NeitherShort Stage = iota // neither side is one row short of a win
	OwnShort                  // the side's next row wins, but not the opponent's: the side has removed two rings
	TheirsShort               // the opponent's next row wins, but not the side's
	BothShort
	Opening // no ring is removed, and there are fewer than openingMarkers markers
	Blitz   // the whole blitz game
	StageCount
)

// openingMarkers is the number of markers at which the opening ends.
const openingMarkers = 4

// stageNames holds the names of the stages in files and errors.
var stageNames = [StageCount]string{"neither", "own", "theirs", "both", "opening", "blitz"}

// String returns the stage's name.
func (s Stage) String() string { return stageNames[s] }

// Swapped returns the stage from the other side's point of view.
func (s Stage) Swapped() Stage {
	return [StageCount]Stage{NeitherShort, TheirsShort, OwnShort, BothShort, Opening, Blitz}[s]
}

// StageOf returns the stage of a position for side s.
func StageOf(p *position.Position, s position.Side) Stage {
	return StageBy(p.Rules(), p.Removed(s), p.Removed(s.Opponent()), position.MarkersInGame-p.Pool())
}

// StageBy returns the stage for rules, rings removed, and markers on the board.
func StageBy(r position.Rules, own, theirs, markers int) Stage {
	switch {
	case r == position.Blitz:
		return Blitz
	case own == 0 && theirs == 0 && markers < openingMarkers:
		return Opening
	}
	return laterStage(own, theirs)
}

// withRemoved returns the stage after the opening in a game that is in stage s, with the
// given rings removed.
func (s Stage) withRemoved(own, theirs int) Stage {
	if s == Blitz {
		return Blitz
	}
	return laterStage(own, theirs)
}

// laterStage returns the stage of a standard game after the opening.
func laterStage(own, theirs int) (s Stage) {
	s = NeitherShort
	if own >= RemovedStates-1 {
		s |= OwnShort
	}
	if theirs >= RemovedStates-1 {
		s |= TheirsShort
	}
	return s
}

// Board holds the state of each point of the board for one of the sides: 0..4 for
// vacant, own ring, own marker, opponent's ring, opponent's marker. The points are
// numbered 0..84 in the order of [position.Board].
type Board [position.PointCount]uint8

// BoardOf returns the board of a position for side own.
func BoardOf(p *position.Position, own position.Side) (b Board) {
	for number, at := range boardPoints {
		b[number] = uint8(stateAt(p, at, own))
	}
	return b
}

// stateAt returns the state of a point for side own.
func stateAt(p *position.Position, at position.Point, own position.Side) int {
	switch theirs := own.Opponent(); {
	case p.Rings(own).Has(at):
		return ownRing
	case p.Markers(own).Has(at):
		return ownMarker
	case p.Rings(theirs).Has(at):
		return theirRing
	case p.Markers(theirs).Has(at):
		return theirMarker
	}
	return vacant
}

// Markers returns the number of markers.
func (b *Board) Markers() (count int) {
	for _, state := range b {
		if state == ownMarker || state == theirMarker {
			count++
		}
	}
	return count
}

// index returns the index of a pattern at a place.
func (b *Board) index(place patternPlace) (index uint16) {
	for i := len(place) - 1; i >= 0; i-- {
		index = index*BoardStates + uint16(b[place[i]])
	}
	return index
}

// Features is the input of the evaluation: a position for the side to move.
type Features struct {
	Indexes     [PatternCount][]uint16 // by pattern: the index at each of its places
	Board       Board
	Own, Theirs int // rings removed
	Stage       Stage
}

// FeaturesOf returns the features of a position. The game must not be over.
func FeaturesOf(p *position.Position) *Features {
	us := p.SideToMove()
	board := BoardOf(p, us)
	f := &Features{}
	f.Set(&board, StageOf(p, us), p.Removed(us), p.Removed(us.Opponent()))
	return f
}

// Set sets f to the features of a board of the side to move, with the given rings
// removed by it and by the opponent. It reuses the memory of f.
func (f *Features) Set(board *Board, stage Stage, own, theirs int) {
	f.SetSome(board, stage, own, theirs, allPatterns)
}

// SetSome is Set for the patterns in which. The others get no indexes.
func (f *Features) SetSome(board *Board, stage Stage, own, theirs int, which [PatternCount]bool) {
	for k := range f.Indexes {
		indexes := f.Indexes[k][:0]
		if which[k] {
			for _, place := range patternPlaces[k] {
				indexes = append(indexes, board.index(place))
			}
		}
		f.Indexes[k] = indexes
	}
	f.Board, f.Own, f.Theirs, f.Stage = *board, own, theirs, stage
}

// allPatterns selects every pattern.
var allPatterns = func() (all [PatternCount]bool) {
	for k := range all {
		all[k] = true
	}
	return all
}()
