package coach

import "gyre/position"

// threat returns a ring move by which a side makes a row, if it were its turn. The side must
// have no row on the board.
func threat(p *position.Position, side position.Side) (position.Turn, bool) {
	if p.Over() || p.Placing() || p.HasRow(side) {
		return position.None, false
	}
	moves := p.Completions(side, nil)
	if len(moves) == 0 {
		return position.None, false
	}
	return moves[0], true
}

// winning returns a turn by which the side to move wins the game at once.
func winning(p *position.Position) (position.Turn, bool) {
	if p.Over() || p.Placing() {
		return position.None, false
	}
	side := p.SideToMove()
	for _, turn := range p.CompletingTurns(nil) {
		if winsFor(p, turn, side) {
			return turn, true
		}
	}
	return position.None, false
}

// winsFor tells whether a turn wins the game for a side.
func winsFor(p *position.Position, turn position.Turn, side position.Side) bool {
	var child position.Position
	p.Play(&child, turn)
	wins := [2]position.Result{position.White: position.WhiteWins, position.Black: position.BlackWins}
	return child.Result() == wins[side]
}

// fours returns at how many places five points in a row hold four markers of a side, and
// not five.
func fours(p *position.Position, side position.Side) (count int) {
	markers := p.Markers(side)
	for row := range position.RowCount {
		if position.Row(row).Points().And(markers).Count() == 4 {
			count++
		}
	}
	return count
}

// rowsOf returns the rows that a turn takes off.
func rowsOf(turn position.Turn) (rows []position.Row) {
	for i := range turn.Removals() {
		rows = append(rows, turn.Removal(i).Row)
	}
	return rows
}
