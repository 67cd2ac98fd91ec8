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
// centipawns for the side to move, then the windows and sixes that count most, in
// numbers and with these numbers on a drawing of the board.
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
	line("windows", t.windows, "what stands in the %d windows of five and the %d sixes", position.RowCount, SixCount)
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
		fmt.Fprintf(&text, "\nthe windows and sixes that count most, for %v:\n", us)
	}
	notes := map[position.Point]string{}
	for i, w := range shown {
		number := strconv.Itoa(i + 1)
		points := w.points.Points(nil)
		ends := fmt.Sprintf("%v-%v", points[0], points[len(points)-1])
		fmt.Fprintf(&text, "%3s %+8.1f  %-8s %s\n", number, float64(w.worth)/WindowUnit, ends, letters(p, points))
		for _, at := range points {
			notes[at] += number
		}
	}
	text.WriteByte('\n')
	text.WriteString(strings.TrimSuffix(p.DrawNotes(notes), "\n"))
	fmt.Fprintf(&text, "\n\nweights: %s", e.weights.About)
	return text.String()
}

// stretch is a window or a six, with its worth.
type stretch struct {
	points position.Bitboard
	worth  int // in WindowUnit-ths of a centipawn
}

// mostWorth returns the windows and sixes that are worth most, to either side: at
// most mostShown, and none that is worth nothing.
func (e *Evaluator) mostWorth(f *Features) []stretch {
	var all []stretch
	for row, index := range f.Windows {
		all = append(all, stretch{position.Row(row).Points(), int(e.weights.Windows[index])})
	}
	for six, index := range f.Sixes {
		all = append(all, stretch{Six(six), int(e.weights.Sixes[index])})
	}
	all = slices.DeleteFunc(all, func(s stretch) bool { return s.worth == 0 })
	size := func(s stretch) int { return max(s.worth, -s.worth) }
	slices.SortStableFunc(all, func(a, b stretch) int { return size(b) - size(a) })
	return all[:min(len(all), mostShown)]
}

// letters returns what stands on points in the letters of the board.
func letters(p *position.Position, points []position.Point) string {
	const letters = ".WwBb" // by state, for White
	var text strings.Builder
	for _, at := range points {
		text.WriteByte(letters[stateAt(p, at, position.White)])
	}
	return text.String()
}
