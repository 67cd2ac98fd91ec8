package referee

import (
	"fmt"

	"gyre/position"
)

// sideNames are the players as a sentence begins with them.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// prompt says what the player is asked for next in a turn.
func prompt(partial *position.Partial) string {
	now := partial.Position()
	player := sideNames[now.SideToMove()]
	if partial.Complete() {
		if now.Over() {
			return outcome(now)
		}
		return player + ": the turn is complete."
	}
	if _, taking := partial.TakenRow(); taking {
		return player + ": now take one of your rings off."
	}
	switch partial.Steps(nil)[0].Kind {
	case position.StepPlace:
		placed := now.Rings(now.SideToMove()).Count() + now.Removed(now.SideToMove())
		return fmt.Sprintf("%s: place a ring (%d of %d).", player, placed+1, position.RingsPerSide)
	case position.StepPass:
		return player + ": none of your rings can move, so you pass."
	case position.StepTakeRow:
		return rowPrompt(partial)
	}
	return player + ": move one of your rings."
}

// rowPrompt asks for a row to take off.
func rowPrompt(partial *position.Partial) string {
	now, turn := partial.Position(), partial.Turn()
	side := now.SideToMove()
	rows := now.Rows(side, nil)
	done, early := turn.After(), turn.Kind() == position.RemovalsOnly
	if early {
		done = turn.Removals()
	}
	most := done + min(mostApart(rows), now.Rules().WinningRings()-now.Removed(side))
	switch {
	case early && done == 0 && len(rows) == 1:
		return fmt.Sprintf("%s: %s's turn completed your row: take it off before you move.", sideNames[side], sideNames[side.Opponent()])
	case early && done == 0 && most == 1:
		return fmt.Sprintf("%s: %s's turn completed your row: choose the five to take off before you move.", sideNames[side], sideNames[side.Opponent()])
	case early && done == 0:
		return fmt.Sprintf("%s: %s's turn completed your rows: take one off before you move (1 of %d).", sideNames[side], sideNames[side.Opponent()], most)
	case most > 1:
		return fmt.Sprintf("%s: take a row off (%d of %d).", sideNames[side], done+1, most)
	case len(rows) > 1:
		return sideNames[side] + ": choose the five to take off."
	}
	return sideNames[side] + ": take your row off."
}

// mostApart returns how many of the rows can be taken off at most: those that
// share a marker exclude each other.
func mostApart(rows []position.Row) int {
	most := 0
	for i, row := range rows {
		var apart []position.Row
		for _, other := range rows[i+1:] {
			if !row.Points().Meets(other.Points()) {
				apart = append(apart, other)
			}
		}
		most = max(most, 1+mostApart(apart))
	}
	return most
}

// outcome says how a game that is over ended.
func outcome(p *position.Position) string {
	white, black := p.Removed(position.White), p.Removed(position.Black)
	switch p.Result() {
	case position.WhiteWins:
		return fmt.Sprintf("White wins, %d to %d.", white, black)
	case position.BlackWins:
		return fmt.Sprintf("Black wins, %d to %d.", black, white)
	}
	return fmt.Sprintf("A draw, %d to %d.", white, black)
}
