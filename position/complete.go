package position

// Most turns complete no row, and these tests find that out cheaply. They rest
// on two facts. A ring move takes no marker away and adds one, where the ring
// stood; so a row after it lies where all five points hold markers or rings of
// the mover before it. And it contains the point that the ring left or a
// marker that the ring flipped, since no row of the mover stood before.

// mayCompleteRow tells whether the side to move may have a row now or after
// its ring move. False is certain.
func (p *Position) mayCompleteRow() bool {
	return p.AllMarkers().Or(p.rings[p.side]).hasFive()
}

// HasRow tells whether a side has a row on the board.
func (p *Position) HasRow(s Side) bool { return p.markers[s&1].hasFive() }

// fives are the points of all runs of five or more markers of either colour:
// only flips of these can complete a row that leaves the moved ring's point
// aside.
func (p *Position) fives() (cover Bitboard) {
	markers := p.AllMarkers()
	for _, stride := range strides {
		first := markers.fivesAlong(uint(stride))
		run := first.Or(first.up(stride))
		run = run.Or(run.up(2 * stride)).Or(first.up(4 * stride))
		cover = cover.Or(run)
	}
	return cover
}

// completesRow tells whether the mover has a row after moving a ring over the
// markers flipped.
func (p *Position) completesRow(from Point, flipped Bitboard) bool {
	return p.markers[p.side].Xor(flipped).Or(pointSet(from)).hasFive()
}

// leavesFive tells whether five markers of either colour stand in a row once
// the ring at a point has left a marker there.
func (p *Position) leavesFive(from Point) bool {
	refs := &lineRefs[from&(padded-1)]
	return p.targetsOn(&refs[AlongColumn], AlongColumn).leavesFive() ||
		p.targetsOn(&refs[AlongNumber], AlongNumber).leavesFive() ||
		p.targetsOn(&refs[AlongThird], AlongThird).leavesFive()
}
