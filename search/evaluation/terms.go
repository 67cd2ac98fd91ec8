package evaluation

import "gyre/position"

// tempo is the worth of being to move.
const tempo = 19

// perMove is the worth of each ring move that a side has more than the other,
// in hundredths. It is fitted beside the windows, which count free points around
// the rings already; what is left over counts against the side.
const perMove = -198

// blockedRing is what a ring that cannot move costs.
const blockedRing = 19

// removedWorth is the worth for White of the rings removed, by its own and by
// Black's: a third one is a win.
var removedWorth = [4][4]int{
	{0, -200, -365, -Bound},
	{200, 0, -224, -Bound},
	{365, 224, 0, -Bound},
	{Bound, Bound, Bound, 0},
}

// materialWorth is the worth of the rings removed for White.
func materialWorth(p *position.Position) int {
	return removedWorth[p.Removed(position.White)&3][p.Removed(position.Black)&3]
}

// mobilityWorth is the worth for White of the moves that its rings have and
// Black's have not, and of the rings that cannot move.
func mobilityWorth(p *position.Position) int {
	white, whiteBlocked := p.RingMoves(position.White)
	black, blackBlocked := p.RingMoves(position.Black)
	return (white-black)*perMove/100 - (whiteBlocked-blackBlocked)*blockedRing
}

// tempoWorth is the worth for White of being to move, or of Black's being.
func tempoWorth(p *position.Position) int {
	if p.SideToMove() == position.Black {
		return -tempo
	}
	return tempo
}
