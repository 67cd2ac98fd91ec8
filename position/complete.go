package position

import "math/bits"

// Most turns complete no row, and these tests find that out cheaply. They rest
// on what a ring move can do: it takes no marker away and adds one, where the
// ring stood, and it flips markers of one line. So a row of the mover that was
// not there before contains the ring's point, or crosses the line of the move
// at a flipped marker that is the only one of the row that was not the mover's.
// (On the line itself the flipped markers lie between the ring's point or a
// vacant one and the target. Five of them alone would have been a row of the
// opponent, and he leaves none when he ends his turn.)

// mayCompleteRow tells whether the side to move may have a row now or after
// its ring move: five points next to each other all hold markers or its rings.
// False is certain.
func (p *Position) mayCompleteRow() bool {
	return p.AllMarkers().Or(p.rings[p.side]).hasFive()
}

// HasRow tells whether a side has a row on the board.
func (p *Position) HasRow(s Side) bool { return p.markers[s&1].hasFive() }

// gapMarkers returns the opponent's markers that alone keep five markers from
// being a row of s: flipping one makes a row.
func (p *Position) gapMarkers(s Side) (gaps Bitboard) {
	markers, theirs := p.AllMarkers(), p.markers[s.Opponent()]
	for d := range Direction(Directions) {
		firsts := markers.fivesAlong(uint(strides[d]))
		for ; !firsts.IsEmpty(); firsts = firsts.WithoutFirst() {
			inRow := theirs.And(rows.points[rows.at[d][firsts.First()&(padded-1)]%RowCount])
			if inRow.Count() == 1 {
				gaps = gaps.Or(inRow)
			}
		}
	}
	return gaps
}

// completesRow tells whether s has a row after moving a ring over the markers
// flipped.
func (p *Position) completesRow(s Side, from Point, flipped Bitboard) bool {
	return p.markers[s].Xor(flipped).Or(pointSet(from)).hasFive()
}

// Completions appends the ring moves of s, as turns without removals, that
// make a row of s, as if it were its turn: its threats, if it is not. The side
// must have no row on the board.
func (p *Position) Completions(s Side, dst []Turn) []Turn {
	s &= 1
	rings, gaps := p.mayComplete(s)
	for ; !rings.IsEmpty(); rings = rings.WithoutFirst() {
		from := rings.First()
		completing := p.completing(s, from, gaps)
		if completing.none() {
			continue
		}
		for d, places := range completing {
			for ; places != 0; places &= places - 1 {
				dst = append(dst, moveTurn(from, pointOnLine(from, Direction(d), places)))
			}
		}
	}
	return dst
}

// CanComplete tells whether there are any [Position.Completions] of s.
func (p *Position) CanComplete(s Side) bool {
	s &= 1
	rings, gaps := p.mayComplete(s)
	for ; !rings.IsEmpty(); rings = rings.WithoutFirst() {
		if completing := p.completing(s, rings.First(), gaps); !completing.none() {
			return true
		}
	}
	return false
}

// mayComplete returns the rings of s that may make a row with a move, and the gap markers
// of s.
func (p *Position) mayComplete(s Side) (rings, gaps Bitboard) {
	filled := p.AllMarkers().Or(p.rings[s])
	if !filled.hasFive() {
		return Bitboard{}, Bitboard{}
	}
	rings, gaps = p.rings[s], p.gapMarkers(s)
	if gaps.IsEmpty() { // only a ring that leaves five markers in a row can make one
		rings = rings.And(filled.inFives())
	}
	return rings, gaps
}

// linePlaces are places on the three lines through a point, a bit each, by
// direction.
type linePlaces [Directions]uint16

// none tells whether there are no places.
func (l linePlaces) none() bool { return l[0]|l[1]|l[2] == 0 }

// points returns the points at the places of the lines through a point.
func (l linePlaces) points(through Point) (set Bitboard) {
	for d, places := range l {
		for ; places != 0; places &= places - 1 {
			set = set.Or(pointSet(pointOnLine(through, Direction(d), places)))
		}
	}
	return set
}

// pointOnLine returns the point at the first of some places of a line through a
// point.
func pointOnLine(through Point, d Direction, places uint16) Point {
	first := through - Point(lineRefs[through&(padded-1)][d].place)*Point(strides[d])
	return first + Point(bits.TrailingZeros16(places))*Point(strides[d])
}

// completing returns where the ring of s at a point can move to make a row of s,
// which has none on the board, by its gap markers. What the move flips lies on
// its own line. So a row that the ring leaves on another line stands after every
// move; one on the line of the move after those that flip nothing; and else only
// flips can make one, of the gap markers or where the ring leaves five markers of
// either colour on the line.
func (p *Position) completing(s Side, from Point, gaps Bitboard) (completing linePlaces) {
	refs := &lineRefs[from&(padded-1)]
	targets := [Directions]lineTargets{p.targetsOn(&refs[0], 0), p.targetsOn(&refs[1], 1), p.targetsOn(&refs[2], 2)}
	var leaves [Directions]bool // a row of s
	rows := 0
	for d := range leaves {
		if targets[d].leavesFive() && p.markers[s].Or(pointSet(from)).anyFive(uint(strides[d])) != 0 {
			leaves[d] = true
			rows++
		}
	}
	if rows == 0 && gaps.IsEmpty() && !targets[0].leavesFive() && !targets[1].leavesFive() && !targets[2].leavesFive() {
		return linePlaces{}
	}
	markers := p.AllMarkers()
	for d := range Direction(Directions) {
		onLine := targets[d].leavesFive()
		switch {
		case rows > 1 || rows == 1 && !leaves[d]:
			completing[d] = targets[d].places()
			continue
		case !onLine && !linePoints[from&(padded-1)][d].Meets(gaps):
			continue
		}
		for places := targets[d].places(); places != 0; places &= places - 1 {
			flipped := between(from, pointOnLine(from, d, places)).And(markers)
			completes := leaves[d]
			if !flipped.IsEmpty() {
				completes = (onLine || flipped.Meets(gaps)) && p.completesRow(s, from, flipped)
			}
			if completes {
				completing[d] |= places & -places
			}
		}
	}
	return completing
}
