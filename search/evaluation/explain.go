package evaluation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gyre/position"
)

// mostShown is how many windows are shown.
const mostShown = 6

// Explain describes the evaluation of a position: its terms and their sum, in
// centipawns for the side to move, then the windows that count most, in numbers
// and with these numbers on a drawing of the board.
func (e *Evaluator) Explain(p *position.Position) string {
	if p.Over() {
		return "the game is over: " + p.Result().String()
	}
	f := FeaturesOf(p)
	t := e.weights.terms(&f)
	us, them := p.SideToMove(), p.SideToMove().Opponent()

	var text strings.Builder
	line := func(name string, worth int, detail string, args ...any) {
		fmt.Fprintf(&text, "%-14s %+6d  %s\n", name, worth, fmt.Sprintf(detail, args...))
	}
	line("windows", t.windows, "what stands in the %d windows of five", position.RowCount)
	line("rings removed", t.removed, "%d by %v, %d by %v", f.Own, us, f.Theirs, them)
	if !e.WindowsOnly() {
		moves, blocked := p.RingMoves(us)
		theirMoves, theirBlocked := p.RingMoves(them)
		line("ring moves", t.moves, "%d of %v, %d of %v", moves, us, theirMoves, them)
		line("blocked rings", t.blocked, "%d of %v, %d of %v", blocked, us, theirBlocked, them)
	}
	line("to move", t.tempo, "%v", us)
	line(us.String(), t.sum(), "the evaluation, in centipawns for the side to move")

	shown := e.mostWorth(&f)
	if len(shown) > 0 {
		fmt.Fprintf(&text, "\nthe windows that count most, for %v:\n", us)
	}
	notes := map[position.Point]string{}
	for i, row := range shown {
		number := strconv.Itoa(i + 1)
		fmt.Fprintf(&text, "%3s %+8.1f  %-8v %s\n", number, e.windowWorth(&f, row), row, windowText(p, row))
		for _, at := range row.Points().Points(nil) {
			notes[at] += number
		}
	}
	text.WriteByte('\n')
	text.WriteString(strings.TrimSuffix(p.DrawNotes(notes), "\n"))
	fmt.Fprintf(&text, "\n\nweights: %s", e.weights.About)
	return text.String()
}

// mostWorth returns the windows that are worth most, to either side: at most
// mostShown, and none that is worth nothing.
func (e *Evaluator) mostWorth(f *Features) []position.Row {
	size := func(row position.Row) int {
		worth := int(e.weights.Windows[f.Windows[row]])
		return max(worth, -worth)
	}
	var rows []position.Row
	for row := range position.Row(position.RowCount) {
		if size(row) > 0 {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b position.Row) int { return size(b) - size(a) })
	return rows[:min(len(rows), mostShown)]
}

// windowWorth returns the worth of a window in centipawns.
func (e *Evaluator) windowWorth(f *Features, row position.Row) float64 {
	return float64(e.weights.Windows[f.Windows[row]]) / WindowUnit
}

// windowText returns what stands in a window in the letters of the board.
func windowText(p *position.Position, row position.Row) string {
	const letters = ".WwBb" // by state, for White
	var text strings.Builder
	for _, state := range digitsOf(int(windowAt(p, row, position.White))) {
		text.WriteByte(letters[state])
	}
	return text.String()
}
