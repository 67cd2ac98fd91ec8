// Package evaluation judges a position without searching: rings removed, rows
// threatened and mobility.
package evaluation

import (
	"gyre/position"
)

// The worth of each term in centipawns: 100 are about the worth of a row that
// can be completed next turn.
const (
	ringRemoved = 300 // each ring removed
	lastRing    = 200 // more when one more ring wins
	four        = 40  // five points in a row with four own markers, the fifth not the opponent's ring
	three       = 12  // with three own markers, the others vacant or own rings
	mobility    = 3   // each move that a side has more than the other
)

// Evaluate returns the worth of a position for the side to move. The game must
// not be over.
func Evaluate(p *position.Position) int {
	us := p.SideToMove()
	return sideWorth(p, us) - sideWorth(p, us.Opponent())
}

// sideWorth adds what one side has.
func sideWorth(p *position.Position, s position.Side) int {
	worth := ringRemoved*p.Removed(s) + mobility*p.Mobility(s)
	if p.Removed(s)+1 == p.Rules().WinningRings() {
		worth += lastRing
	}
	own, rings := p.Markers(s), p.Rings(s)
	theirs := p.Markers(s.Opponent())
	blocked := p.Rings(s.Opponent())
	for r := range position.Row(position.RowCount) {
		points := r.Points()
		if points.Meets(blocked) {
			continue
		}
		switch own.And(points).Count() {
		case 4:
			worth += four
		case 3:
			if !points.Meets(theirs) {
				worth += three + three*rings.And(points).Count()
			}
		}
	}
	return worth
}
