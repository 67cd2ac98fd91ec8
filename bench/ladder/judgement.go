package ladder

import "gyre/position"

// The judgement's units: a ring removed, and markers of one colour on the five
// points of a row, by their number, when nothing else stands on them but rings.
const (
	ringWorth = 300
	moveWorth = 1 // of each ring move more
	won       = 1_000_000
)

var rowWorth = [position.RowLength + 1]int{0, 1, 4, 12, 30, 60}

// rowPoints are the points of all rows.
var rowPoints = func() (points []position.Bitboard) {
	for r := range position.Row(position.RowCount) {
		points = append(points, r.Points())
	}
	return points
}()

// judgeEnd tells whether the game is over, and how good that is for a side.
func judgeEnd(p *position.Position, own position.Side) (ended bool, score int) {
	switch p.Result() {
	case position.Ongoing:
		return false, 0
	case position.Draw:
		return true, 0
	case position.WhiteWins + position.Result(own):
		return true, won
	}
	return true, -won
}

// judge returns how good a position is for the side to move: rings removed, rows
// that grow, moves. It is a plain sum, and never changes.
func judge(p *position.Position) int {
	own := p.SideToMove()
	other := own.Opponent()
	if ended, score := judgeEnd(p, own); ended {
		return score
	}
	score := ringWorth * (p.Removed(own) - p.Removed(other))
	mine, theirs := p.Markers(own), p.Markers(other)
	for _, points := range rowPoints {
		m, t := mine.And(points).Count(), theirs.And(points).Count()
		if t == 0 {
			score += rowWorth[m]
		}
		if m == 0 {
			score -= rowWorth[t]
		}
	}
	return score + moveWorth*(p.Mobility(own)-p.Mobility(other))
}
