// Package root lists the turns at the root of a search, and placings of rings up to
// the symmetries of the board. It also says when a search looks whether it must end
// within a long list of turns.
package root

import (
	"gyre/position"
	"gyre/search"
)

// StopEvery is the number of turns in a list after which a search looks whether it must end. Nearly
// every list is shorter: a position that somebody set up can have more than a million turns.
const StopEvery = 256

// EndsAt reports whether to end after this many turns of a list.
func EndsAt(done int, stopped func() bool) bool { return done%StopEvery == StopEvery-1 && stopped() }

// Turns returns the turns to search at the root: limits.SearchTurns, each once, or all
// legal turns. While rings are placed, it returns one of several symmetric placings.
func Turns(root *position.Position, limits search.Limits) []position.Turn {
	switch {
	case root.Over():
		return nil
	case len(limits.SearchTurns) > 0:
		turns, listed := []position.Turn(nil), make(map[position.Turn]bool, len(limits.SearchTurns))
		for _, t := range limits.SearchTurns {
			if !listed[t] {
				turns, listed[t] = append(turns, t), true
			}
		}
		return turns
	case root.Placing():
		return Placings(root, nil)
	}
	return root.Turns(nil)
}

// Placings appends the placings of a ring to dst, one for each class of points that
// the symmetries of the position map to each other: on the empty board 11 of 85.
// Symmetric placings have the same value.
func Placings(p *position.Position, dst []position.Turn) []position.Turn {
	dst = p.Turns(dst)
	var symmetries [position.Symmetries]position.Symmetry
	keeps := keepers(p, symmetries[:0])
	if len(keeps) == 0 {
		return dst
	}
	kept := dst[:0]
	for _, t := range dst {
		if isFirst(t.To(), keeps) {
			kept = append(kept, t)
		}
	}
	return kept
}

// symmetricRings is the number of rings up to which a position is checked for
// symmetries. With more rings it hardly ever has any.
const symmetricRings = 4

// keepers appends the symmetries, except the identity, that keep the position
// unchanged.
func keepers(p *position.Position, dst []position.Symmetry) []position.Symmetry {
	rings := [2]position.Bitboard{p.Rings(position.White), p.Rings(position.Black)}
	if rings[0].Count()+rings[1].Count() > symmetricRings {
		return dst
	}
	for s := position.Symmetry(1); s < position.Symmetries; s++ {
		if s.Points(rings[0]) == rings[0] && s.Points(rings[1]) == rings[1] {
			dst = append(dst, s)
		}
	}
	return dst
}

// isFirst reports whether no symmetry maps a point to a lower one.
func isFirst(at position.Point, symmetries []position.Symmetry) bool {
	for _, s := range symmetries {
		if s.Point(at) < at {
			return false
		}
	}
	return true
}
