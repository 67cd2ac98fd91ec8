package proof

import "gyre/position"

// winsNow tells whether some turn of the side to move wins at once: by taking
// off the ring that wins, or as the turn ends the game on the board.
func (s *Solver) winsNow(p *position.Position, depth int) bool {
	s.nodes++
	here := &s.plies[depth]
	us := p.SideToMove()
	if mayEndOnBoard(p) {
		return s.winsByPlaying(p, depth)
	}
	missing := p.Rules().WinningRings() - p.Removed(us)
	if missing == 1 {
		return p.HasRow(us) || p.CanComplete(us)
	}
	here.turns = p.CompletingTurns(here.turns[:0])
	for _, t := range here.turns {
		if t.Removals() >= missing {
			return true
		}
	}
	return false
}

// winsByPlaying is winsNow by the definition: it plays every turn.
func (s *Solver) winsByPlaying(p *position.Position, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	for _, t := range here.turns {
		s.nodes++
		p.Play(&here.child, t)
		if here.child.Result() == winFor(p.SideToMove()) {
			return true
		}
	}
	return false
}

// mayEndOnBoard tells whether the next turn may end the game other than by the
// ring that wins. False is certain: the pool does not run out, and the opponent
// has vacant points next to its rings, two of them at least, of which the turn
// can fill only one.
func mayEndOnBoard(p *position.Position) bool {
	if p.Placing() || p.Pool() <= 1 {
		return true
	}
	var near position.Bitboard
	for rings := p.Rings(p.SideToMove().Opponent()); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		near = near.Or(neighbours[rings.First()])
	}
	return near.And(p.Vacant()).Count() < 2
}

// pointSet is the set of one point.
func pointSet(p position.Point) position.Bitboard {
	if p < 64 {
		return position.Bitboard{Lo: 1 << p}
	}
	return position.Bitboard{Hi: 1 << (p - 64)}
}

// neighbours are the points next to each point along the three lines.
var neighbours = func() (near [128]position.Bitboard) {
	for column := range position.Columns {
		for number := range 12 {
			at, ok := position.PointAt(column, number)
			if !ok {
				continue
			}
			for _, d := range [...][2]int{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}} {
				if next, ok := position.PointAt(column+d[0], number+d[1]); ok {
					near[at] = near[at].Or(pointSet(next))
				}
			}
		}
	}
	return near
}()
