package puzzles

import "gyre/position"

// Same tells whether two turns of a position are the same answer: the same ring
// moves to the same point, and the same rows are taken off before it and after it.
// Their order never counts; the rings that pay do if rings is set.
func Same(a, b position.Turn, rings bool) bool {
	if a.Kind() != b.Kind() || a.Before() != b.Before() || a.After() != b.After() {
		return false
	}
	if a.Kind() != position.RemovalsOnly && a.Kind() != position.Pass && (a.From() != b.From() || a.To() != b.To()) {
		return false
	}
	return taken(a, 0, a.Before(), rings) == taken(b, 0, b.Before(), rings) &&
		taken(a, a.Before(), a.Removals(), rings) == taken(b, b.Before(), b.Removals(), rings)
}

// removed are rows and rings taken off, in any order.
type removed struct {
	rows  [position.RowCount]bool
	rings position.Bitboard
}

// taken returns what some removals of a turn take off.
func taken(t position.Turn, first, end int, rings bool) (all removed) {
	for i := first; i < end; i++ {
		r := t.Removal(i)
		all.rows[r.Row] = true
		if rings {
			all.rings = all.rings.Or(pointSet(r.Ring))
		}
	}
	return all
}

// pointSet is the set of one point.
func pointSet(p position.Point) position.Bitboard {
	if p < 64 {
		return position.Bitboard{Lo: 1 << p}
	}
	return position.Bitboard{Hi: 1 << (p - 64)}
}

// OtherRings returns the turns of p that are the same answer as one but for the rings
// that pay.
func OtherRings(p *position.Position, turn position.Turn) (others []position.Turn) {
	if turn.Removals() == 0 {
		return nil
	}
	for _, t := range p.Turns(nil) {
		if Same(t, turn, false) && !Same(t, turn, true) {
			others = append(others, t)
		}
	}
	return others
}

// Split parts the turns of p into those that are the same answer as one, and others.
func Split(p *position.Position, turn position.Turn, rings bool) (same, others []position.Turn) {
	for _, t := range p.Turns(nil) {
		if Same(t, turn, rings) {
			same = append(same, t)
		} else {
			others = append(others, t)
		}
	}
	return same, others
}
