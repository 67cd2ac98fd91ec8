package mate

import (
	"gyre/position"
	"gyre/search"
)

// OneRowFromWinning tells whether a side wins with its next row.
func OneRowFromWinning(p *position.Position, s position.Side) bool {
	return p.Removed(s)+1 >= p.Rules().WinningRings()
}

// OneRowDecides tells whether either side wins with its next row.
func OneRowDecides(p *position.Position) bool {
	return OneRowFromWinning(p, position.White) || OneRowFromWinning(p, position.Black)
}

// ScoreOpponentsRow returns the score of a leaf whose side to move has a row that its
// opponent made: the best that judge finds after one removal, with the ring move
// of the turn still to come.
func ScoreOpponentsRow(p *position.Position, at int, judge func(position.Turn, *position.Position) search.Score) search.Score {
	if OneRowFromWinning(p, p.SideToMove()) {
		return search.WinIn(at + 1)
	}
	best := -search.Infinity
	var rows [position.RowCount]position.Step
	var rings [position.RingsPerSide]position.Step
	turn := position.Begin(p)
	for _, row := range turn.Steps(rows[:0]) {
		taken := turn
		taken.Apply(row)
		for _, ring := range taken.Steps(rings[:0]) {
			paid := taken
			paid.Apply(ring)
			best = max(best, judge(paid.Turn(), paid.Position()))
		}
	}
	return best
}
