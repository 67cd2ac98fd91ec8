package referee

import "gyre/position"

// View is a position as the page draws it.
type View struct {
	Position string            `json:"position"` // the text BOARD SIDE SCORE
	Side     string            `json:"side"`     // "w" or "b", to move
	Rules    string            `json:"rules"`
	Placing  bool              `json:"placing"` // whether rings are still to be placed
	Over     bool              `json:"over"`
	Result   string            `json:"result"`  // "none", "p1win", "p2win" or "draw"
	Pool     int               `json:"pool"`    // markers not on the board
	Removed  [2]int            `json:"removed"` // rings removed by white and by black
	Points   map[string]string `json:"points"`  // W and B rings, w and b markers; vacant points are left out
	Rows     [][2]string       `json:"rows"`    // ends of the rows that the side to move has on the board
	Ply      int               `json:"ply"`     // turns played on the way here
}

// sideLetters and results are the words of the protocol.
var (
	sideLetters = [2]string{position.White: "w", position.Black: "b"}
	ringLetters = [2]string{position.White: "W", position.Black: "B"}
	results     = [...]string{position.Ongoing: "none", position.WhiteWins: "p1win", position.BlackWins: "p2win", position.Draw: "draw"}
)

// SideLetter returns the letter of a side, "w" or "b".
func SideLetter(side position.Side) string { return sideLetters[side] }

// sides are both sides, in the order of their turns.
var sides = [2]position.Side{position.White, position.Black}

// viewOf returns the view of a position that ply turns led to.
func viewOf(p *position.Position, ply int) View {
	v := View{
		Position: p.String(), Side: sideLetters[p.SideToMove()], Rules: p.Rules().String(),
		Placing: p.Placing(), Over: p.Over(), Result: results[p.Result()], Pool: p.Pool(),
		Points: map[string]string{}, Rows: [][2]string{}, Ply: ply,
	}
	for _, side := range sides {
		v.Removed[side] = p.Removed(side)
		for _, point := range p.Rings(side).Points(nil) {
			v.Points[point.String()] = ringLetters[side]
		}
		for _, point := range p.Markers(side).Points(nil) {
			v.Points[point.String()] = sideLetters[side]
		}
	}
	for _, row := range p.Rows(p.SideToMove(), nil) {
		v.Rows = append(v.Rows, endsOf(row))
	}
	return v
}

// endsOf returns the names of a row's ends.
func endsOf(row position.Row) [2]string {
	first, last := row.Ends()
	return [2]string{first.String(), last.String()}
}
