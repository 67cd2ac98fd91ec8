package proof

import "gyre/position"

// winsNow tells whether some turn of the side to move wins at once. Turns that
// take no ring off leave the score as it is, so they can only win if the side
// is ahead and the turn ends the game; elsewhere they need not be played.
func (s *Solver) winsNow(p *position.Position, depth int) bool {
	here := &s.plies[depth]
	here.turns = p.Turns(here.turns[:0])
	us := p.SideToMove()
	quietEnds := p.Removed(us) > p.Removed(us.Opponent()) && mayEndQuietly(p)
	for _, t := range here.turns {
		if t.Removals() == 0 && !quietEnds {
			continue
		}
		s.nodes++
		p.Play(&here.child, t)
		if here.child.Result() == winFor(us) {
			return true
		}
	}
	return false
}

// mayEndQuietly tells whether a turn that takes nothing off may end the game.
// False is certain: the pool does not run out with this turn, and the opponent
// has vacant points next to its rings, two of them at least, of which the turn
// can fill only one.
func mayEndQuietly(p *position.Position) bool {
	if p.Pool() <= 1 {
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
